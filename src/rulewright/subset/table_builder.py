"""Fills the arrays of a bundle by the names of its entries: consecutive tables, and memory for what kernels compute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.base.records import define, field

from .buffers import Array
from .bundles import FORMATS, Bundle, parts_of
from .records import Field, size_of


@define(eq=False)
class TableBuilder:
    """Arrays under construction. An array either is filled with tables or has memory reserved in it.

    Attributes of the class name the fields: `builder.place(Bound.kind_of, values)`.
    """

    bundle: type[Bundle]
    words: dict[str, list[int]] = field(factory=dict)
    room: dict[str, int] = field(factory=dict)
    given: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.room = {name: size_of(self.bundle, name) for name, kind in parts_of(self.bundle).items() if kind in FORMATS}
        self.words = {name: [0] * size for name, size in self.room.items()}

    def set(self, entry: Any, value: int) -> None:
        """Set an entry to a value."""
        known = self._checked(entry)
        self.words[known.array][known.offset] = value
        self.given.add(known.name)

    def get(self, entry: Any) -> int:
        """The value of an entry so far."""
        known = self._checked(entry)
        return self.words[known.array][known.offset]

    def place(self, entry: Any, values: Iterable[int]) -> int:
        """Add a table to the array that the entry points into, and set the entry to its start; returns the start."""
        at = self.add(self._memory(entry), values)
        self.set(entry, at)
        return at

    def add(self, array: str, values: Iterable[int]) -> int:
        """Add a table that no entry points to; returns its start."""
        at = len(self.words[array])
        self.words[array] += values
        return at

    def reserve(self, entry: Any, size: int) -> None:
        """Reserve `size` words, and set the entry to their start."""
        memory = self._memory(entry)
        self.set(entry, self.room[memory])
        self.room[memory] += size

    def array(self, name: str, complete: bool = True) -> Array:
        """An array with its tables. Raises `TypeError` if `complete` and an entry of it was not set."""
        entries = (known for known in self.bundle.fields.values() if known.array == name and not known.is_inline)
        missing = [known.name for known in entries if known.name not in self.given]
        if complete and missing:
            raise TypeError(f"{self.bundle.__name__}: nothing for {', '.join(missing)}")
        return Array.of(FORMATS[parts_of(self.bundle)[name]], len(self.words[name])).fill(self.words[name])

    def _checked(self, entry: Any) -> Field:
        if not isinstance(entry, Field) or self.bundle.fields.get(entry.name) is not entry:
            raise TypeError(f"{entry} is no entry of {self.bundle.__name__}")
        return entry

    def _memory(self, entry: Any) -> str:
        """The array that an entry points into. Raises `TypeError` for a number."""
        known = self._checked(entry)
        if known.value_type is int:
            raise TypeError(f"{known.name} is a number")
        memory: str = known.value_type.memory  # type: ignore[union-attr]
        return memory or known.array
