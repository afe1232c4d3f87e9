"""Depth-first branch and bound over immutable states, for what the kernels refuse.

That is: numbers, sets of numbers or resources that outgrow a machine word, more than 60 kinds of tile to come, rules that grow
too large when definitions are inlined (`CannotCompile`); lines of play of more than 20,000 moves, and rules that stop the game,
which the engine explains (`Unfit`). The search for overlapping exceptions uses it too: it ends before kernels are ready.
A state is pruned when another one was met that is equal but for resources of which it has no more (dominance).
"""

from __future__ import annotations

import time
from operator import itemgetter
from typing import Any

from attrs import field

from rulewright.base.records import define
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import OVER, POINT
from rulewright.rules.play.engine import State
from rulewright.solver.budget import Limits

from .incumbent import Incumbent, Listener, Searched
from .problem import Problem

LISTENING, REPORTING = 128, 4096
"""States between one look at what others have found and the next, and between reports."""

Child = tuple[int, Move, State]
"""What a state is worth at most, the move to it, the state."""


@define(eq=False)
class FallbackSearch:
    """A search of a problem until `time.monotonic()` reaches the deadline; better plans than the incumbent are looked for."""

    problem: Problem
    deadline: float
    listener: Listener = Listener()
    limits: Limits = Limits()
    incumbent: Incumbent = Incumbent()
    interrupted: bool = False
    began: float = field(factory=time.monotonic)
    _states: int = 0
    _met: dict[Any, list[tuple[int, ...]]] = field(factory=dict)

    def run(self) -> Searched:
        """Search until everything was looked at, or nobody wants more. Raises `PlayError` where rules stop a game."""
        try:
            exhausted = self.problem.root[POINT] == OVER or self._look()
        except KeyboardInterrupt:
            self.interrupted, exhausted = True, False
        return Searched(self.problem, self.incumbent, self.problem.most, self._states, self.began, exhausted)

    @property
    def _floor(self) -> int | None:
        """Only what is worth more than that matters."""
        question, value = self.problem.question, self.incumbent.value
        if question.goal is not Goal.REACH:
            return value
        return question.threshold - 1 if value is None else max(question.threshold - 1, value)

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
        """The states that may lead to a better plan, the most promising last."""
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
            if len(self._met) < self.limits.states_of(self.problem.weight):
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
        if self._states % REPORTING == 0:
            self._report()
        return time.monotonic() > self.deadline or (
            self._states % LISTENING == 0 and self.listener.is_settled(self.incumbent.value)
        )

    def _report(self) -> None:
        problem = self.problem
        self.listener.progress(problem.signed(self.incumbent.value), problem.signed(problem.most), self._states)


def _dominates(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one has no less of anything."""
    return all(map(int.__ge__, one, other))
