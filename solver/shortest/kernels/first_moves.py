"""Tiles of which one may as well move first, whatever a plan moves before it (persistent sets: Godefroid 1996).

Take tiles of which one has to move before a goal is reached. Each of their ways either can be taken now, and ends where the
marker does not come before one of them moves; or it stays barred until then, by one of them, or since they keep the marker
from where it begins. A plan takes one of these ways. It might as well begin with it: what other tiles do before needs neither
the place that is left nor the one that is taken, and the marker comes where it came.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import index_of

from .assignment import moved_total
from .distance_words import DistanceWords, SlotGroup, Way
from .held_tiles import NO_TILE, cell_of_marker, find_region, is_barred, list_tiles, may_stay

MANY = 1 << 20
"""Stands for more ways or tiles than there are."""


def keep_first(distances: DistanceWords, game: GameMemory, moves: Ints, first: int, end: int, width: int) -> int:
    """Of the legal moves from `first` to `end`, each of `width` words, keep those that may come first and do not make a tile
    lost by itself; returns where they end."""
    kept = end
    for group in distances.groups[: distances.group_count]:
        if group.is_free == 1:
            is_chosen = choose_tiles(distances, group, game)
            kept = first
            at = first
            while at < end:
                tile = group.cells[group.cell_numbers[moves[at + group.tile_words[moves[at]]]]].at
                stand = group.cell_numbers[moves[at + group.stand_words[moves[at]]]]
                is_tried = not is_chosen or distances.is_needed[tile] == 1
                if is_tried and has_way(distances, group, game, tile, stand):
                    for word in range(width):
                        moves[kept + word] = moves[at + word]
                    kept += width
                at += width
    return kept


def has_way(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int, stand: int) -> bool:
    """Whether a tile has a way on which a goal can be reached that begins with the marker on a cell."""
    return end_of(distances, group, game, at, stand) != NO_TILE


def end_of(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int, stand: int) -> int:
    """Where a tile comes to by a way that begins with the marker on a cell; NO_TILE if no goal can be reached then."""
    tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
    for way in tile.ways[: tile.way_count]:
        if way.stand == stand:
            return way.end
    return NO_TILE


def least_after(distances: DistanceWords, game: GameMemory, moves: Ints, move: int) -> int:
    """A lower bound on the moves that are left after a legal move, by the assignment that is kept."""
    for group in distances.groups[: distances.group_count]:
        if group.is_free == 1:
            tile = group.cells[group.cell_numbers[moves[move + group.tile_words[moves[move]]]]].at
            stand = group.cell_numbers[moves[move + group.stand_words[moves[move]]]]
            end = end_of(distances, group, game, tile, stand)
            kind = game.state[group.tiles[tile].slot]
            return moved_total(distances, group, game, tile, end, kind, distances.kept_count[0])
    return 0


def choose_tiles(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> bool:
    """Mark as needed the tiles of which one may move first in the state of the game; False if any tile may have to."""
    list_tiles(distances, group, game)
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_held[at] = 1
    find_region(distances, group, cell_of_marker(distances, group, game))
    for cell in range(group.cell_count):
        distances.is_open[cell] = distances.is_within[cell]
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_kept[at] = 1 if is_loose(distances, group, game, at) else 0
    least = MANY
    for first in distances.listed[: distances.listed_count[0]]:
        if least > 1 and distances.is_kept[first] == 0 and not may_stay(distances, group, game, first):
            count = ways_with(distances, group, game, first)
            if count == MANY:
                distances.is_kept[first] = 1
            elif count < least:
                least = count
                for at in distances.listed[: distances.listed_count[0]]:
                    distances.is_needed[at] = distances.is_held[at]
    return least < MANY


def is_loose(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether a way of a tile can be taken now and leads where the marker is."""
    tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
    for way in tile.ways[: tile.way_count]:
        is_open = distances.is_open[way.stand] == 1 and distances.is_open[group.tiles[way.end].cell] == 1
        if is_open and bar_of(distances, group, game, way) == NO_TILE:
            return True
    return False


def ways_with(distances: DistanceWords, group: SlotGroup, game: GameMemory, first: int) -> int:
    """Mark as held a tile and those of which one then has to move first; returns the number of their ways, MANY if others may
    have to, as where one is kept."""
    for at in distances.listed[: distances.listed_count[0]]:
        distances.is_held[at] = 0
    for cell in range(group.cell_count):
        distances.is_within[cell] = 0
    distances.is_held[first] = 1
    distances.thing[0] = first
    count = 1
    done = 0
    while done < count < MANY:
        count = hold_bars(distances, group, game, distances.thing[done], count)
        done += 1
    if count == MANY:
        return MANY
    find_region(distances, group, cell_of_marker(distances, group, game))
    ways = 0
    for at in distances.thing[:count]:
        tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
        for way in tile.ways[: tile.way_count]:
            if not is_barred(distances, group, game, way):
                is_now = distances.is_open[way.stand] == 1 and bar_of(distances, group, game, way) == NO_TILE
                if not is_now or distances.is_within[group.tiles[way.end].cell] == 1:
                    return MANY
                ways += 1
    return ways


def hold_bars(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int, count: int) -> int:
    """Mark as held what bars the ways of a tile, and list it behind `count` others; returns how many there are then, MANY if
    one of them is kept."""
    tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
    for way in tile.ways[: tile.way_count]:
        bar = bar_of(distances, group, game, way)
        if count < MANY and (bar == NO_TILE or distances.is_held[bar] == 0):
            if distances.is_open[way.stand] == 0 and not has_tile(distances, group, game, group.cells[way.stand].at):
                if distances.is_within[way.stand] == 0:
                    count = fence_in(distances, group, game, way.stand, count)
            elif bar != NO_TILE:
                count = hold_tile(distances, bar, count)
    return count


def hold_tile(distances: DistanceWords, at: int, count: int) -> int:
    """Mark a tile as held, and list it behind `count` others; returns how many there are then, MANY if it is kept."""
    if distances.is_held[at] == 1 or count == MANY:
        return count
    distances.is_held[at] = 1
    distances.thing[count] = at
    return count + 1 if distances.is_kept[at] == 0 else MANY


def bar_of(distances: DistanceWords, group: SlotGroup, game: GameMemory, way: Way) -> int:
    """A tile that bars a way now, a held one if there is one."""
    found = NO_TILE
    for bar in way.bars[: way.count]:
        if game.state[group.tiles[bar.at].slot] == bar.kind and (found == NO_TILE or distances.is_held[bar.at] == 1):
            found = bar.at
    return found


def has_tile(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether there is a tile on a slot."""
    return at != NO_TILE and index_of(group.tiles[at].kinds[game.state[group.tiles[at].slot]]) > 0


def fence_in(distances: DistanceWords, group: SlotGroup, game: GameMemory, first: int, held: int) -> int:
    """Hold the tiles around the free cells that are joined to one; returns how many are held then, MANY if one is kept."""
    distances.pending[0] = first
    distances.is_within[first] = 1
    count = 1
    done = 0
    while done < count and held < MANY:
        here = group.cells[distances.pending[done]]
        done += 1
        for cell in here.steps[: here.count]:
            at = group.cells[cell].at
            if has_tile(distances, group, game, at):
                held = hold_tile(distances, at, held)
            elif distances.is_within[cell] == 0:
                distances.is_within[cell] = 1
                distances.pending[count] = cell
                count += 1
    return held
