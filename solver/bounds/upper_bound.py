"""What a branch-and-bound search prunes by: an admissible (never too low) upper bound on what a state can come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.base.records import frozen
from rulewright.rules.play.engine import State

MAX_CELLS = 4096
"""On a board with more cells, bounds do not look at each cell by itself."""


class UpperBound(Protocol):
    """A bound on the objective over all states reachable from a state. More is better."""

    def bound(self, state: State) -> int:
        """No state reachable from this one is worth more."""
        ...

    def may_exceed(self, state: State, goal: int) -> bool:
        """Whether more than the goal may be reached; False is a proof. May cost more time than `bound` and refute more."""
        ...


@frozen
class FormulaBound:
    """A bound given by a function of the state."""

    formula: Callable[[State], int]

    def bound(self, state: State) -> int:
        return self.formula(state)

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.formula(state) > goal


@frozen
class MinimumBound:
    """The lower of two bounds; the second is the cheaper one."""

    first: UpperBound
    second: UpperBound

    def bound(self, state: State) -> int:
        return min(self.first.bound(state), self.second.bound(state))

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.second.may_exceed(state, goal) and self.first.may_exceed(state, goal)
