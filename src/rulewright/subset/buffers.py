"""Arrays that machine code and plain Python can both work on: zeros at first, and no memory taken before it is touched."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Iterable

from attrs import field

from rulewright.base.records import define

_SIZES = {"i": 4, "q": 8}


@define(eq=False)
class Array:
    """`items` can be read and written as a list; `address` is what machine code is given."""

    items: memoryview
    address: int
    _memory: mmap.mmap = field(repr=False)

    @classmethod
    def of(cls, kind: str, length: int) -> Array:
        memory = mmap.mmap(-1, max(length, 1) * _SIZES[kind])
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        return cls(memoryview(memory).cast(kind), address, memory)  # type: ignore[call-overload]

    def __getitem__(self, at: int) -> int:
        return self.items[at]

    def __setitem__(self, at: int, value: int) -> None:
        self.items[at] = value

    def fill(self, values: Iterable[int]) -> Array:
        found = memoryview(array(self.items.format, values))
        self.items[: len(found)] = found
        return self


def ints(length: int) -> Array:
    """32 bits an element, with sign."""
    return Array.of("i", length)


def longs(length: int) -> Array:
    """64 bits an element, with sign."""
    return Array.of("q", length)
