"""What tables estimate of a state, by trying all sets of tiles and all assignments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from rulewright.rules.model.state import StateLayout
from rulewright.rules.play.engine import State
from rulewright.solver.shortest.estimates.abstract_moves import OFF
from rulewright.solver.shortest.estimates.distance_tables import DEAD, DistanceTable
from rulewright.solver.shortest.estimates.partial_state import Slot, Thing, values_in
from rulewright.solver.shortest.estimates.stuck_tiles import NOWHERE, Way


def estimate_of(tables: Iterable[DistanceTable], layout: StateLayout, state: State) -> int:
    """At least so many moves are left from a state: what the table says that says most; DEAD where any thing is."""
    best = 0
    for table in tables:
        things = values_in(layout, state, table.variable).items()
        total = sum(table.distances.get(thing, 0) for thing in things if thing not in table.tiles.ends)
        held, cells = held_in(table, layout, state)
        if not held <= table.tiles.goals:
            return DEAD
        contending = [thing for thing in things if thing in table.tiles.ends]
        total += assigned([{thing[0]: 0} if thing in held else ends_of(table, thing, held, cells) for thing in contending])
        if total >= DEAD:
            return DEAD
        best = max(best, -(-total // table.most))
    return best


def held_in(table: DistanceTable, layout: StateLayout, state: State) -> tuple[set[Thing], set[int]]:
    """The greatest set of tiles of which each way is barred, by trying all; and where the marker comes among them."""
    present = [thing for thing in values_in(layout, state, table.variable).items() if thing in table.tiles.ways]
    for number in range(len(present), 0, -1):
        for held in map(set, combinations(present, number)):
            cells = within(table, layout, state, held)
            if not any(is_free(way, held, cells) for thing in held for way in table.tiles.ways[thing]):
                return held, cells
    return set(), within(table, layout, state, set())


def within(table: DistanceTable, layout: StateLayout, state: State, held: set[Thing]) -> set[int]:
    """The cells that the marker whose region bars ways reaches among some tiles."""
    if not table.tiles.steps:
        return set()
    found, taken = {values_in(layout, state, table.tiles.marker[0])[table.tiles.marker]}, {slot[1] for slot, _ in held}
    while more := {end for cell in found for end in table.tiles.steps.get(cell, ())} - found - taken:
        found |= more
    return found


def is_free(way: Way, held: set[Thing], cells: set[int]) -> bool:
    _, stand, bars = way
    return not bars & held and (stand == NOWHERE or stand in cells)


def ends_of(table: DistanceTable, thing: Thing, held: set[Thing], cells: set[int]) -> Mapping[Slot, int]:
    """How far a tile is from where it may end, on ways that the held tiles leave it."""
    if not held:
        return table.tiles.ends[thing]
    found, layer, distance = dict[Thing, int](), {thing}, 0
    while layer:
        found |= dict.fromkeys(layer, distance)
        layer = {way[0] for one in layer for way in table.tiles.ways[one] if is_free(way, held, cells)} - found.keys()
        distance += table.step
    ends = table.tiles.ends[thing]
    return {slot: max(ends[slot], found[slot, thing[1]]) for slot in ends if (slot, thing[1]) in found}


def assigned(contending: Sequence[Mapping[Slot, int]]) -> int:
    """The least sum at which each has an end of its own, by trying all; any number may leave the board."""
    every = {end for ends in contending for end in ends}
    bits = {end: 0 if end[1] == OFF else 1 << number for number, end in enumerate(every)}
    least = {0: 0}
    for ends in contending:
        before, least = least, {}
        free = [(bits[end], distance) for end, distance in ends.items()]
        for taken, total in before.items():
            for bit, distance in free:
                if not taken & bit:
                    least[taken | bit] = min(least.get(taken | bit, DEAD), total + distance)
    return min(least.values(), default=DEAD)
