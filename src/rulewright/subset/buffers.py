"""Arrays for machine code and plain Python: zero-initialised, with memory committed on first use."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rulewright.base.records import define, field

from .refusal import CannotCompile

SIZES = {"i": 4, "q": 8}
"""Bytes of an element by the kind of array."""


@define(eq=False)
class Array:
    """An array: its elements `items`, and the `address` that machine code receives."""

    items: memoryview
    address: int
    _memory: Any = field(repr=False)

    @classmethod
    def of(cls, kind: str, length: int) -> Array:
        """Raises `MemoryError`."""
        made_by = _MAKER.get()
        if made_by is not None:
            return made_by(kind, length)
        try:
            memory = mmap.mmap(-1, max(length, 1) * SIZES[kind])
        except (OSError, OverflowError):
            raise MemoryError from None
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        return cls(memoryview(memory).cast(kind), address, memory)  # type: ignore[call-overload]

    def __getitem__(self, at: int) -> int:
        return self.items[at]

    def __setitem__(self, at: int, value: int) -> None:
        self.items[at] = value

    def part(self, first: int, length: int) -> Array:
        """An array over some of its elements."""
        return Array(self.items[first : first + length], self.address + first * self.items.itemsize, self._memory)

    def fill(self, values: Iterable[int]) -> Array:
        """Raises `CannotCompile` if a value does not fit."""
        try:
            found = memoryview(array(self.items.format, values))
        except OverflowError:
            raise CannotCompile("a number is too large for a table") from None
        self.items[: len(found)] = found
        return self


_MAKER: ContextVar[Callable[[str, int], Array] | None] = ContextVar("maker", default=None)


@contextmanager
def arrays_made_by(maker: Callable[[str, int], Array]) -> Iterator[None]:
    """Arrays that are made while the block runs, in its context, come from `maker`, given a kind and a length."""
    token = _MAKER.set(maker)
    try:
        yield
    finally:
        _MAKER.reset(token)


def ints(length: int) -> Array:
    """An array of `length` signed 32-bit integers."""
    return Array.of("i", length)


def longs(length: int) -> Array:
    """An array of `length` signed 64-bit integers."""
    return Array.of("q", length)
