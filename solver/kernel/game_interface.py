"""The functions of a game that kernels call, declared for the type checker; rules/machine/from_game.py generates them."""

from __future__ import annotations

from enum import IntEnum

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.intrinsics import Ints

ENDLESS = 1 << 40
"""Greater than any value, and than any number of states."""

DEEPEST = 1 << 12
"""Most moves of a line of play that is searched, or counted in turns, depth first."""

WIDTH = 1
"""Words of a move; each game has its own width."""


def legal(game: GameMemory, moves: Ints, at: int) -> int:
    """Write the legal moves to `moves` from `at` on; returns where they end."""
    raise NotImplementedError


def apply(game: GameMemory, moves: Ints, at: int) -> int:
    """Carry out the move at `moves[at]` and what follows, up to the next choice or the end."""
    raise NotImplementedError


def begin(game: GameMemory) -> int:
    """Set the game up."""
    raise NotImplementedError


def chooser(game: GameMemory) -> int:
    """The player to choose, counted from 1."""
    raise NotImplementedError


def measure(game: GameMemory, number: int) -> int:
    """An additional measure of the state, by number."""
    raise NotImplementedError


def value(game: GameMemory) -> int:
    """The objective."""
    raise NotImplementedError


class SearchEnd(IntEnum):
    """At its limit; done; out of room; to have its mail delivered; at an error of the rules; on a line of play that is too
    long, or that repeats a state."""

    PAUSED = 0
    DONE = 1
    FULL = 2
    MAILED = 3
    FAULTED = 4
    TOO_DEEP = 5
    REPEATED = 6
