"""The interface of the searches that decide whether a player can guarantee a goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.rules.model.moves import Move

ENDLESS = 1 << 40
"""Greater than any value."""

DEEPEST = 1 << 12
"""Most moves of a line of play."""


class OutOfReach(Exception):
    """The search cannot continue: a line of play is too long."""


class Judge(Protocol):
    """Decides goals until its deadline."""

    @property
    def states(self) -> int:
        """The number of states searched."""

    def judge(self, path: Sequence[Move], goal: int, heard: Callable[[], None]) -> int | None:
        """A bound on the value after the moves of `path`: a lower bound if it reaches `goal`, else an upper bound. None if time
        is up.

        Calls `heard` now and then. Raises `RulesError` RW374 where play revisits a position, and `OutOfReach`.
        """
