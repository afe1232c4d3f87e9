"""Memory layout of a state: one array of 32-bit integers, called slots.

The first slots are at the same index in every position of a game: values, lengths of zones, numbers of occupied cells. After
them comes what depends on the windows of the spaces and on the number of tiles; table entries say where each part begins.
A set is a sorted list, a pile a list whose top is last; both have room for all tiles. The occupied cells of a board are listed,
and listed again for each group of kinds that the rules search for. Marked cells are bits of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.model import types
from rulewright.rules.model.game import Storage, Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import COUNTED as COUNTED_COLUMN
from rulewright.rules.model.state import POINT as POINT_COLUMN
from rulewright.rules.model.state import SEED as SEED_COLUMN
from rulewright.rules.model.state import Column, State, StateLayout, least_value, occupied_cells
from rulewright.rules.semantics.cell_test import Kinds, has_marks, sought_groups
from rulewright.subset.intrinsics import Ints
from rulewright.subset.refusal import CannotCompile

from .runtime import CAPACITY, COUNTED, FIRST_ENTRY, FIRST_SLOT, POINT, WORD, words_of

INT32 = Interval(-(1 << 31), (1 << 31) - 1)
"""What arrays of slots, of moves and of scratch memory can hold."""

RESOURCE_BITS = 48
"""Bits for all resources of a state, including a guard bit for each."""

MOST_WORDS = 256
"""The most values of a number with a hash word for each."""


def is_wide(variable: Variable) -> bool:
    """Whether a variable has too many values for a hash word each: of every cell a cell, or a number of them that it does not
    say itself."""
    match variable.type:
        case types.Cell() | types.Place():
            return isinstance(variable.index, types.Cell | types.Pair)
        case types.Number():
            return variable.is_loop or variable.high - variable.low >= MOST_WORDS
        case _:
            return False


@frozen
class ListPlace:
    """A list of cells: the slot of its length, and the entry of its start; the next entry is that of each cell's index in
    it."""

    length: int
    entry: int


@frozen
class Place:
    """A variable's place: `slot` of its first value or first length; for a board, of its number of occupied cells.

    `entry` is the table entry that says where its cells or its first zone begin; for a zone the next entry is its part of the
    hash. `by_kind` are the lists of a board's cells with a tile of a group of kinds. `marks` is the entry of the start of the
    words of its marked cells, 0 without any.
    """

    column: Column
    slot: int
    entry: int
    by_kind: Mapping[Kinds, ListPlace] = field(factory=dict)
    marks: int = 0

    @property
    def occupied(self) -> ListPlace:
        """The list of the occupied cells of a board."""
        return ListPlace(self.slot, self.entry + 1)

    @property
    def is_zone(self) -> bool:
        return self.column.variable.is_zone

    @property
    def is_pile(self) -> bool:
        return self.column.variable.storage is Storage.PILE

    @property
    def is_board(self) -> bool:
        return self.column.variable.is_board

    @property
    def is_wide(self) -> bool:
        return not self.is_zone and is_wide(self.column.variable)


@frozen
class Slots:
    """The places of all variables, the numbers of fixed slots and of entries; `capacity` is the most tiles of a zone."""

    places: dict[str, Place]
    fixed: int
    entries: int
    capacity: int

    @classmethod
    def of(cls, instance: Instance, layout: StateLayout, capacity: int) -> Slots:
        places: dict[str, Place] = {}
        groups = sought_groups(instance)
        slot, entry = FIRST_SLOT, FIRST_ENTRY
        for name, column in layout.columns.items():
            place = places[name] = Place(column, slot, entry)
            slot += 1 if column.over_cells else column.count
            entry += 3 if place.is_board else 2 if place.is_zone else column.over_cells
            if name in groups:
                lists = {kinds: ListPlace(slot + at, entry + 2 * at) for at, kinds in enumerate(groups[name])}
                places[name] = evolve(place, by_kind=lists)
                slot, entry = slot + len(lists), entry + 2 * len(lists)
            if has_marks(instance, column.variable):
                places[name] = evolve(place, marks=entry)
                entry += 1
        return cls(places, slot, entry, capacity)

    @cached_property
    def wide(self) -> frozenset[int]:
        """The fixed slots of which `runtime.change_wide` changes the values."""
        own = (place for place in self.places.values() if place.is_wide and not place.column.over_cells)
        return frozenset((POINT, COUNTED, *(place.slot + at for place in own for at in range(place.column.count))))

    def require_words(self) -> None:
        """Raise `CannotCompile` if a variable has values that do not fit in a slot."""
        for name, place in self.places.items():
            variable = place.column.variable
            require_int32(Interval(variable.low, variable.high), f"`{name}` with numbers")


def require_int32(interval: Interval, what: str) -> None:
    """Raise `CannotCompile` if a number of the interval does not fit in a slot."""
    if not INT32.includes(interval):
        raise CannotCompile(f"{what} of more than 32 bits")


@define
class Arrangement:
    """The layout for given windows: `size` slots, and `hashed` places of the hash (more than slots: sets have their own)."""

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
                at += self.cells(column) + 1
                for listing in self.listings(place):
                    self.header[listing.entry] = at
                    self.header[listing.entry + 1] = at + self.cells(column)
                    at += 2 * self.cells(column)
                if place.marks:
                    self.header[place.marks] = at
                    at += words_of(self.cells(column))
            elif place.is_zone:
                self.header[place.entry] = at
                at += self.slots.capacity * column.count
        self.size = at
        for place in self.slots.places.values():
            if place.is_zone:
                self.header[place.entry + 1] = -1 if place.is_pile else at
                at += 0 if place.is_pile else self.kinds * place.column.count
        self.hashed = at

    def listings(self, place: Place) -> dict[ListPlace, Kinds | None]:
        """The lists of cells of a board, with their kinds of tile (None: all)."""
        if not place.is_board:
            return {}
        return {place.occupied: None, **{listing: kinds for kinds, listing in place.by_kind.items()}}

    @property
    def kinds(self) -> int:
        """The number of kinds of tile, with 0 for none."""
        return len(self.instance.game.tiles) + 1

    def cells(self, column: Column) -> int:
        """The number of cells of a variable over cells."""
        return self.instance.windows[column.variable.space].size

    def load(self, state: State, memory: Ints) -> None:
        """Write a state into an array of zeros. The random seed has no slot."""
        memory[POINT], memory[COUNTED] = state[POINT_COLUMN], state[COUNTED_COLUMN]
        for place in self.slots.places.values():
            column, start = place.column, self.header.get(place.entry, 0)
            for number, held in enumerate(state[column.start : column.start + column.count]):
                if column.over_cells:
                    _write(memory, start, held)
                elif place.is_zone:
                    memory[place.slot + number] = len(held)
                    _write(memory, start + number * self.slots.capacity, reversed(held) if place.is_pile else held)
                else:
                    memory[place.slot + number] = held
            if place.marks:
                _write(memory, self.header[place.marks], self._marks(column, state[column.start]))
            for listing, kinds in self.listings(place).items():
                board = state[column.start]
                cells = [cell for cell in occupied_cells(board) if kinds is None or board[cell] in kinds]
                memory[listing.length] = len(cells)
                _write(memory, self.header[listing.entry], cells)
                for at, cell in enumerate(cells):
                    memory[self.header[listing.entry + 1] + cell] = at

    def _marks(self, column: Column, values: Sequence[int]) -> list[int]:
        """The words of the marked cells."""
        size, least = self.cells(column), least_value(self.instance, column.variable)
        words = [0] * words_of(size)
        for cell in range(size):
            words[cell // WORD] |= int(values[cell] != least) << cell % WORD
        return words

    def unload(self, memory: Sequence[int], seed: int) -> State:
        """The state that an array holds."""
        state: list[object] = [0] * 3
        state[POINT_COLUMN], state[SEED_COLUMN], state[COUNTED_COLUMN] = memory[POINT], seed, memory[COUNTED]
        for place in self.slots.places.values():
            column, start = place.column, self.header.get(place.entry, 0)
            for number in range(column.count):
                if column.over_cells:
                    cells = tuple(memory[start : start + self.cells(column) + 1])
                    state.append(bytes(cells) if column.as_bytes else cells)
                elif place.is_zone:
                    first = start + number * self.slots.capacity
                    tiles = tuple(memory[first : first + memory[place.slot + number]])
                    state.append(tiles[::-1] if place.is_pile else tiles)
                else:
                    state.append(memory[place.slot + number])
        return tuple(state)


def _write(memory: Ints, start: int, values: Iterable[int]) -> None:
    for at, value in enumerate(values, start):
        memory[at] = value
