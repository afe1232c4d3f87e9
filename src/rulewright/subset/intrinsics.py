"""Intrinsics of the compiled subset: operations on 64-bit words, and the kinds of arrays.

Functions of the subset compute on signed 64-bit integers and on arrays. These definitions apply in plain Python; `to_llvm.py`
has an instruction for each.
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
"""Bits of a word, and its sign."""


def wrap(value: int) -> int:
    """Wrap a sum or product to 64 bits in two's complement."""
    return ((value + _SIGN) & _MASK) - _SIGN


def shift(value: int, places: int) -> int:
    """Logical shift to the right."""
    return wrap((value & _MASK) >> places)


def remainder(value: int, divisor: int) -> int:
    """The unsigned remainder; the divisor is positive."""
    return (value & _MASK) % divisor


def latest(value: int) -> int:
    """An element of an array, read anew each time: another thread may have written it."""
    return value


def ones(value: int) -> int:
    """The population count: the number of 1 bits."""
    return (value & _MASK).bit_count()


def lowest(value: int) -> int:
    """The number of trailing zeros of a nonzero word."""
    return (value & -value).bit_length() - 1
