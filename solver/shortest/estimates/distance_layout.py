"""Distance tables and pattern databases as the kernels read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES
from rulewright.solver.shortest.kernels.distance_words import (
    MOST_IN_TRAP,
    MOST_TRAPS,
    Bar,
    DistanceWords,
    End,
    Ends,
    MarkerCell,
    Pattern,
    PatternSum,
    SlotDistances,
    SlotGroup,
    Tile,
    TileSlot,
    TrapTile,
    Way,
)
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of

from .abstract_moves import OFF
from .distance_tables import DistanceTable
from .partial_state import NO_INDEX, Slot, Thing
from .pattern_databases import PatternDatabase


def nothing_known() -> DistanceWords:
    """Empty words, for a search without estimates."""
    return DistanceWords(ints(size_of(DistanceWords, "distance_words")), ints(1), ints(1))


def words_of(tables: Sequence[DistanceTable], sums: Sequence[Sequence[PatternDatabase]], machine: MachineGame) -> DistanceWords:
    """The words from which a search estimates distances."""
    builder = TableBuilder(DistanceWords)
    groups: list[int] = []
    most_tiles = most_places = most_cells = 0
    trapping = next((table for table in tables if table.tiles.ways and table.most == 1), None)
    for table in tables:
        by_slot: dict[Slot, dict[int, int]] = {}
        for (slot, value), distance in table.distances.items():
            by_slot.setdefault(slot, {})[value] = 0 if (slot, value) in table.tiles.ends else distance
        by_slot = {slot: distances for slot, distances in by_slot.items() if any(distances.values())}
        count, at = _members(builder, by_slot, machine)
        numbers = {
            slot: number for number, slot in enumerate(sorted({slot for slot, _ in (*table.tiles.ends, *table.tiles.ways)}))
        }
        cells = {cell: number for number, cell in enumerate(table.tiles.steps)}
        tiles, places = _tiles(builder, table, numbers, cells, machine)
        begins, cell_numbers = _cells(builder, table, numbers, cells)
        groups += SlotGroup.words(
            most=table.most,
            has_traps=table is trapping,
            step=table.step,
            count=count,
            members=at,
            tile_count=len(numbers),
            tiles=tiles,
            place_count=places,
            marker=memory_slot(machine.arrangement, table.tiles.marker) if cells else 0,
            cell_count=len(cells),
            cells=begins,
            cell_numbers=cell_numbers,
            is_free=table is trapping and bool(table.tiles.words),
            tile_words=builder.add("distance_words", [tile for tile, _ in table.tiles.words]),
            stand_words=builder.add("distance_words", [stand for _, stand in table.tiles.words]),
        )
        most_tiles, most_places = max(most_tiles, len(numbers)), max(most_places, places)
        most_cells = max(most_cells, len(cells))
    packed = {id(database.packed): database.packed for database in chain(*sums)}  # a mirrored database has the same
    first_byte = dict(zip(packed, accumulate(map(len, packed.values()), initial=0), strict=False))
    records: list[int] = []
    for databases in sums:
        patterns: list[int] = []
        for database in databases:
            count, at = _members(builder, database.parts, machine)
            patterns += Pattern.words(count=count, members=at, packed=first_byte[id(database.packed)] // WORD)
        records += PatternSum.words(count=len(databases), patterns=builder.add("distance_words", patterns))
    builder.put(groups=groups, group_count=len(tables), sums=records, sum_count=len(sums))
    reserve_for_assignments(builder, most_tiles, most_places, most_cells, MOST_TRAPS if trapping else 0)
    packed_words = ints(sum(map(len, packed.values())) // WORD)
    for key, content in packed.items():
        packed_words.items.cast("B")[first_byte[key] : first_byte[key] + len(content)] = content
    return DistanceWords(builder.array("distance_words"), packed_words, ints(builder.room["scratch_words"] + 1))


def reserve_for_assignments(builder: TableBuilder, things: int, places: int, cells: int = 0, traps: int = 0) -> None:
    """Reserve memory for assignments of so many things to so many places at most, a marker on so many cells, and traps."""
    builder.reserve(costs=(things + 1) * places, budget=things + 1, place=things + 1, thing=things)
    builder.reserve(listed=things + 1, listed_count=1, kept_count=1)
    builder.reserve(kept_total=1, kept_thing=things, kept_budget=things, kept_place=things)
    builder.reserve(kept_price=places, kept_holder=places)
    builder.reserve(is_held=things, is_reached=things, is_within=cells, is_open=cells, pending=max(things, cells))
    builder.reserve(is_kept=things, is_needed=things, first_trap=things, next_trap=traps)
    builder.reserve(trap_tiles=traps * MOST_IN_TRAP * size_of(TrapTile), trap_regions=traps * cells)
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


def _tiles(
    builder: TableBuilder, table: DistanceTable, numbers: Mapping[Slot, int], cells: Mapping[int, int], machine: MachineGame
) -> tuple[int, int]:
    """Add the tiles that contend for places or have ways; returns where their slots begin, and the number of places."""
    places, tiles = dict[tuple[Slot, Slot | None], int](), dict[Slot, dict[int, int]]()

    def place_of(place: Slot, thing: Thing) -> int:
        alone = thing[0] if place[1] == OFF else None  # any number may be off the board
        return places.setdefault((place, alone), len(places))

    for thing in {**table.tiles.ends, **table.tiles.ways}:
        ends, ways = table.tiles.ends.get(thing, {}), table.tiles.ways.get(thing, ())
        each = list[int]()
        for place, distance in ends.items():
            each += End.words(place=place_of(place, thing), distance=distance)
        own = place_of(thing[0], thing) if ends and thing in table.tiles.goals else -1
        begins = [builder.add("distance_words", _way(numbers, cells, *way)) for way in ways]
        tiles.setdefault(thing[0], {})[thing[1]] = builder.add(
            "distance_words",
            Tile.words(
                may_stay=thing in table.tiles.goals,
                may_be_held=thing in table.tiles.ways and all(bars or stand >= 0 for _, stand, bars in ways),
                contends=thing in table.tiles.ends,
                place=own,
                ends=builder.add("distance_words", Ends.words(count=len(ends), each=each)),
                way_count=len(begins),
                ways=begins,
            ),
        )
    members: list[int] = []
    for slot in numbers:
        allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
        kinds = builder.add("distance_words", [tiles[slot].get(value, 0) for value in allowed]) - allowed.start
        members += TileSlot.words(slot=memory_slot(machine.arrangement, slot), cell=cells.get(slot[1], -1), kinds=kinds)
    return builder.add("distance_words", members), len(places)


def _way(numbers: Mapping[Slot, int], cells: Mapping[int, int], end: Thing, stand: int, bars: Iterable[Thing]) -> list[int]:
    words: list[int] = []
    for slot, kind in sorted(bars):
        words += Bar.words(at=numbers[slot], kind=kind)
    return Way.words(
        end=numbers[end[0]], stand=cells[stand] if stand >= 0 else stand, count=len(words) // size_of(Bar), bars=words
    )


def _cells(
    builder: TableBuilder, table: DistanceTable, numbers: Mapping[Slot, int], cells: Mapping[int, int]
) -> tuple[int, int]:
    """Add the cells of the marker, and their numbers; returns where both begin."""
    begins = []
    for cell in cells:
        steps, at = sorted(cells[end] for end in table.tiles.steps[cell]), numbers.get((table.variable, cell), -1)
        begins.append(builder.add("distance_words", MarkerCell.words(at=at, count=len(steps), steps=steps)))
    found = [cells.get(cell, 0) for cell in range(max(cells, default=-1) + 1)]
    return builder.add("distance_words", begins), builder.add("distance_words", found)


def memory_slot(arrangement: Arrangement, slot: Slot) -> int:
    """The index of a value in the memory of a game."""
    name, index = slot
    place = arrangement.slots.places[name]
    if place.column.over_cells:
        return arrangement.header[place.entry] + index
    return place.slot if index == NO_INDEX else place.slot + index - place.column.offset
