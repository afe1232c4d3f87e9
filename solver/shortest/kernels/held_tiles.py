"""Tiles that hold each other where they are: the greatest set of which each way of each is barred by one of the set, or kept by
the set from the marker that begins it."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.records import index_of

from .distance_words import MOST_IN_TRAP, DistanceWords, SlotGroup, Way

NO_TILE = -1


def hold_tiles(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> int:
    """Mark the tiles that are held in the state of the game; returns how many, negative if some tiles are lost."""
    list_tiles(distances, group, game)
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_held[at] = may_be_held(distances, group, game, at)
    return hold_marked(distances, group, game, cell_of_marker(distances, group, game), NO_TILE)


def list_tiles(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> None:
    """List the slots with tiles that are followed, none of them marked."""
    count = 0
    for at in range(group.tile_count):
        distances.is_held[at] = 0
        if index_of(group.tiles[at].kinds[game.state[group.tiles[at].slot]]) > 0:
            distances.listed[count] = at
            count += 1
    distances.listed_count[0] = count


def cell_of_marker(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> int:
    """Where the marker is, if its region may bar ways."""
    return group.cell_numbers[game.state[group.marker]] if group.cell_count > 0 else 0


def may_be_held(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> int:
    """1 if the tile on a slot may be held, else 0."""
    return group.tiles[at].kinds[game.state[group.tiles[at].slot]].may_be_held


def may_stay(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether a goal may be reached while the tile of a slot stays there."""
    return group.tiles[at].kinds[game.state[group.tiles[at].slot]].may_stay == 1


def hold_marked(distances: DistanceWords, group: SlotGroup, game: GameMemory, cell: int, moved: int) -> int:
    """Of the marked tiles, leave those marked that hold each other, with the marker on a cell; returns how many, negative if
    some tiles are lost. Ends with 0 once it is clear that one that has `moved` is not held, if no tiles were lost before."""
    if is_trapped(distances, group, game, cell):
        return -1
    held = 0
    before = -1
    while held != before:
        find_region(distances, group, cell)
        if moved != NO_TILE and (distances.is_held[moved] == 0 or has_free_way(distances, group, game, moved)):
            return 0
        before = held
        held = 0
        for at in distances.listed[: distances.listed_count[0]]:
            if distances.is_held[at] == 1:
                held += 1
                if has_free_way(distances, group, game, at):
                    distances.is_held[at] = 0
    for at in distances.listed[: distances.listed_count[0]]:
        if distances.is_held[at] == 1 and not may_stay(distances, group, game, at):
            return -1
    return held


def is_trapped(distances: DistanceWords, group: SlotGroup, game: GameMemory, cell: int) -> bool:
    """Whether all tiles of a known trap (traps.py) are marked, and the marker on a cell of its region."""
    if group.has_traps == 0:
        return False
    for at in distances.listed[: distances.listed_count[0]]:
        trap = distances.first_trap[at] if distances.is_held[at] == 1 else 0
        while trap > 0:
            is_within = group.cell_count == 0 or distances.trap_regions[trap * group.cell_count + cell] == 1
            if is_within and is_marked(distances, group, game, trap):
                return True
            trap = distances.next_trap[trap]
    return False


def is_marked(distances: DistanceWords, group: SlotGroup, game: GameMemory, trap: int) -> bool:
    """Whether all tiles of a trap are marked."""
    tiles = distances.trap_tiles[trap * MOST_IN_TRAP :]
    for tile in tiles[:MOST_IN_TRAP]:
        if tile.kind == 0:
            return True
        if distances.is_held[tile.at] == 0 or game.state[group.tiles[tile.at].slot] != tile.kind:
            return False
    return True


def find_region(distances: DistanceWords, group: SlotGroup, first: int) -> None:
    """Mark the cells that the marker reaches from one between the held tiles."""
    if group.cell_count == 0:
        return
    for cell in range(group.cell_count):
        distances.is_within[cell] = 0
    distances.pending[0] = first
    distances.is_within[first] = 1
    count = 1
    done = 0
    while done < count:
        here = group.cells[distances.pending[done]]
        done += 1
        for cell in here.steps[: here.count]:
            at = group.cells[cell].at
            if distances.is_within[cell] == 0 and (at < 0 or distances.is_held[at] == 0):
                distances.is_within[cell] = 1
                distances.pending[count] = cell
                count += 1


def has_free_way(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether some way of the tile of a slot is barred by no tile that is still held."""
    tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
    for way in tile.ways[: tile.way_count]:
        if is_barred(distances, group, game, way):
            continue
        return True
    return False


def is_barred(distances: DistanceWords, group: SlotGroup, game: GameMemory, way: Way) -> bool:
    """Whether a held tile bars a way, or the marker is kept from where it begins."""
    if way.stand >= 0 and distances.is_within[way.stand] == 0:
        return True
    for bar in way.bars[: way.count]:
        if distances.is_held[bar.at] == 1 and game.state[group.tiles[bar.at].slot] == bar.kind:
            return True
    return False


def reach_places(distances: DistanceWords, group: SlotGroup, game: GameMemory, first: int, kind: int, row: int) -> None:
    """Note in a row of costs how far a tile of a kind on a slot is from each place, on ways that no held tile bars."""
    for at in range(group.tile_count):
        distances.is_reached[at] = 0
    distances.is_reached[first] = 1
    distances.pending[0] = first
    count = 1
    done = 0
    distance = 0
    while done < count:
        end = count
        while done < end:
            tile = group.tiles[distances.pending[done]].kinds[kind]
            done += 1
            if tile.place >= 0:
                distances.costs[row + tile.place] = distance
            for way in tile.ways[: tile.way_count]:
                if distances.is_reached[way.end] == 0 and not is_barred(distances, group, game, way):
                    distances.is_reached[way.end] = 1
                    distances.pending[count] = way.end
                    count += 1
        distance += group.step
