"""Traps: tiles that are lost in whichever way one of them moves first (Steinmetz and Hoffmann 2017).

Each way of each tile of a trap is barred by the others, or leads to tiles that are lost, some of which may be in a trap that is
known. Nothing else of a state counts, but the region of the marker between these tiles: so no goal can be reached from any
state that has them. The search learns the traps of the states that it expands; so it learns those that lead into others too.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory

from .distance_words import MOST_IN_TRAP, MOST_TRAPS, DistanceWords, SlotGroup
from .held_tiles import cell_of_marker, find_region, hold_marked, hold_tiles, is_barred, may_be_held, may_stay


def is_lost(distances: DistanceWords, game: GameMemory) -> bool:
    """Whether tiles of the state of the game are lost; a trap that is found is remembered."""
    for group in distances.groups[: distances.group_count]:
        if group.has_traps == 1 and (hold_tiles(distances, group, game) < 0 or finds_trap(distances, group, game)):
            return True
    return False


def finds_trap(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> bool:
    """Whether there is a trap in the state of the game, which is then remembered without the tiles that it does not need."""
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_kept[at] = may_be_held(distances, group, game, at)
    if not keep_trapped(distances, group, game):
        return False
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_needed[at] = distances.is_kept[at]
    for one in distances.listed[: distances.listed_count[0]]:
        if distances.is_needed[one] == 1:
            for at in distances.listed[: distances.listed_count[0]]:
                distances.is_kept[at] = distances.is_needed[at] if at != one else 0
            if keep_trapped(distances, group, game):
                for at in distances.listed[: distances.listed_count[0]]:
                    distances.is_needed[at] = distances.is_kept[at]
    remember(distances, group, game)
    return True


def keep_trapped(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> bool:
    """Of the kept tiles, keep those of which each way is barred by them or makes them lost; whether they are a trap."""
    kept = 0
    before = -1
    is_trap = True
    while kept != before and is_trap:
        before = kept
        kept = 0
        is_trap = False
        for at in distances.listed[: distances.listed_count[0]]:
            if distances.is_kept[at] == 1:
                if has_way_out(distances, group, game, at):
                    distances.is_kept[at] = 0
                else:
                    kept += 1
                    is_trap = is_trap or not may_stay(distances, group, game, at)
    return is_trap


def has_way_out(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether some way of a tile is not barred by the kept ones, and makes none of them lost."""
    kind = game.state[group.tiles[at].slot]
    tile = group.tiles[at].kinds[kind]
    is_marked = False
    for way in tile.ways[: tile.way_count]:
        if not is_marked:
            for each in distances.listed[: distances.listed_count[0]]:
                distances.is_held[each] = distances.is_kept[each]
            find_region(distances, group, cell_of_marker(distances, group, game))
        is_marked = is_barred(distances, group, game, way)
        if not is_marked:
            before = game.state[group.tiles[way.end].slot]
            game.state[group.tiles[at].slot] = 0
            game.state[group.tiles[way.end].slot] = kind
            distances.is_held[at] = 0
            distances.is_held[way.end] = may_be_held(distances, group, game, way.end)
            distances.listed[distances.listed_count[0]] = way.end
            distances.listed_count[0] += 1
            held = hold_marked(distances, group, game, max(way.stand, 0), way.end)
            distances.listed_count[0] -= 1
            distances.is_held[way.end] = 0
            game.state[group.tiles[way.end].slot] = before
            game.state[group.tiles[at].slot] = kind
            if held >= 0:
                return True
    return False


def remember(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> None:
    """Remember the needed tiles as a trap, if there is room."""
    trap = distances.next_trap[0] + 1
    count = 0
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_held[at] = distances.is_needed[at]
        count += distances.is_held[at]
    if count > MOST_IN_TRAP or trap == MOST_TRAPS:
        return
    distances.next_trap[0] = trap
    tiles = distances.trap_tiles[trap * MOST_IN_TRAP :]
    first = 0
    for back in range(group.tile_count):
        at = group.tile_count - 1 - back
        if distances.is_held[at] == 1:
            count -= 1
            tiles[count].at = at
            tiles[count].kind = game.state[group.tiles[at].slot]
            first = at
    distances.next_trap[trap] = distances.first_trap[first]
    distances.first_trap[first] = trap
    find_region(distances, group, cell_of_marker(distances, group, game))
    for cell in range(group.cell_count):
        distances.trap_regions[trap * group.cell_count + cell] = distances.is_within[cell]
