"""The functions of a game that kernels call, for the type checker: rules/machine/from_game.py writes those of each game."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.intrinsics import Ints

WIDTH = 1
"""How many numbers a move has; each game has its own."""


def legal(game: GameMemory, moves: Ints, at: int) -> int:
    """Write the legal moves from `moves[at]` on; gives where they end."""
    raise NotImplementedError


def apply(game: GameMemory, moves: Ints, at: int) -> int:
    """Carry out the move at `moves[at]` and what follows, to the next choice or the end."""
    raise NotImplementedError


def begin(game: GameMemory) -> int:
    """Set the game up."""
    raise NotImplementedError


def chooser(game: GameMemory) -> int:
    """Who chooses, counted from 1."""
    raise NotImplementedError


def measure(game: GameMemory, number: int) -> int:
    """What else is asked of a state, by number."""
    raise NotImplementedError


def value(game: GameMemory) -> int:
    """What play is judged by."""
    raise NotImplementedError
