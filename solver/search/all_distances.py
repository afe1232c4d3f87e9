"""The distance in moves of every reachable state from the goal, if there are few states: forward search, then backward.

States are identified by the key of shortest-plan search, which leaves out counters that follow from the cost. That loses
nothing here: what such a counter forbids is already forbidden when a state is first reached.
"""

from __future__ import annotations

from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.play.engine import State

from .shortest_plan import ShortestPlanProblem


@define(eq=False)
class AllDistances:
    """The distances of all states reachable from the root; `complete` is False if there are more than `most` states."""

    problem: ShortestPlanProblem
    most: int
    complete: bool = field(default=True, init=False)
    _distances: dict[Any, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        problem, engine = self.problem, self.problem.engine
        before: dict[Any, list[Any]] = {problem.key(problem.root): []}
        goals: list[Any] = []
        front = [problem.root]
        for state in front:
            here = problem.key(state)
            if problem.reached(state):
                goals.append(here)
                continue
            for move in [] if engine.over(state) else engine.legal(state):
                child = engine.apply(state, move)
                there = problem.key(child)
                if there not in before:
                    before[there] = []
                    front.append(child)
                before[there].append(here)
            if len(before) > self.most:
                self.complete = False
                return
        self._distances = dict.fromkeys(goals, 0)
        for key in goals:
            for earlier in before[key]:
                if earlier not in self._distances:
                    self._distances[earlier] = self._distances[key] + 1
                    goals.append(earlier)

    def of(self, state: State) -> int | None:
        """The distance of a state reachable from the root; None for a dead end.

        Raises KeyError if not all distances are known.
        """
        if not self.complete:
            raise KeyError("there are more states than were examined")
        return self._distances.get(self.problem.key(state))
