"""Distance tables and pattern databases as the kernels read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES
from rulewright.solver.shortest.kernels.distance_estimate import DistanceWords, Pattern, PatternSum, SlotDistances, SlotGroup
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of

from .distance_tables import DistanceTable
from .partial_state import NO_INDEX, Slot
from .pattern_databases import PatternDatabase


def nothing_known() -> DistanceWords:
    """Empty words, for a search without estimates."""
    return DistanceWords(ints(size_of(DistanceWords, "distance_words")), ints(1))


def words_of(tables: Sequence[DistanceTable], sums: Sequence[Sequence[PatternDatabase]], machine: MachineGame) -> DistanceWords:
    """The words from which a search estimates distances."""
    builder = TableBuilder(DistanceWords)
    groups: list[int] = []
    for table in tables:
        by_slot: dict[Slot, dict[int, int]] = {}
        for (slot, value), distance in table.distances.items():
            by_slot.setdefault(slot, {})[value] = distance
        by_slot = {slot: distances for slot, distances in by_slot.items() if any(distances.values())}
        count, at = _members(builder, by_slot, machine)
        groups += SlotGroup.words(most=table.most, count=count, members=at)
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
    packed_words = ints(len(packed) // WORD)
    packed_words.items.cast("B")[: len(packed)] = packed
    return DistanceWords(builder.array("distance_words"), packed_words)


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


def memory_slot(arrangement: Arrangement, slot: Slot) -> int:
    """The index of a value in the memory of a game."""
    name, index = slot
    place = arrangement.slots.places[name]
    if place.column.over_cells:
        return arrangement.header[place.entry] + index
    return place.slot if index == NO_INDEX else place.slot + index - place.column.offset
