"""Arrays laid out in one memory, as a page of the web finds them: the image of what a search or a game begins with.

The host lays the arrays out here as it does for machine code, and calls a `Program` that only writes down the arguments of its
entries. With the module (to_wasm.py), which imports that memory, they are all that JavaScript needs to go on.
"""

from __future__ import annotations

import mmap
import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rulewright.base.hash_keys import HashKey
from rulewright.base.records import define, field, frozen

from .buffers import SIZES, Array, arrays_made_by
from .bundles import flattened
from .lowering import Source, lower
from .program import Argument, CompiledFunction, Program
from .refusal import CannotCompile
from .to_wasm import START, translate

MOST_BYTES = 1 << 31
"""The most memory of a page: half of what 32-bit addresses reach."""

PAGE = 65536
"""Bytes of a page of WebAssembly's memory."""

LARGE = 1 << 20
"""Bytes from which on an array has a file."""

RANDOM_WORD = 0x52A7_D06D_17C3_9B21
"""Stands for a random word of 64 bits, which each page draws anew (`ImageKey`); as likely by chance as any other word."""


@frozen
class ImageKey(HashKey):
    """The key of hashes whose words the page draws: nobody who writes rules can know them."""

    secret: bytes = field(default=b"", repr=False)

    def words(self, count: int, purpose: str) -> array[int]:
        return array("q", [RANDOM_WORD]) * count


@frozen
class Segment:
    """Bytes at an address; what no segment covers is zero."""

    address: int
    content: bytes


@define(eq=False)
class MemoryImage:
    """One memory: its arrays, each at an address, and the end of all."""

    arrays: list[Array] = field(factory=list)
    end: int = START
    _files: dict[int, int] = field(factory=dict, init=False)
    """The file behind each large array, by its address: it tells where something was written."""

    @contextmanager
    def laid_out(self) -> Iterator[None]:
        """Arrays that are made while the block runs lie in this memory."""
        with arrays_made_by(self.array):
            yield

    def array(self, kind: str, length: int) -> Array:
        size = max(length, 1) * SIZES[kind]
        address, self.end = self.end, self.end + -(-size // 8) * 8
        if self.end > MOST_BYTES:
            raise CannotCompile("more memory than a page of the web may have")
        if size >= LARGE and hasattr(os, "memfd_create"):
            self._files[address] = os.memfd_create("array")
            os.ftruncate(self._files[address], size)
        content = mmap.mmap(self._files.get(address, -1), size)  # committed on first use
        made = Array(memoryview(content).cast(kind), address, content)  # type: ignore[call-overload]
        self.arrays.append(made)
        return made

    def module(self, sources: Sequence[Source], entries: Sequence[str]) -> bytes:
        """A module of the entries, whose tables of constants lie in this memory. Raises `CannotCompile`."""
        code = translate(lower(sources, entries), entries, self.end)
        self.end += -(-len(code) // 8) * 8  # more than its tables take
        return code

    @property
    def pages(self) -> int:
        return -(-self.end // PAGE)

    def segments(self) -> Iterator[Segment]:
        """What is not zero, each array without the zeros at its end."""
        for made in self.arrays:
            content, end = made.items.cast("B"), self._end_of(made)
            while end and bytes(content[max(0, end - PAGE) : end]).count(0) == min(PAGE, end):
                end = max(0, end - PAGE)  # page by page: a copy of a search's tables would take as much memory as they may
            filled = bytes(content[:end]).rstrip(b"\0")
            if filled:
                yield Segment(made.address, filled + bytes(-len(filled) % 8))

    def _end_of(self, made: Array) -> int:
        """The end of what was written of an array, in bytes; reading all tables would take as long as the rest."""
        if made.address not in self._files:
            return made.items.nbytes
        file, end = self._files[made.address], 0
        with suppress(OSError):  # there is nothing more
            while True:
                end = os.lseek(file, os.lseek(file, end, os.SEEK_DATA), os.SEEK_HOLE)
        return min(end, made.items.nbytes)

    def __del__(self) -> None:
        for file in self._files.values():
            os.close(file)


@define(eq=False)
class CallWriter:
    """A program that is not run: each call of an entry is written down, addresses as numbers and integers as texts."""

    entries: Sequence[str]
    calls: dict[str, tuple[int | str, ...]] = field(factory=dict)

    @property
    def program(self) -> Program:
        return Program({name: self._writing(name) for name in self.entries})

    def _writing(self, name: str) -> CompiledFunction:
        def write(*arguments: Argument) -> int:
            flat = (one for argument in arguments for one in flattened(argument))
            self.calls[name] = tuple(one.address if isinstance(one, Array) else str(int(one)) for one in flat)
            return 0

        return write
