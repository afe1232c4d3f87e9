"""The value of every reachable state, if there are few: retrograde analysis without bounds, dominance or symmetry.

For many questions about one small position this is faster than a search for each. For one question it is a proof that shares
little with a search.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.problem import Problem

from .problem import ShortestPlanProblem


@define(eq=False)
class AllStates:
    """The values of all states that play reaches from a root before `is_end` holds, told apart by `key`.

    The value of a state is the greatest `value` of an end that play can reach from it, less a `step` for each move. `complete`
    is False if there are more than `most` states, or moves from them. If it `stops_early`, only the value of the root is known,
    by the ends that take the fewest moves. Cycles are harmless: values are found from the best end on.
    """

    engine: Engine
    root: State
    is_end: Callable[[State], object]
    value: Callable[[State], int]
    step: int = 0
    key: Callable[[State], Any] = lambda state: state
    most: int = 50_000
    most_moves: int = 1 << 30
    stops_early: bool = False
    complete: bool = field(default=True, init=False)
    _values: dict[Any, int] = field(factory=dict, init=False)
    _next: dict[Any, Any] = field(factory=dict, init=False)

    @classmethod
    def of_problem(cls, problem: Problem | ShortestPlanProblem, most: int) -> AllStates:
        """Values by which more is better; of a question for the fewest moves, distances from the goal, negated.

        The key of shortest plans leaves out counters that follow from the cost. That loses nothing here: what such a counter
        forbids is already forbidden when a state is first reached.
        """
        if isinstance(problem, Problem):
            key, spent = problem.key, problem.spent
            over, value = problem.engine.over, problem.value
            return cls(problem.engine, problem.root, over, value, 0, lambda state: (key(state), spent(state)), most)
        return cls(problem.engine, problem.root, problem.reached, lambda state: 0, 1, problem.key, most)

    def __attrs_post_init__(self) -> None:
        engine, played = self.engine, 0
        before: dict[Any, list[Any]] = {self.key(self.root): []}
        ends: list[tuple[int, int, Any, Any]] = []
        found = [self.root]
        for state in found:
            here = self.key(state)
            if self.is_end(state):
                ends.append((-self.value(state), len(ends), here, None))
                if self.stops_early:
                    break
                continue
            for move in [] if engine.over(state) else engine.legal(state):
                child = engine.apply(state, move)
                there = self.key(child)
                if there not in before:
                    before[there] = []
                    found.append(child)
                before[there].append(here)
                played += 1
            if len(found) > self.most or played > self.most_moves:
                self.complete = False
                return
        heapify(ends)
        order = len(ends)
        while ends:
            worth, _, here, after = heappop(ends)
            if here not in self._values:
                self._values[here], self._next[here] = -worth, after
                for earlier in before[here]:
                    if earlier not in self._values:
                        order += 1
                        heappush(ends, (worth + self.step, order, earlier, here))

    def of(self, state: State) -> int | None:
        """The value of a state reachable from the root, more being better; None if no end can be reached.

        Raises KeyError if not all values are known.
        """
        if not self.complete:
            raise KeyError("there are more states than were examined")
        return self._values.get(self.key(state))

    @property
    def plan(self) -> tuple[Move, ...]:
        """A plan from the root that has its value."""
        state, plan = self.root, list[Move]()
        while (after := self._next[self.key(state)]) is not None:
            children = ((move, self.engine.apply(state, move)) for move in self.engine.legal(state))
            move, state = next(pair for pair in children if self.key(pair[1]) == after)
            plan.append(move)
        return tuple(plan)
