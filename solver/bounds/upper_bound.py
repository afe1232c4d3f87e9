"""What a branch-and-bound search prunes by: an admissible (never too low) upper bound on what a state can come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.base.records import frozen
from rulewright.rules.play.engine import State

MAX_CELLS = 4096
"""On a board with more cells, bounds do not look at each cell by itself."""

MAX_CACHED = 200_000
"""States for which a bound is cached."""


class UpperBound(Protocol):
    """A bound on the objective over all states reachable from a state. More is better."""

    def bound(self, state: State) -> int:
        """No state reachable from this one is worth more."""
        ...


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
