"""What the native subset of Python has beside Python: words of 64 bits, and arrays of small and of large numbers.

A function of the subset computes on integers that fit 64 bits with sign, and on arrays. These definitions are what its
operations do where it runs as plain Python; `to_llvm.py` has the instruction of the processor for each.
"""

from __future__ import annotations

from typing import Protocol


class Ints(Protocol):
    """An array of 32 bits an element, with sign."""

    def __getitem__(self, at: int, /) -> int: ...

    def __setitem__(self, at: int, value: int, /) -> None: ...


class Longs(Ints, Protocol):
    """An array of 64 bits an element, with sign."""


class Shared(Longs, Protocol):
    """The same, when several threads work on it at once."""


_MASK = (1 << 64) - 1
_SIGN = 1 << 63


def wrap(value: int) -> int:
    """The lowest 64 bits, the highest of them as sign: what is left of a sum or product that grew too large."""
    return ((value + _SIGN) & _MASK) - _SIGN


def shift(value: int, places: int) -> int:
    """The 64 bits moved to the right, zeros from the left."""
    return wrap((value & _MASK) >> places)


def remainder(value: int, divisor: int) -> int:
    """The remainder of the 64 bits taken as a number without sign; the divisor is positive."""
    return (value & _MASK) % divisor


def ones(value: int) -> int:
    """How many of the 64 bits are 1."""
    return (value & _MASK).bit_count()


def lowest(value: int) -> int:
    """The place of the lowest bit that is 1, of a word that is not 0."""
    return (value & -value).bit_length() - 1
