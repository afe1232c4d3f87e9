"""The value of best play, by null windows (MTD: Plaat et al. 1996), and a principal variation.

Each window gives a bound that remains valid: when time is up, the value lies between the last two.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.moves import Move

from .problem import ENDLESS, Judge, MinimaxProblem

NEAR = 4
"""Bounds at most this far apart are closed from one side, others by bisection."""


@frozen
class BestPlay:
    """Bounds on the value at the root, and a line of best play if there was time for one."""

    lower: int
    upper: int
    plan: tuple[Move, ...] | None = None


@define(eq=False)
class BestPlaySearch:
    """Finds the value at the root or, with a `threshold`, only whether it reaches that. `progress` receives the bounds."""

    problem: MinimaxProblem
    judge: Judge
    threshold: int | None = None
    progress: Callable[[int, int, int], None] = lambda lower, upper, states: None
    lower: int = field(default=-ENDLESS, init=False)
    upper: int = field(default=ENDLESS, init=False)
    _plan: tuple[Move, ...] | None = field(default=None, init=False)

    @property
    def found(self) -> BestPlay:
        """The result so far."""
        return BestPlay(self.lower, self.upper, self._plan)

    @property
    def is_settled(self) -> bool:
        if self.threshold is None:
            return self.lower == self.upper
        return self.lower >= self.threshold or self.upper < self.threshold

    def run(self) -> BestPlay:
        """Search to the end, or until time is up. Raises the errors of the judge."""
        goal = self.problem.value(self.problem.root) if self.threshold is None else self.threshold
        while not self.is_settled:
            bound = self.judge.judge((), goal, self._report)
            if bound is None:
                return self.found
            if bound >= goal:
                self.lower = bound
            else:
                self.upper = bound
            goal = self._next_goal()
        if self.threshold is None or self.lower >= self.threshold:
            self._plan = self._line(self.lower if self.threshold is None else self.threshold)
        return self.found

    def _report(self) -> None:
        self.progress(self.lower, self.upper, self.judge.states)

    def _next_goal(self) -> int:
        if self.lower == -ENDLESS:
            return self.upper
        if self.upper == ENDLESS or self.upper - self.lower <= NEAR:
            return self.lower + 1
        return (self.lower + self.upper + 1) // 2

    def _line(self, value: int) -> tuple[Move, ...] | None:
        """Moves to the end of the game; each is the first legal move with which its player keeps the value."""
        problem, engine = self.problem, self.problem.engine
        plan: list[Move] = []
        state = problem.root
        while not engine.over(state):
            is_own = problem.chooser(state) == problem.player
            for move in engine.legal(state):
                bound = self.judge.judge((*plan, move), value if is_own else value + 1, self._report)
                if bound is None:
                    return None
                if bound >= value if is_own else bound <= value or self.threshold is not None:
                    break
            else:
                break
            plan.append(move)
            state = engine.apply(state, move)
        return tuple(plan)
