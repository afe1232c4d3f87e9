"""Exact search over the compiled reading: depth first, every state once, cut by an admissible bound.

A state is looked at once: whatever it leads to was compared with the best plan then, and the best plan only gets better. Two
states are one when all that can still matter is equal; a state is left out when another one has been seen that is equal but
for resources of which it has no more (Analysis.resources).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from attrs import define, field

from ..grammar.scenarios import Goal
from ..rules.analysis import Analysis
from ..rules.compile import compile_value
from ..rules.engine import Engine, Move, State
from ..rules.layout import COUNTED, OVER, POINT, SEED
from ..rules.questions import Question
from ..rules.terms import Term
from .relaxation import Bound, relax
from .result import Result, Status

Progress = Callable[[int | None, int | None, int], None]
"""Called with the best value, the bound and the number of states when one of them is news."""

MOST_STATES = 8_000_000
CHECK_EVERY = 512


class _TimeUp(Exception):
    pass


class _Done(Exception):
    pass


@define
class _Search:
    engine: Engine
    value: Callable[[State], int]
    bound: Bound | None
    key: Callable[[State], Any]
    spent: Callable[[State], tuple[int, ...]]
    deadline: float
    enough: int | None
    best: int | None = None
    plan: tuple[Move, ...] = ()
    path: list[Move] = field(factory=list)
    seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)
    states: int = 0
    news: Callable[[], None] = field(default=lambda: None)

    def visit(self, state: State) -> None:
        """Look at everything that a state leads to."""
        self.states += 1
        if self.states % CHECK_EVERY == 0 and time.monotonic() > self.deadline:
            raise _TimeUp
        children: list[tuple[int, int, Move, State]] = []
        engine, bound = self.engine, self.bound
        legal, apply = engine.compiled.legal[state[POINT]], engine.compiled.apply
        for order, move in enumerate(legal(state)):
            child = apply(state, move)
            if child[POINT] == OVER:
                self._finish(child, move)
                continue
            most = bound.bound(child) if bound is not None else 0
            if bound is not None and self.best is not None and most <= self.best:
                continue
            if self._is_new(child):
                children.append((-most, order, move, child))
        children.sort(key=_first_two)
        for most, _, move, child in children:
            if bound is not None and self.best is not None:
                if -most <= self.best:
                    break
                if not bound.may_exceed(child, self.best):
                    continue
            self.path.append(move)
            self.visit(child)
            self.path.pop()

    def _finish(self, state: State, move: Move) -> None:
        value = self.value(state)
        if self.best is None or value > self.best:
            self.best, self.plan = value, (*self.path, move)
            self.news()
            if self.enough is not None and value >= self.enough:
                raise _Done

    def _is_new(self, state: State) -> bool:
        key, spent = self.key(state), self.spent(state)
        before = self.seen.get(key)
        if before is None:
            if len(self.seen) < MOST_STATES:
                self.seen[key] = [spent]
            return True
        for other in before:
            if all(map(_at_least, other, spent)):
                return False
        before[:] = [other for other in before if not all(map(_at_least, spent, other))]
        before.append(spent)
        return True


def _first_two(child: tuple[int, int, Move, State]) -> tuple[int, int]:
    return child[:2]


def _at_least(one: int, other: int) -> bool:
    return one >= other


def search(
    engine: Engine,
    state: State,
    question: Question,
    seconds: float = 60.0,
    progress: Progress | None = None,
) -> Result:
    """Answer a question by looking at every state that can matter.

    `OPTIMAL` and `IMPOSSIBLE` are returned only when the search has ended; at the time limit the best plan and the bound.
    """
    began = time.monotonic()
    analysis = Analysis(engine, question.values)
    sign = -1 if question.goal is Goal.MINIMISE else 1
    value = _objective(engine, question.values, sign)
    bound = relax(engine, analysis, question.values, state) if sign > 0 else None
    root_bound = bound.bound(state) if bound is not None else None
    reach = question.goal is Goal.REACH
    floor = question.threshold - 1 if reach else None
    key, spent = _keys(engine, analysis)
    run = _Search(engine, value, bound, key, spent, began + seconds, question.threshold if reach else root_bound, floor)
    if progress is not None:
        run.news = lambda: progress(_signed(run.best, sign), _signed(root_bound, sign), run.states)
    ended = _drive(run, state)
    found = bool(run.plan) or engine.over(state)
    if engine.over(state):
        run.best, ended = value(state), True
    score = _signed(run.best, sign) if found else None
    taken = time.monotonic() - began
    if ended:
        if reach and (score is None or score < question.threshold):
            return Result(Status.IMPOSSIBLE, None, floor, (), run.states, taken, "search")
        if score is None:
            return Result(Status.UNKNOWN, None, None, (), run.states, taken)
        return Result(Status.OPTIMAL, score, question.threshold if reach else score, run.plan, run.states, taken, "search")
    status = Status.FEASIBLE if found else Status.UNKNOWN
    return Result(status, score, _signed(root_bound, sign), run.plan, run.states, taken)


def _drive(run: _Search, state: State) -> bool:
    """Run the search; whether it has looked at all that matters."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        if not run.engine.over(state):
            run.visit(state)
        return True
    except _Done:
        return True
    except (_TimeUp, KeyboardInterrupt):
        return False
    finally:
        sys.setrecursionlimit(limit)


def _signed(value: int | None, sign: int) -> int | None:
    return None if value is None else sign * value


def _objective(engine: Engine, values: tuple[Term, ...], sign: int) -> Callable[[State], int]:
    functions = [compile_value(engine.ground, engine.layout, value) for value in values]
    if len(functions) == 1 and sign > 0:
        return functions[0]
    return lambda state: sign * sum(function(state) for function in functions)


def _keys(engine: Engine, analysis: Analysis) -> tuple[Callable[[State], Any], Callable[[State], tuple[int, ...]]]:
    """What tells states apart, and what they have left to spend (more is better in every place)."""
    resources = analysis.resources
    kept: list[int] = [POINT]
    spent: list[int] = []
    signs: list[int] = []
    if engine.horizon is not None:
        kept.append(COUNTED)
    if analysis.uses_chance:
        kept.append(SEED)
    for name, column in engine.layout.columns.items():
        places = range(column.start, column.start + column.count)
        if name in resources:
            spent += places
            signs += [1 if resources[name] else -1] * column.count
        elif name in analysis.live:
            kept += places
    key = itemgetter(*kept) if len(kept) > 1 else (lambda state: state[POINT])
    if not spent:
        return key, lambda state: ()
    pairs = list(zip(spent, signs, strict=True))
    return key, lambda state: tuple(sign * state[at] for at, sign in pairs)
