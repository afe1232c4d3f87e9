"""Distance tables and pattern databases as the kernels read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES
from rulewright.solver.shortest.kernels.distance_words import (
    Contender,
    DistanceWords,
    End,
    Ends,
    Pattern,
    PatternSum,
    SlotDistances,
    SlotGroup,
)
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder, with_parts
from rulewright.subset.records import size_of

from .abstract_moves import OFF
from .distance_tables import DistanceTable
from .partial_state import NO_INDEX, Slot
from .pattern_databases import PatternDatabase


def nothing_known() -> DistanceWords:
    """Empty words, for a search without estimates."""
    return DistanceWords(ints(size_of(DistanceWords, "distance_words")), ints(1), ints(1))


def for_one_thread(distances: DistanceWords) -> DistanceWords:
    """The same tables with memory of their own for assignments."""
    return with_parts(distances, scratch_words=ints(len(distances.array_named("scratch_words").items)))


def words_of(tables: Sequence[DistanceTable], sums: Sequence[Sequence[PatternDatabase]], machine: MachineGame) -> DistanceWords:
    """The words from which a search estimates distances."""
    builder = TableBuilder(DistanceWords)
    groups: list[int] = []
    most_things = most_places = 0
    for table in tables:
        by_slot: dict[Slot, dict[int, int]] = {}
        for (slot, value), distance in table.distances.items():
            by_slot.setdefault(slot, {})[value] = 0 if (slot, value) in table.ends else distance
        by_slot = {slot: distances for slot, distances in by_slot.items() if any(distances.values())}
        count, at = _members(builder, by_slot, machine)
        contending, first, places = _contenders(builder, table, machine)
        groups += SlotGroup.words(
            most=table.most, count=count, members=at, contender_count=contending, contenders=first, place_count=places
        )
        most_things, most_places = max(most_things, contending), max(most_places, places)
    packed, begin_of = b"", dict[int, int]()
    records: list[int] = []
    for databases in sums:
        patterns: list[int] = []
        for database in databases:
            count, at = _members(builder, database.parts, machine)
            if id(database.packed) not in begin_of:  # a mirrored database has the same
                begin_of[id(database.packed)] = len(packed) // WORD
                packed += database.packed
            patterns += Pattern.words(count=count, members=at, packed=begin_of[id(database.packed)])
        records += PatternSum.words(count=len(databases), patterns=builder.add("distance_words", patterns))
    builder.put(groups=groups, group_count=len(tables), sums=records, sum_count=len(sums))
    reserve_for_assignments(builder, most_things, most_places)
    packed_words = ints(len(packed) // WORD)
    packed_words.items.cast("B")[: len(packed)] = packed
    return DistanceWords(builder.array("distance_words"), packed_words, ints(builder.room["scratch_words"] + 1))


def reserve_for_assignments(builder: TableBuilder, things: int, places: int) -> None:
    """Reserve memory for assignments of so many things to so many places at most."""
    builder.reserve(things=things, budget=things, place=things)
    builder.reserve(price=places, holder=places, reach=places, via=places, is_settled=places)


WORD = 4
"""Bytes of a word of packed distances."""


def _members(builder: TableBuilder, by_slot: Mapping[Slot, Mapping[int, int]], machine: MachineGame) -> tuple[int, int]:
    """Add tables of each value's contribution to a slot; returns their number and where they begin."""
    members: list[int] = []
    for slot, distances in by_slot.items():
        allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
        if len(allowed) <= MOST_ENTRIES:
            first = builder.add("distance_words", [distances.get(value, 0) for value in allowed])
            members += SlotDistances.words(slot=memory_slot(machine.arrangement, slot), distances=first - allowed.start)
    return len(members) // size_of(SlotDistances), builder.add("distance_words", members)


def _contenders(builder: TableBuilder, table: DistanceTable, machine: MachineGame) -> tuple[int, int, int]:
    """Add the ends of the things that contend for places; returns the number of slots, where they begin, and that of places."""
    numbers, by_slot = dict[tuple[Slot, Slot | None], int](), dict[Slot, dict[int, int]]()
    for (slot, value), ends in table.ends.items():
        words: list[int] = []
        for place, distance in ends.items():
            alone = slot if place[1] == OFF else None  # any number may be off the board
            words += End.words(place=numbers.setdefault((place, alone), len(numbers)), distance=distance)
        by_slot.setdefault(slot, {})[value] = builder.add("distance_words", Ends.words(count=len(ends), each=words))
    members: list[int] = []
    for slot, at in by_slot.items():
        allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
        first = builder.add("distance_words", [at.get(value, 0) for value in allowed])
        members += Contender.words(slot=memory_slot(machine.arrangement, slot), ends=first - allowed.start)
    return len(by_slot), builder.add("distance_words", members), len(numbers)


def memory_slot(arrangement: Arrangement, slot: Slot) -> int:
    """The index of a value in the memory of a game."""
    name, index = slot
    place = arrangement.slots.places[name]
    if place.column.over_cells:
        return arrangement.header[place.entry] + index
    return place.slot if index == NO_INDEX else place.slot + index - place.column.offset
