"""Which slots of a game packed states have, and where."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.machine.memory_layout import Arrangement, Place
from rulewright.rules.machine.runtime import COUNTED, POINT
from rulewright.rules.model.state import FOREVER, least_value, value_range
from rulewright.rules.semantics.flow_graph import ChoicePoint
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.bundles import TableBuilder

from .packed_states import CellList, Held, PackedBoard, PackedSet, PackedSlot, PackedStates, PackedWord

WORD_BITS = 64
WORDS = range(-(1 << 31), 1 << 31)
"""The values of a slot of which no range is known."""


@frozen
class _Slot:
    """A slot, its values, what it holds, and whether it tells states apart; `owner` is where the record of its board or set
    begins."""

    slot: int
    values: range
    held: Held
    tells: bool
    is_cell: bool = False
    owner: int = 0

    @property
    def bits(self) -> int:
        return (len(self.values) - 1).bit_length()


@define(eq=False)
class PackedLayout:
    """That of a game in which the `telling` variables, and the count of the horizon if `counts`, tell states apart. `within`
    has the values of slots of which fewer are possible than their types admit."""

    arrangement: Arrangement
    analysis: DataflowAnalysis
    telling: Collection[str]
    counts: bool
    within: Mapping[int, range] = {}
    _builder: TableBuilder = field(factory=lambda: TableBuilder(PackedStates), init=False)

    def narrowed(self, within: Mapping[int, range]) -> PackedLayout:
        """The same where fewer values are possible."""
        return evolve(self, within=within)

    @cached_property
    def _words(self) -> Sequence[Sequence[_Slot]]:
        """The slots by word, those that tell states apart first. No slot is in two words."""
        slots = [*self._of_flow()]
        for name, place in self.arrangement.slots.places.items():
            if name in self.analysis.changing_variables:
                slots += [one for one in self._slots(place, name in self.telling) if one.bits]
        words: list[list[_Slot]] = []
        left = 0
        for one in sorted(slots, key=lambda slot: (not slot.tells, -slot.bits)):
            if one.bits > left:
                words.append([])
                left = WORD_BITS
            words[-1].append(one)
            left -= one.bits
        return words

    def _of_flow(self) -> list[_Slot]:
        engine = self.analysis.engine
        points = sum(isinstance(instruction, ChoicePoint) for instruction in engine.flow)
        found = [_Slot(POINT, range(-1, points), Held.WIDE, tells=True)]
        if engine.horizon is not None:
            times = engine.horizon.times
            found.append(_Slot(COUNTED, range(times + 1) if times < FOREVER else WORDS, Held.WIDE, self.counts))
        return found

    def _slots(self, place: Place, tells: bool) -> list[_Slot]:
        arrangement, column, variable = self.arrangement, place.column, place.column.variable
        values, held = value_range(arrangement.instance, variable), Held.WIDE if place.is_wide else Held.VALUE
        if column.over_cells:
            first, board = arrangement.header[place.entry], self._board(place, values)
            cells = range(first, first + arrangement.cells(column))
            return [_Slot(slot, self.within.get(slot, values), held, tells, True, board) for slot in cells]
        if not place.is_zone:
            values = WORDS if variable.is_loop else values
            slots = range(place.slot, place.slot + column.count)
            return [_Slot(slot, self.within.get(slot, values), held, tells) for slot in slots]
        found, capacity = list[_Slot](), arrangement.slots.capacity
        for number in range(column.count):
            base = arrangement.header[place.entry] + number * capacity
            held, owner = Held.VALUE, 0
            if not place.is_pile:
                hashed = arrangement.header[place.entry + 1] + number * arrangement.kinds
                held, owner = Held.IN_SET, self._builder.add("packing", PackedSet.words(base=base, hashed=hashed))
            found.append(_Slot(place.slot + number, range(capacity + 1), Held.SILENT, tells))
            found += [_Slot(base + at, range(arrangement.kinds), held, tells, owner=owner) for at in range(capacity)]
        return found

    def _board(self, place: Place, values: range) -> int:
        """The record of a variable over cells."""
        arrangement, builder, lists = self.arrangement, self._builder, list[int]()
        for listing, kinds in arrangement.listings(place).items():
            listed = [int(value > 0 if kinds is None else value in kinds) for value in values]
            at = builder.add("packing", listed) - values.start
            base, places = arrangement.header[listing.entry], arrangement.header[listing.entry + 1]
            lists += CellList.words(length=listing.length, base=base, places=places, is_listed=at)
        board = PackedBoard.words(
            first=arrangement.header[place.entry],
            least=least_value(arrangement.instance, place.column.variable),
            marks=arrangement.header[place.marks] if place.marks else 0,
            list_count=len(arrangement.listings(place)),
            lists=builder.add("packing", lists),
        )
        return builder.add("packing", board)

    @cached_property
    def _packing(self) -> Sequence[int]:
        builder, words = self._builder, list[int]()
        word_of, slot_of = [-1] * self.arrangement.size, [-1] * self.arrangement.size
        for number, word in enumerate(self._words):
            place, slots = 0, list[int]()
            for at, one in enumerate(word):
                where = {"slot": one.slot, "place": place, "bits": one.bits, "low": one.values.start}
                slots += PackedSlot.words(**where, held=one.held, is_cell=one.is_cell, board=one.owner, set=one.owner)
                word_of[one.slot], slot_of[one.slot] = number, at
                place += one.bits
            telling_slots = sum(one.tells for one in word)
            words += PackedWord.words(slot_count=len(word), telling_count=telling_slots, slots=builder.add("packing", slots))
        telling = sum(word[0].tells for word in self._words)
        spare = WORD_BITS - sum(one.bits for one in self._words[telling - 1] if one.tells)
        chance = int(self.analysis.uses_chance)
        builder.put(uses_chance=chance, word_count=len(self._words), telling_count=telling, spare=spare)
        builder.put(size=self.size, words=words, word_of=word_of, slot_of=slot_of)
        return builder.array("packing").items

    @property
    def size(self) -> int:
        """Words of a state."""
        return len(self._words) + int(self.analysis.uses_chance)

    def states(self, number: int) -> PackedStates:
        """Room for `number` states. All have their own arrays: arguments of machine code share none unless they declare it."""
        packing: Array = ints(len(self._packing)).fill(self._packing)
        return PackedStates(packing=packing, kept=longs(number * self.size), packed=longs(self.size))
