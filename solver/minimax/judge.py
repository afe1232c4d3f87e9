"""What decides whether a player can be sure of a goal, by one search or another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.rules.model.moves import Move

ENDLESS = 1 << 40
"""More than any value."""

DEEPEST = 1 << 12
"""Moves of a line of play, at most."""


class OutOfReach(Exception):
    """The search cannot go on: a line of play is too long."""


class Judge(Protocol):
    """Decides goals until its deadline."""

    @property
    def states(self) -> int:
        """How many states it has looked at."""

    def judge(self, path: Sequence[Move], goal: int, heard: Callable[[], None]) -> int | None:
        """A bound of the value behind some moves: from below if it is at least the goal, else from above. None when time is up.

        `heard` is called now and then. Raises `RulesError` RW374 where play comes back to where it was, and `OutOfReach`.
        """
