"""How many moves each state that play may come to is from what is asked, where there are few: breadth first, and back.

States are told apart as the search for shortest plans does. A counter that follows from the cost is none of that: what it
forbids is forbidden by the time that a state is first come to.
"""

from __future__ import annotations

from typing import Any

from attrs import field

from rulewright.base.records import define
from rulewright.rules.play.engine import State

from .shortest_plan import ShortestPlanProblem


@define(eq=False)
class AllDistances:
    """The distances in moves of all states from the root on; `complete` is False where there are more than `most`."""

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
        """The distance of a state that play comes to from the root; None where it is a dead end.

        Raises KeyError where not all distances are known.
        """
        if not self.complete:
            raise KeyError("there are more states than were looked at")
        return self._distances.get(self.problem.key(state))
