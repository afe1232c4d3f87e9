"""What a bound is: admissible, never too low, for what a state can lead to. best/problem.py chooses that of a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.base.records import frozen
from rulewright.rules.model.state import State

MAX_CELLS = 4096
"""Most cells of boards on which bounds treat cells one by one."""

MAX_CACHED = 200_000
"""Most states for which a bound is cached."""


class UpperBound(Protocol):
    """A bound on the objective over all states reachable from a state. More is better."""

    def bound(self, state: State) -> int:
        """A value that no state reachable from this one exceeds."""


@frozen
class FormulaBound:
    """A bound given by a function of the state."""

    formula: Callable[[State], int]

    def bound(self, state: State) -> int:
        return self.formula(state)


@frozen
class MinimumBound:
    """The lower of two bounds."""

    first: UpperBound
    second: UpperBound

    def bound(self, state: State) -> int:
        return min(self.first.bound(state), self.second.bound(state))
