"""The search: the plain reading has the first look, machine code goes on where that does not suffice.

Nothing is compiled for what the first look settles. What cannot be compiled is left to the plain reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import evolve

from ..rules.engine import Move
from ..rules.native.text import CannotCompile
from ..rules.questions import Question
from .exact import FIRST_LOOK, Progress, Search, Settled
from .limits import Limits
from .neighbourhood import is_long, plans_share
from .problem import Problem
from .result import Result

SOON = 0.1
"""Seconds for the first look when the machine code is at hand: about what it takes to make it ready."""

LONG_SHARE = 0.1
"""Of the time there is, for a look when an end seems out of reach: tiles that are never laid may make it seem so."""

COMPILING = 3.0
"""With fewer seconds left nothing is compiled."""

NO_COMPILER = 'the plain reading goes on alone: `pip install "rulewright[fast]"` would search many times as fast'

Going = Callable[[], None]
"""Called when machine code is to take over, before it is compiled: that takes a processor too."""


def search(problem: Problem, question: Question, limits: Limits, progress: Progress, settled: Settled, going: Going) -> Result:
    """Answer a question by looking at every state that can matter: `OPTIMAL` and `IMPOSSIBLE` are proved.

    Raises `RulesError`: RW331 when every state was looked at and none is an end, and what stops a game.
    """
    began = time.monotonic()
    first = Search(problem, question, progress, settled, limits.states_of(problem.weight), began)
    if first.look(min(SOON, _left(first, limits))):
        return first.result(True)
    remark = ""
    try:
        found = _with_a_compiler(first, limits, going)
        if found is not None:
            return found
    except KeyboardInterrupt:
        first.interrupted = True
    except CannotCompile:
        pass
    except ImportError:
        if not is_long(problem, question) and first.look(min(FIRST_LOOK, _left(first, limits))):
            return first.result(True)
        remark = NO_COMPILER
    ended = _goes_on(first, limits) and first.at_length(_left(first, limits))
    result = first.result(ended)
    return evolve(result, remarks=(*result.remarks, remark)) if remark else result


def _with_a_compiler(first: Search, limits: Limits, going: Going) -> Result | None:
    """A longer look, then machine code; None where there is no time to compile it."""
    from .native.exact import Draft

    if not _goes_on(first, limits):
        return None
    share = plans_share(first.problem, first.question)
    draft = None if share == 1.0 else Draft.of(first.problem, first.question)
    is_kept = draft is not None and draft.is_kept
    if draft is not None:
        going()
    longer = LONG_SHARE * _left(first, limits) if draft is None else FIRST_LOOK - SOON
    if not is_kept and first.look(longer):
        return first.result(True)
    if not _goes_on(first, limits) or (not is_kept and _left(first, limits) <= COMPILING):
        return None
    if draft is None:
        _turn_by_turn(first, limits, going, _left(first, limits))
        return first.result(first.is_best)
    if share * _left(first, limits) > COMPILING:
        with suppress(CannotCompile):
            _turn_by_turn(first, limits, going, share * _left(first, limits))
        if first.is_best or not _goes_on(first, limits):
            return first.result(first.is_best)
    return _in_machine_code(draft, first, limits, None if share == 0.0 else 0.0)


def _in_machine_code(draft: Any, first: Search, limits: Limits, from_above: float | None) -> Result:
    """The exact search; the bound is brought down from above after that share of the time."""
    from ..rules.native.program import as_machine_code_by
    from .native import exact as native

    layout = native.Layout.of(draft, as_machine_code_by(first.began + limits.seconds))
    known = (first.found, first.plan)
    try:
        result = native.search(
            layout, first.question, _left(first, limits), first.progress, first.settled, limits.workers, limits.room, known,
            from_above,
        )  # fmt: skip
    except native.Unfit as unfit:
        raise CannotCompile(str(unfit)) from unfit
    return evolve(result, states=first.states + result.states)


def _turn_by_turn(first: Search, limits: Limits, going: Going, seconds: float) -> None:
    """So many seconds for better plans, compiling included."""
    from ..rules.native.program import as_machine_code_by
    from .native.turns import Small, improve

    until = time.monotonic() + seconds
    small = Small.of(first.problem, first.question, as_machine_code_by(first.began + limits.seconds))
    going()
    before = first.states

    def news(value: int, plan: tuple[Move, ...], states: int) -> None:
        first.take(value, plan, before + states)

    first.states = before + improve(small, first.problem, until - time.monotonic(), limits, first.enough, first.settled, news)


def _goes_on(first: Search, limits: Limits) -> bool:
    return not first.interrupted and _left(first, limits) > 0 and not first.settled(first.best)


def _left(first: Search, limits: Limits) -> float:
    return limits.seconds - (time.monotonic() - first.began)
