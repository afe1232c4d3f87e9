"""Where each part of a state lies in one array of small integers.

The first slots have the same place in every position of a game: values, lengths of zones, numbers of occupied cells. Behind
them lie what depends on the windows of the spaces and on the number of tiles; where each begins is an entry of the tables.
A set is a sorted list, a pile a list whose top is last; both have room for every tile there is.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import COUNTED as COUNTED_COLUMN
from rulewright.rules.model.state import POINT as POINT_COLUMN
from rulewright.rules.model.state import SEED as SEED_COLUMN
from rulewright.rules.model.state import Column, State, StateLayout
from rulewright.subset.intrinsics import Ints

from .runtime import CAPACITY, COUNTED, FIRST_ENTRY, FIRST_SLOT, POINT


@frozen
class Place:
    """A variable's place: `slot` of its first value, of its first length or of its number of occupied cells.

    `entry` is the entry of the tables that says where its cells or its first zone begins. For a board the two entries after
    that are those of the list of occupied cells and of each cell's place in it; for sets the next is where the hash begins.
    """

    column: Column
    slot: int
    entry: int

    @property
    def is_zone(self) -> bool:
        return self.column.variable.storage is not Storage.VALUE

    @property
    def is_pile(self) -> bool:
        return self.column.variable.storage is Storage.PILE

    @property
    def is_board(self) -> bool:
        return self.column.variable.is_board

    @property
    def of_tiles(self) -> bool:
        return isinstance(self.column.variable.type, types.Tile)


@frozen
class Slots:
    """The places of all variables: fixed slots and entries of the tables; `capacity` is how many tiles there are at most."""

    places: dict[str, Place]
    fixed: int
    entries: int
    capacity: int

    @classmethod
    def of(cls, layout: StateLayout, capacity: int) -> Slots:
        places: dict[str, Place] = {}
        slot, entry = FIRST_SLOT, FIRST_ENTRY
        for name, column in layout.columns.items():
            place = places[name] = Place(column, slot, entry)
            slot += 1 if column.over_cells else column.count
            entry += 3 if place.is_board else 2 if place.is_zone else column.over_cells
        return cls(places, slot, entry, capacity)


@define
class Arrangement:
    """The slots of a grounded game. The places of the hash, `hashed`, go beyond the slots: see runtime.py."""

    slots: Slots
    instance: Instance
    header: dict[int, int] = field(factory=dict)
    size: int = 0
    hashed: int = 0

    def __attrs_post_init__(self) -> None:
        at = self.slots.fixed
        self.header[CAPACITY] = self.slots.capacity
        for place in self.slots.places.values():
            column = place.column
            if column.over_cells:
                self.header[place.entry] = at
                at += self._cells(column) + 1
                if place.is_board:
                    self.header[place.entry + 1] = at
                    self.header[place.entry + 2] = at + self._cells(column)
                    at += 2 * self._cells(column)
            elif place.is_zone:
                self.header[place.entry] = at
                at += self.slots.capacity * column.count
        self.size = at
        for place in self.slots.places.values():
            if place.is_zone:
                self.header[place.entry + 1] = -1 if place.is_pile else at
                at += 0 if place.is_pile else self._kinds * place.column.count
        self.hashed = at

    @property
    def _kinds(self) -> int:
        return len(self.instance.game.tiles) + 1

    def _cells(self, column: Column) -> int:
        assert isinstance(column.variable.index, types.Cell)
        return self.instance.windows[column.variable.index.space].size

    def load(self, state: State, s: Ints) -> None:
        """Write a state into an array of zeros. The seed of chance is no slot."""
        s[POINT], s[COUNTED] = state[POINT_COLUMN], state[COUNTED_COLUMN]
        for place in self.slots.places.values():
            column = place.column
            for number in range(column.count):
                held = state[column.start + number]
                if column.over_cells:
                    self._load_cells(place, held, s)
                elif place.is_zone:
                    base = self.header[place.entry] + number * self.slots.capacity
                    s[place.slot + number] = len(held)
                    for at, tile in enumerate(reversed(held) if place.is_pile else held):
                        s[base + at] = tile
                else:
                    s[place.slot + number] = held

    def _load_cells(self, place: Place, held: Sequence[int], s: Ints) -> None:
        base = self.header[place.entry]
        for cell, value in enumerate(held):
            s[base + cell] = value
        if place.is_board:
            listed, placed = self.header[place.entry + 1], self.header[place.entry + 2]
            occupied = [cell for cell, tile in enumerate(held) if tile]
            s[place.slot] = len(occupied)
            for at, cell in enumerate(occupied):
                s[listed + at] = cell
                s[placed + cell] = at

    def unload(self, s: Sequence[int], seed: int) -> State:
        """The state that an array holds."""
        width = max(c.start + c.count for c in (p.column for p in self.slots.places.values())) if self.slots.places else 3
        state: list[object] = [0] * max(width, 3)
        state[POINT_COLUMN], state[SEED_COLUMN], state[COUNTED_COLUMN] = s[POINT], seed, s[COUNTED]
        for place in self.slots.places.values():
            column = place.column
            for number in range(column.count):
                if column.over_cells:
                    base = self.header[place.entry]
                    cells = list(s[base : base + self._cells(column) + 1])
                    state[column.start] = bytes(cells) if column.as_bytes else tuple(cells)
                elif place.is_zone:
                    base = self.header[place.entry] + number * self.slots.capacity
                    tiles = tuple(s[base + at] for at in range(s[place.slot + number]))
                    state[column.start + number] = tiles[::-1] if place.is_pile else tiles
                else:
                    state[column.start + number] = s[place.slot + number]
        return tuple(state)

    def hash_of(self, s: Sequence[int], classes: Sequence[int], words: Sequence[int], half: int) -> int:
        """The sum that runtime.py keeps, from the whole state (`half` is 0 or 1): what its registers begin with."""
        total = 0

        def add(place: int, value: int) -> None:
            nonlocal total
            total += value * words[2 * place + half]

        add(POINT, s[POINT])
        add(COUNTED, s[COUNTED])
        for place in self.slots.places.values():
            column = place.column
            of_tile = classes if place.of_tiles else range(1 << 31)
            for number in range(column.count):
                if column.over_cells:
                    base = self.header[place.entry]
                    for cell, value in enumerate(s[base : base + self._cells(column) + 1]):
                        if value:
                            add(base + cell, of_tile[value] if value > 0 else value)
                elif place.is_zone:
                    base = self.header[place.entry] + number * self.slots.capacity
                    ids = self.header[place.entry + 1] + number * self._kinds
                    for at in range(s[place.slot + number]):
                        if place.is_pile:
                            add(base + at, classes[s[base + at]])
                        else:
                            add(ids + classes[s[base + at]], 1)
                else:
                    value = s[place.slot + number]
                    add(place.slot + number, of_tile[value] if value >= 0 else value)
        return total
