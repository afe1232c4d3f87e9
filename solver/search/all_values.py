"""The value of every reachable state, if there are few: retrograde analysis without bounds.

For many questions about one small position this is faster than a search for each.
"""

from __future__ import annotations

from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.play.engine import State

from .problem import Problem


@define(eq=False)
class AllValues:
    """The values of all states reachable from the root; `complete` is False if there are more than `most` states.

    Cycles are harmless: ends are processed from best to worst, and each end gives its value to all states that reach it.
    """

    problem: Problem
    most: int
    complete: bool = field(default=True, init=False)
    _values: dict[Any, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        engine, root = self.problem.engine, self.problem.root
        before: dict[Any, list[Any]] = {self._identity(root): []}
        ends: dict[Any, int] = {}
        pending = [root]
        while pending:
            state = pending.pop()
            here = self._identity(state)
            if engine.over(state):
                ends[here] = self.problem.value(state)
                continue
            for move in engine.legal(state):
                child = engine.apply(state, move)
                there = self._identity(child)
                if there not in before:
                    before[there] = []
                    pending.append(child)
                before[there].append(here)
            if len(before) > self.most:
                self.complete = False
                return
        for end in sorted(ends, key=ends.__getitem__, reverse=True):
            front = [end] if end not in self._values else []
            for state_key in front:
                if state_key not in self._values:
                    self._values[state_key] = ends[end]
                    front += [earlier for earlier in before[state_key] if earlier not in self._values]

    def of(self, state: State) -> int | None:
        """The value of a state reachable from the root, more being better; None if no end can be reached.

        Raises KeyError if not all values are known.
        """
        if not self.complete:
            raise KeyError("there are more states than were examined")
        return self._values.get(self._identity(state))

    def _identity(self, state: State) -> Any:
        return self.problem.key(state), self.problem.spent(state)
