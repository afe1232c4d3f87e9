"""The incumbent of a search, its listener, and the answer at its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.rules.analysis.ends import end_unreachable
from rulewright.rules.model.state import OVER, POINT, Move
from rulewright.solver.result import Result, Status

from .problem import Problem

Progress = Callable[[int | None, int | None, int], None]
"""Called with the best value, the bound (both as the question counts) and the number of states."""

SoFar = Callable[[], Result]
"""What a search answers when it is stopped."""

IsSettled = Callable[[int | None], bool]
"""Given the best value so far (more is better): whether the question is settled elsewhere."""


@frozen
class Incumbent:
    """The best plan so far and its value (more is better); None if there is no plan."""

    value: int | None = None
    plan: tuple[Move, ...] = ()

    def better(self, other: Incumbent) -> Incumbent:
        """The better of two; this one in a tie."""
        return other if other.value is not None and (self.value is None or other.value > self.value) else self


@frozen
class Listener:
    """Receives progress during a search, may end it, and knows of bytes that nothing beside it needs any more (`spare`).

    `Stopped` ends a search at any point, so each search says beforehand how to answer then (`on_stop`).
    """

    progress: Progress = lambda best, bound, states: None
    is_settled: IsSettled = lambda best: False
    spare: Callable[[], int] = lambda: 0
    on_stop: Callable[[SoFar], None] = lambda so_far: None

    def finishing(self, finish: Callable[[Result], Result]) -> Listener:
        """A listener for a part of the work: what the part answers when it is stopped is finished by `finish`."""
        return evolve(self, on_stop=lambda so_far: self.on_stop(lambda: finish(so_far())))


def result_of(problem: Problem, found: Incumbent, bound: int | None, states: int, began: float, is_exhausted: bool) -> Result:
    """The answer of a search that began at a `time.monotonic` time; `is_exhausted`: every state that can matter was searched.

    Raises `RulesError` RW331 if an exhausted search found no end of the game.
    """
    threshold, seconds = problem.threshold, time.monotonic() - began
    if problem.root[POINT] == OVER:
        found = Incumbent(problem.value(problem.root))
    score = problem.signed(found.value)
    if not is_exhausted:
        status = Status.UNKNOWN if score is None else Status.FEASIBLE
        return Result(status, score, problem.signed(bound), found.plan, states, seconds)
    if threshold is not None and (score is None or score < threshold):
        return Result(Status.IMPOSSIBLE, None, threshold - 1, (), states, seconds, "search")
    if score is None:
        raise end_unreachable(problem.question)
    best = score if threshold is None else threshold
    return Result(Status.OPTIMAL, score, best, found.plan, states, seconds, "search")
