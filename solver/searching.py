"""The search: the plain reading has the first look, machine code goes on where that does not suffice.

Nothing is compiled for what the first look settles. What cannot be compiled is left to the plain reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import evolve

from ..grammar.classes import define
from ..rules.engine import Move
from ..rules.questions import Question
from .exact import FIRST_LOOK, Progress, Search, Settled
from .limits import Limits
from .problem import Problem
from .result import Result

if TYPE_CHECKING:
    from .native.exact import Draft
    from .native.turns import Small

SOON = 0.05
"""Seconds for the first look when the machine code is at hand: half of what it takes to make it ready."""

LONG_SHARE = 0.1
"""Of the time there is, for a look when an end seems out of reach: tiles that are never laid may make it seem so."""

OPENINGS_SHARE = 0.1
"""Of the time that is left, at most, for finding openings, before the exact search begins."""

TURNS_SHARE = 0.1
"""The same for plans turn by turn: they stop getting better after seconds, and what begins with them does not."""

OUT_OF_REACH = 0.1
"""Where better plans are worth so much of the time, a proof is not likely: one thread looks for them to the end."""

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
    problem.engine.compile()  # that is no part of the first look
    first = Search(problem, question, progress, settled, limits.states_of(problem.weight), began)
    help = _Help(first, limits, going)
    if first.look(min(SOON, _left(first, limits)), help.wait):
        return first.result(True)
    from ..rules.native.text import CannotCompile

    remark = ""
    try:
        found = help.search()
        if found is not None:
            return found
    except KeyboardInterrupt:
        first.interrupted = True
    except CannotCompile:
        pass
    except ImportError:
        remark = NO_COMPILER
    ended = _goes_on(first, limits) and first.at_length(_left(first, limits))
    result = first.result(ended)
    return evolve(result, remarks=(*result.remarks, remark)) if remark else result


@define(eq=False)
class _Help:
    """Machine code for a search that has begun.

    `share` of the time is for better plans, None before that is known; for all of it there is no `draft` of an exact search. A
    `hindrance` is why there can be none.
    """

    first: Search
    limits: Limits
    going: Going
    share: float | None = None
    draft: Draft | None = None
    is_kept: bool = False
    hindrance: Exception | None = None

    def wait(self) -> float:
        """For how many seconds more the plain reading goes on before it is helped: for none where the machine code is kept."""
        first, left = self.first, _left(self.first, self.limits)
        if not _goes_on(first, self.limits):
            return 0.0
        from ..rules.native.text import CannotCompile
        from .native.exact import Draft
        from .neighbourhood import plans_share

        self.share = plans_share(first.problem, first.question)
        if self.share == 1.0:
            return LONG_SHARE * left
        try:
            self.draft = Draft.of(first.problem, first.question)
            self.is_kept = self.draft.is_kept
        except (CannotCompile, ImportError) as error:
            self.hindrance = error
        else:
            self.going()
        return 0.0 if self.is_kept else min(FIRST_LOOK - SOON, left)

    def search(self) -> Result | None:
        """In machine code; None where there is no time to compile it."""
        from ..rules.native.text import CannotCompile

        first, limits = self.first, self.limits
        if self.share is None:
            self.wait()
        if self.hindrance is not None:
            raise self.hindrance
        if not _goes_on(first, limits) or (not self.is_kept and _left(first, limits) <= COMPILING):
            return None
        if self.draft is None:
            _turn_by_turn(first, limits, self.going, _left(first, limits))
            return first.result(first.is_best)
        assert self.share is not None
        small = None
        left = _left(first, limits)
        turns = min(self.share * left, max(TURNS_SHARE * left, 2 * COMPILING))
        if turns > COMPILING:
            with suppress(CannotCompile):
                small = _turn_by_turn(first, limits, self.going, turns)
            if first.is_best or not _goes_on(first, limits):
                return first.result(first.is_best)
        return _in_machine_code(self.draft, first, limits, self.share, small)


def _in_machine_code(draft: Draft, first: Search, limits: Limits, share: float, small: Small | None) -> Result:
    """The exact search; `share` says how much better plans are worth (`plans_share`). Where they were looked for turn by turn
    it begins with what was most promising there, and brings the bound down from above at once."""
    from ..rules.native.program import as_machine_code_by
    from ..rules.native.text import CannotCompile
    from .native import exact as native
    from .native.ways import Leaving, promising

    layout = native.Layout.of(draft, as_machine_code_by(first.began + limits.seconds))
    known = (first.found, first.plan)
    ways = () if small is None else promising(small, limits.room, OPENINGS_SHARE * _left(first, limits))
    around = None if small is None or share < OUT_OF_REACH else Leaving(small, first.plan)
    try:
        result = native.search(
            layout, first.question, _left(first, limits), first.progress, first.settled, limits.workers, limits.room,
            known=known, from_above=None if share == 0.0 else 0.0, openings=ways, around=around,
        )  # fmt: skip
    except native.Unfit as unfit:
        raise CannotCompile(str(unfit)) from unfit
    return evolve(result, states=first.states + result.states)


def _turn_by_turn(first: Search, limits: Limits, going: Going, seconds: float) -> Small:
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
    return small


def _goes_on(first: Search, limits: Limits) -> bool:
    return not first.interrupted and _left(first, limits) > 0 and not first.settled(first.best)


def _left(first: Search, limits: Limits) -> float:
    return limits.seconds - (time.monotonic() - first.began)
