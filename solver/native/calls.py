"""What the kernels call and each game has its own of: the functions of rules/native/module.py, for the type checker."""

from __future__ import annotations

from ...rules.native.words import Ints, Longs

WIDTH = 1
"""How many numbers a move has."""


def legal(s: Ints, g: Ints, w: Ints, x: Longs, m: Ints, at: int) -> int:
    """Write the legal moves from `m[at]` on; gives where they end."""
    raise NotImplementedError


def apply(s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, at: int) -> int:
    """Carry out the move at `m[at]`."""
    raise NotImplementedError


def begin(s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs) -> int:
    """Set the game up."""
    raise NotImplementedError


def value(s: Ints, g: Ints, w: Ints, x: Longs) -> int:
    """What play is judged by."""
    raise NotImplementedError
