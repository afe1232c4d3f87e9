"""Fills the arrays of a bundle by the names of its entries: consecutive tables, and memory for what kernels compute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.base.records import define, field

from .buffers import Array
from .bundles import FORMATS, Bundle, parts_of
from .records import Field, size_of

Table = Iterable[int | Sequence[int]]
"""Numbers, and records as their words."""


@define(eq=False)
class TableBuilder:
    """Arrays under construction. An array either is filled with tables or has memory reserved in it."""

    bundle: type[Bundle]
    words: dict[str, list[int]] = field(factory=dict)
    room: dict[str, int] = field(factory=dict)
    given: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.room = {name: size_of(self.bundle, name) for name, kind in parts_of(self.bundle).items() if kind in FORMATS}
        self.words = {name: [0] * size for name, size in self.room.items()}

    def put(self, **values: int | Table) -> None:
        """Set entries, each to a number, or to the start of a table, which is added to the array that the entry points into."""
        for name, value in values.items():
            known = self._entry(name)
            at = value if isinstance(value, int) else self.add(self._memory(known), value)
            self.words[known.array][known.offset] = at
            self.given.add(name)

    def get(self, name: str) -> int:
        """The value of an entry so far."""
        known = self._entry(name)
        return self.words[known.array][known.offset]

    def add(self, array: str, values: Table) -> int:
        """Add a table that no entry points to; returns its start."""
        words = self.words[array]
        at = len(words)
        for value in values:
            if isinstance(value, int):
                words.append(value)
            else:
                words += value
        return at

    def reserve(self, **sizes: int) -> None:
        """Reserve so many words for entries, and set each to their start."""
        for name, size in sizes.items():
            memory = self._memory(self._entry(name))
            self.put(**{name: self.room[memory]})
            self.room[memory] += size

    def array(self, name: str, complete: bool = True) -> Array:
        """An array with its tables. Raises `TypeError` if `complete` and an entry of it was not set."""
        entries = (known for known in self.bundle.fields.values() if known.array == name and not known.is_inline)
        missing = [known.name for known in entries if known.name not in self.given]
        if complete and missing:
            raise TypeError(f"{self.bundle.__name__}: nothing for {', '.join(missing)}")
        return Array.of(FORMATS[parts_of(self.bundle)[name]], len(self.words[name])).fill(self.words[name])

    def _entry(self, name: str) -> Field:
        known = self.bundle.fields.get(name)
        if known is None:
            raise TypeError(f"{name} is no entry of {self.bundle.__name__}")
        return known

    def _memory(self, known: Field) -> str:
        """The array that an entry points into. Raises `TypeError` for a number."""
        if known.value_type is int:
            raise TypeError(f"{known.name} is a number")
        memory: str = known.value_type.memory  # type: ignore[union-attr]
        return memory or known.array
