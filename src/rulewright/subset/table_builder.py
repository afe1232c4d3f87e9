"""Fills the arrays of a bundle by the names of its entries: tables one behind the other, and room for what is computed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import field

from rulewright.base.records import define

from .buffers import Array, ints, longs
from .bundles import FORMATS, ArrayType, Bundle, Entry, bundle_layout
from .records import RecordType, RunType


@define(eq=False)
class TableBuilder:
    """Arrays under construction. An array either is filled with tables, of which it is made, or has room reserved in it.

    Fields are told as attributes of the class: `builder.place(Bound.kind_of, values)`.
    """

    bundle: type[Bundle]
    words: dict[str, list[int]] = field(factory=dict)
    room: dict[str, int] = field(factory=dict)
    given: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        layout = bundle_layout(self.bundle)
        for name, kind in layout.parts.items():
            if isinstance(kind, ArrayType):
                self.words[name] = [0] * layout.heads.get(name, 0)
                self.room[name] = layout.heads.get(name, 0)

    def set(self, entry: Any, value: int) -> None:
        """Give an entry its value."""
        known = self._checked(entry)
        self.words[known.array][known.number] = value
        self.given.add(entry.name)

    def get(self, entry: Any) -> int:
        """The value of an entry so far."""
        known = self._checked(entry)
        return self.words[known.array][known.number]

    def place(self, entry: Any, values: Iterable[int]) -> int:
        """Add a table where the entry says that it lies, and note there where it begins; gives that."""
        at = self.add(self._memory(entry), values)
        self.set(entry, at)
        return at

    def add(self, array: str, values: Iterable[int]) -> int:
        """Add a table that no entry knows of; gives where it begins."""
        at = len(self.words[array])
        self.words[array] += values
        return at

    def reserve(self, entry: Any, size: int) -> None:
        """Keep room for so many words, and note at the entry where it begins."""
        memory = self._memory(entry)
        self.set(entry, self.room[memory])
        self.room[memory] += size

    def array(self, name: str, complete: bool = True) -> Array:
        """An array with its tables. Raises `TypeError` where one of its entries was given nothing and it must be complete."""
        layout = bundle_layout(self.bundle)
        missing = [known for known, (entry, _) in layout.entries.items() if entry.array == name and known not in self.given]
        if complete and missing:
            raise TypeError(f"{self.bundle.__name__}: nothing for {', '.join(missing)}")
        kind = layout.parts[name]
        assert isinstance(kind, ArrayType)
        made = ints if FORMATS[kind.kind] == "i" else longs
        return made(len(self.words[name])).fill(self.words[name])

    def _checked(self, entry: Any) -> Entry:
        if not isinstance(entry, Entry) or bundle_layout(self.bundle).entries.get(entry.name, (None,))[0] is not entry:
            raise TypeError(f"{entry} is no entry of {self.bundle.__name__}")
        return entry

    def _memory(self, entry: Any) -> str:
        """The array that an entry points into."""
        match bundle_layout(self.bundle).entries[self._checked(entry).name][1]:
            case RunType(memory=memory):
                return memory or self._checked(entry).array
            case RecordType(record):
                return record.memory
            case _:
                raise TypeError(f"{entry.name} is a number")
