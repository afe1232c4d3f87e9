"""Lookup tables of generated code, which depend on the windows of the spaces, and its scratch memory.

The code refers to a table by the number of an entry. It is therefore compiled once for all positions of a game, whatever the
size of their windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from rulewright.base.records import define, field
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.subset.refusal import CannotCompile

from .machine_game import FilledTables

WIDEST = 512
"""The most cells of a window for which the distances and directions of all pairs are tabulated."""

MOST_ROOM = 1 << 20
"""The most elements of a set in scratch memory."""


@define
class Tables:
    """Entries by name: each is a number, the start of a table, or the start of a piece of scratch memory of a given size."""

    instance: Instance
    first: int
    entries: dict[str, int] = field(factory=dict)
    numbers: dict[int, Callable[[], int]] = field(factory=dict)
    tables: dict[int, Callable[[], Sequence[int]]] = field(factory=dict)
    rooms: dict[int, int] = field(factory=dict)
    listings: dict[str, str] = field(factory=dict)
    """The pieces of scratch memory where functions have listed sets, by the variables of their lengths."""

    def _entry(self, name: str) -> int:
        return self.entries.setdefault(name, self.first + len(self.entries))

    def number(self, name: str, value: Callable[[], int]) -> str:
        at = self._entry(name)
        self.numbers[at] = value
        return f"tables[{at}]"

    def table(self, name: str, values: Callable[[], Sequence[int]]) -> str:
        """The start of a table, as code."""
        at = self._entry(name)
        self.tables[at] = values
        return f"tables[{at}]"

    def room(self, size: int) -> str:
        """The start of a new piece of scratch memory, as code. Raises `CannotCompile` if it is too large."""
        if size > MOST_ROOM:
            raise CannotCompile("sets of numbers without a narrow range")
        at = self._entry(f"room {len(self.entries)}")
        self.rooms[at] = size
        return f"tables[{at}]"

    # Tables of spaces ------------------------------------------------------------------------

    def size(self, space: str) -> str:
        return self.number(f"size {space}", lambda: self.instance.windows[space].size)

    def map(self, map: FiniteMap) -> str:
        return self.table(f"map {map.name}", lambda: (*map.values, map.otherwise))

    def steps(self, space: str) -> str:
        """The neighbours by direction and cell, including `nowhere`."""
        return self.table(f"steps {space}", lambda: tuple(chain(*self.instance.windows[space].steps)))

    def near(self, space: str, directions: Sequence[int]) -> str:
        """The neighbours by cell, including `nowhere`: rows with a place for each direction, padded with -1."""
        window = self.instance.windows[space]

        def values() -> list[int]:
            rows = (window.near(directions, cell) for cell in range(window.size + 1))
            return [value for row in rows for value in (*row, *(-1,) * (len(directions) - len(row)))]

        return self.table(f"near {space} {' '.join(map(str, directions))}", values)

    def rows(self, rows: FiniteRows) -> str:
        """The sets by key, including the empty set of an outside key: rows as long as the longest, padded with -1."""
        width = rows.longest
        return self.table(
            f"rows {rows.name}", lambda: [v for row in (*rows.rows, ()) for v in (*row, *(-1,) * (width - len(row)))]
        )

    def distances(self, space: str) -> str:
        """The distances of all pairs of cells, including `nowhere`."""
        window = self.instance.windows[space]
        if window.size > WIDEST:
            raise CannotCompile(f"distances in a space as large as `{space}`")
        return self.table(f"distances {space}", lambda: window.all_distances)

    def directions(self, space: str) -> str:
        """The directions from each cell to each, including `nowhere`: see `Window.toward`."""
        window = self.instance.windows[space]
        return self.table(f"directions {space}", lambda: [*chain(*map(window.directions_from, range(window.size + 1)))])

    def is_of_window(self, map: FiniteMap) -> bool:
        """Whether a map depends on the window of an unbounded space."""
        return any(
            map.name in (f"{name}_nowhere", *(f"{name}_step_{d}" for d in range(len(window.directions))))
            or map.name.startswith(f"{name}_axis_")
            for name, window in self.instance.windows.items()
            if window.unbounded
        )

    @property
    def filled(self) -> FilledTables:
        """All entries so far, with their contents."""
        numbers = {at: number() for at, number in self.numbers.items()}
        tables = {at: tuple(values()) for at, values in self.tables.items()}
        return FilledTables(self.first + len(self.entries), numbers, tables, dict(self.rooms))
