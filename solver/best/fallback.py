"""Depth-first branch and bound over immutable states, for problems that the kernels do not support.

Unsupported are (`CannotCompile`) numbers, sets of numbers or resources wider than a machine word, more than 60 kinds of tile to
come, and rules that grow too large when definitions are inlined; and (`Unfit`) lines of play of more than 20,000 moves, and
rules that stop the game, which the engine explains. A visited state equal but for resources prunes a state that has no more of
any (dominance).
"""

from __future__ import annotations

import time
from operator import itemgetter
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import OVER, POINT, Move, State
from rulewright.solver.result import LISTENING, Incumbent, Limits, Listener, Result

from .problem import Problem, result_of

Child = tuple[int, Move, State]
"""An upper bound on the value of a state, the move to it, the state."""


@define(eq=False)
class FallbackSearch:
    """A search for plans better than the incumbent until `time.monotonic()` reaches the deadline."""

    problem: Problem
    deadline: float
    listener: Listener = Listener()
    limits: Limits = Limits()
    incumbent: Incumbent = Incumbent()
    began: float = field(factory=time.monotonic)
    _states: int = 0
    _met: dict[Any, list[tuple[int, ...]]] = field(factory=dict)

    def run(self) -> Result:
        """Search until exhausted or the time is up. Raises `PlayError` if the rules stop a game."""
        self.listener.on_stop(lambda: self._searched(False))
        return self._searched(self.problem.root[POINT] == OVER or self._look())

    def _searched(self, is_exhausted: bool) -> Result:
        return result_of(self.problem, self.incumbent, self.problem.most, self._states, self.began, is_exhausted)

    @property
    def _floor(self) -> int | None:
        """Only values above this matter; None: all do."""
        threshold, value = self.problem.threshold, self.incumbent.value
        if threshold is None:
            return value
        return threshold - 1 if value is None else max(threshold - 1, value)

    def _look(self) -> bool:
        path: list[Move] = []
        siblings = [self._children(self.problem.root, path)]
        while siblings:
            if self._is_best():
                return True
            if not siblings[-1]:
                siblings.pop()
                if path:
                    path.pop()
                continue
            if self._is_stopped():
                return False
            most, move, state = siblings[-1].pop()
            if self._is_worth_a_look(most):
                path.append(move)
                siblings.append(self._children(state, path))
        return True

    def _children(self, state: State, path: list[Move]) -> list[Child]:
        """The successors that may lead to a better plan, most promising last."""
        engine, bound = self.problem.engine, self.problem.bound
        found: list[Child] = []
        self._states += 1
        for move in engine.legal(state):
            child = engine.apply(state, move)
            if child[POINT] == OVER:
                self._end(self.problem.value(child), (*path, move))
                continue
            most = 0 if bound is None else bound.bound(child)
            if self._is_worth_a_look(most) and self._is_new(child):
                found.append((most, move, child))
        found.reverse()
        found.sort(key=itemgetter(0))
        return found

    def _is_worth_a_look(self, most: int) -> bool:
        return self.problem.bound is None or self._floor is None or most > self._floor

    def _is_new(self, state: State) -> bool:
        key, left = self.problem.key(state), self.problem.spent(state)
        met = self._met.get(key)
        if met is None:
            if len(self._met) < self.limits.states_of():
                self._met[key] = [left]
            return True
        if any(_dominates(other, left) for other in met):
            return False
        met[:] = [other for other in met if not _dominates(left, other)]
        met.append(left)
        return True

    def _end(self, value: int, plan: tuple[Move, ...]) -> None:
        if self._floor is None or value > self._floor:
            self.incumbent = Incumbent(value, plan)
            self._report()

    def _is_best(self) -> bool:
        enough = self.problem.enough
        return enough is not None and self.incumbent.value is not None and self.incumbent.value >= enough

    def _is_stopped(self) -> bool:
        if self._states % LISTENING == 0:
            self._report()
            if self.listener.is_settled(self.incumbent.value):
                return True
        return time.monotonic() > self.deadline

    def _report(self) -> None:
        problem = self.problem
        self.listener.progress(problem.signed(self.incumbent.value), problem.signed(problem.most), self._states)


def _dominates(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether `one` has no less of any resource."""
    return all(map(int.__ge__, one, other))
