"""Intrinsics of the compiled subset: operations on 64-bit words, and the kinds of arrays.

A function of the subset computes on signed 64-bit integers and on arrays. These definitions serve where it runs as plain
Python; `to_llvm.py` has an instruction for each.
"""

from __future__ import annotations

from typing import Protocol


class Ints(Protocol):
    """An array of signed 32-bit integers."""

    def __getitem__(self, at: int, /) -> int: ...

    def __setitem__(self, at: int, value: int, /) -> None: ...


class Longs(Ints, Protocol):
    """An array of signed 64-bit integers."""


class Shared(Longs, Protocol):
    """An array of signed 64-bit integers that threads share: elements are read and written atomically."""


_MASK = (1 << 64) - 1
_SIGN = 1 << 63


def wrap(value: int) -> int:
    """Wrap-around to 64 bits, in two's complement, of a sum or product."""
    return ((value + _SIGN) & _MASK) - _SIGN


def shift(value: int, places: int) -> int:
    """Logical shift to the right."""
    return wrap((value & _MASK) >> places)


def remainder(value: int, divisor: int) -> int:
    """The unsigned remainder; the divisor is positive."""
    return (value & _MASK) % divisor


def ones(value: int) -> int:
    """The population count: how many bits are 1."""
    return (value & _MASK).bit_count()


def lowest(value: int) -> int:
    """The number of trailing zeros of a word that is not 0."""
    return (value & -value).bit_length() - 1
