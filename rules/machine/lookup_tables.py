"""What the generated code looks up: tables that depend on the windows of the spaces, and how much scratch room it needs.

The text of the code holds only the number of an entry. So one text, compiled once, serves every position of a game, however
large its window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain

from attrs import field

from rulewright.base.records import define
from rulewright.rules.model.instance import FiniteMap, Instance
from rulewright.rules.semantics.concrete_algebra import near_cells
from rulewright.subset.refusal import CannotCompile

from .memory_layout import Arrangement

WIDEST = 512
"""Cells of a window of which the distance between each two is tabled."""

MOST_ROOM = 1 << 20
"""Elements of a set that is written down."""


@define
class Tables:
    """Entries, each a number or where a table begins; `rooms` are the sizes of pieces of scratch room."""

    instance: Instance
    first: int
    entries: dict[str, int] = field(factory=dict)
    numbers: dict[int, Callable[[], int]] = field(factory=dict)
    tables: dict[int, Callable[[], Sequence[int]]] = field(factory=dict)
    rooms: dict[int, int] = field(factory=dict)

    def _entry(self, name: str) -> int:
        return self.entries.setdefault(name, self.first + len(self.entries))

    def number(self, name: str, value: Callable[[], int]) -> str:
        at = self._entry(name)
        self.numbers[at] = value
        return f"tables[{at}]"

    def table(self, name: str, values: Callable[[], Sequence[int]]) -> str:
        """Where a table begins."""
        at = self._entry(name)
        self.tables[at] = values
        return f"tables[{at}]"

    def room(self, size: int) -> str:
        """Where a new piece of scratch room begins."""
        if size > MOST_ROOM:
            raise CannotCompile("sets of numbers without a narrow range")
        at = self._entry(f"room {len(self.entries)}")
        self.rooms[at] = size
        return f"tables[{at}]"

    # What the spaces offer --------------------------------------------------------------------

    def size(self, space: str) -> str:
        return self.number(f"size {space}", lambda: self.instance.windows[space].size)

    def map(self, map: FiniteMap) -> str:
        return self.table(f"map {map.name}", lambda: (*map.values, map.otherwise))

    def steps(self, space: str) -> str:
        """For each direction, each cell's neighbour; nowhere last."""
        return self.table(f"steps {space}", lambda: tuple(chain(*self.instance.windows[space].steps)))

    def near(self, space: str, directions: Sequence[int]) -> str:
        """For each cell and nowhere, so many cells as there are directions; -1 fills the row."""
        window = self.instance.windows[space]

        def values() -> list[int]:
            rows = (near_cells(window, directions, cell) for cell in range(window.size + 1))
            return [value for row in rows for value in (*row, *(-1,) * (len(directions) - len(row)))]

        return self.table(f"near {space} {' '.join(map(str, directions))}", values)

    def distances(self, space: str) -> str:
        """For each two cells or nowhere, how far one is from the other."""
        window = self.instance.windows[space]
        if window.size > WIDEST:
            raise CannotCompile(f"distances in a space as large as `{space}`")
        return self.table(f"distances {space}", lambda: list(chain(*map(window.distances, range(window.size + 1)))))

    def is_of_window(self, map: FiniteMap) -> bool:
        """Whether a map depends on which part of an unbounded space is looked at."""
        return any(
            map.name in (f"{name}_nowhere", *(f"{name}_step_{d}" for d in range(len(window.directions))))
            or map.name.startswith(f"{name}_axis_")
            for name, window in self.instance.windows.items()
            if window.unbounded
        )

    # All together -----------------------------------------------------------------------------

    def fill(self, arrangement: Arrangement) -> list[int]:
        """The tables as one array."""
        filled = [0] * (self.first + len(self.entries))
        for at, value in arrangement.header.items():
            filled[at] = value
        for at, number in self.numbers.items():
            filled[at] = number()
        for at, start in zip(self.rooms, accumulate(self.rooms.values(), initial=0), strict=False):
            filled[at] = start
        for at, values in self.tables.items():
            filled[at] = len(filled)
            filled += values()
        return filled

    @property
    def scratch(self) -> int:
        """How much scratch room there must be."""
        return sum(self.rooms.values())
