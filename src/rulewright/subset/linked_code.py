"""Machine code that is linked when it is made: a later process maps it into memory, without LLVM, whose loading takes longer
than most puzzles.

Linked here are object files of x86-64 in the format ELF, whose parts refer to each other by distance. Others, and those that
need more than is known here, are linked by LLVM in each process (llvm.py). Source: System V Application Binary Interface,
chapter 4 (object files), and its AMD64 supplement, section 4.4.1 (relocation types).
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Mapping, Sequence
from struct import iter_unpack, pack_into, unpack_from
from typing import NamedTuple

from rulewright.base.records import frozen

from .bundles import calling
from .refusal import CannotCompile

FORMAT, PROCESSOR = b"\x7fELF\x02\x01\x01", 62
"""Codes: how a file of 64-bit words begins, the least significant byte first, and x86-64."""

SYMBOLS, RELOCATIONS, ZEROS = 2, 4, 8
"""Codes of kinds of sections."""

WRITTEN, LOADED = 1, 2
"""Bits of a section: whether code writes to it, and whether it is in memory."""

BINDING_SHIFT = 4
"""Of what a symbol is: 0 above it if only its own file sees it."""

TO_PLACE, TO_FUNCTION = 2, 4
"""Codes of relocations: a distance in 32 bits."""

Signatures = Mapping[str, Sequence[str]]
"""The types of the parameters of functions by name: `int`, or a kind of array."""

Functions = Mapping[str, Callable[..., int]]

JUMP = b"\xff\x25\0\0\0\0"
"""Jumps to the address that follows: of a function of the process, which may be too far away for a distance."""


class Section(NamedTuple):
    """A section of an object file, as the file has it."""

    name: int
    kind: int
    use: int
    address: int
    start: int
    size: int
    link: int
    target: int
    alignment: int
    entry_size: int

    def content(self, file: bytes) -> bytes:
        return file[self.start : self.start + self.size]


@frozen
class LinkedCode:
    """Code that runs wherever it lies: where its functions begin, and where it expects the addresses of those of the
    process."""

    image: bytes
    starts: Mapping[str, int]
    needs: Mapping[str, int]

    @classmethod
    def of(cls, file: bytes) -> LinkedCode | None:
        """The code of an object file; None if LLVM must link it."""
        if not file.startswith(FORMAT) or unpack_from("<H", file, 18) != (PROCESSOR,):
            return None
        (table,), (count,) = unpack_from("<Q", file, 40), unpack_from("<H", file, 60)
        sections = [Section(*unpack_from("<IIQQQQIIQQ", file, table + 64 * number)) for number in range(count)]
        image, loaded = bytearray(), dict[int, int]()
        for number, section in enumerate(sections):
            if section.use & LOADED:
                if section.use & WRITTEN or section.kind == ZEROS:
                    return None
                image += bytes(-len(image) % max(1, section.alignment))
                loaded[number] = len(image)
                image += section.content(file)
        (symbols,) = (section for section in sections if section.kind == SYMBOLS)
        names = sections[symbols.link].content(file)
        starts, needs, places = dict[str, int](), dict[str, int](), list[int]()
        outside, unknown = set[int](), set[int]()
        for name, info, _, number, offset, _ in iter_unpack("<IBBHQQ", symbols.content(file)):
            text = names[name : names.index(0, name)].decode()
            if number in loaded:
                places.append(loaded[number] + offset)
                if info >> BINDING_SHIFT:
                    starts[text] = places[-1]
            elif number or not text:
                unknown.add(len(places))
                places.append(0)
            else:
                image += bytes(-(len(image) + len(JUMP)) % 8) + JUMP + bytes(8)
                needs[text] = len(image) - 8
                outside.add(len(places))
                places.append(needs[text] - len(JUMP))
        for section in sections:
            if section.kind == RELOCATIONS and section.target in loaded:
                for offset, what, more in iter_unpack("<QQq", section.content(file)):
                    number, kind = what >> 32, what & 0xFFFF_FFFF
                    is_known = kind == TO_FUNCTION or (kind == TO_PLACE and number not in outside)
                    if not is_known or number in unknown:
                        return None
                    place = loaded[section.target] + offset
                    pack_into("<i", image, place, places[number] + more - place)
        return cls(bytes(image), starts, needs)

    def load(self, signatures: Signatures) -> Functions:
        """Its functions, by name. Raises `CannotCompile` if the system does not let memory become code."""
        process = ctypes.CDLL(None)
        memory = mmap.mmap(-1, len(self.image), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.write(self.image)
        for name, at in self.needs.items():
            pack_into("<Q", memory, at, ctypes.cast(process[name], ctypes.c_void_p).value)
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        if process.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(len(memory)), mmap.PROT_READ | mmap.PROT_EXEC):
            raise CannotCompile("the system does not let memory become code")
        return callable_at({name: start + self.starts[name] for name in signatures}, signatures, memory)


def callable_at(addresses: Mapping[str, int], signatures: Signatures, owner: object) -> Functions:
    """Functions by their addresses; they keep `owner`, which has the code, alive."""
    found = {}
    for name, types in signatures.items():
        kinds = [ctypes.c_int64 if type == "int" else ctypes.c_void_p for type in types]
        found[name] = calling(ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(addresses[name]), len(kinds), owner)
    return found
