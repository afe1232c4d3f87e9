"""The least sum of distances at which each thing ends at a place of its own: an assignment, by shortest augmenting paths
(Kuhn 1955; Jonker and Volgenant 1987).

Things are assigned one after the other. Budgets and prices keep every distance at least the sum of both, and exactly that where
a thing has its place; the shortest path to a free place, in what distances are above it, is what one more thing adds.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.records import index_of

from .distance_words import DEAD, DistanceWords, SlotGroup
from .held_tiles import reach_places

NOBODY = -1


def assigned(distances: DistanceWords, group: SlotGroup, game: GameMemory, held: int) -> int:
    """The least sum for the things of the state of the game that contend for places, some of which are held where they are; at
    least DEAD if there is none."""
    count = 0
    for at in range(group.tile_count):
        tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
        if index_of(tile) > 0 and tile.contends == 1:
            fill_row(distances, group, game, at, count * group.place_count, held)
            distances.budget[count] = 0
            count += 1
    for place in range(group.place_count):
        distances.price[place] = 0
        distances.holder[place] = NOBODY
    total = 0
    for thing in range(count):
        total += added(distances, thing, group.place_count)
        if total >= DEAD:
            return DEAD
    return total


def fill_row(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int, row: int, held: int) -> None:
    """Note how far the tile of a slot is from each place."""
    tile = group.tiles[at].kinds[game.state[group.tiles[at].slot]]
    for place in range(group.place_count):
        distances.costs[row + place] = DEAD
    if held > 0 and distances.is_held[at] == 1:
        distances.costs[row + tile.place] = 0
        return
    if held > 0:
        reach_places(distances, group, game, at, row)
    for end in tile.ends.each[: tile.ends.count]:
        if held == 0 or distances.costs[row + end.place] < end.distance:
            distances.costs[row + end.place] = end.distance


def added(distances: DistanceWords, thing: int, place_count: int) -> int:
    """What the sum rises by when a thing is assigned too, while others give way; DEAD if there is no place for it."""
    for place in range(place_count):
        distances.reach[place] = DEAD
        distances.is_settled[place] = 0
    length = 0
    last = thing
    while last != NOBODY:
        look_around(distances, last, length, place_count)
        length = DEAD
        nearest = 0
        for place in range(place_count):
            if distances.is_settled[place] == 0 and distances.reach[place] < length:
                length = distances.reach[place]
                nearest = place
        if length == DEAD:
            return DEAD
        distances.is_settled[nearest] = 1
        last = distances.holder[nearest]
    distances.budget[thing] = length
    for place in range(place_count):
        holder = distances.holder[place]
        if distances.is_settled[place] == 1 and holder != NOBODY:
            distances.price[place] += distances.reach[place] - length
            distances.budget[holder] += length - distances.reach[place]
    give_way(distances, thing, nearest)
    return length


def look_around(distances: DistanceWords, thing: int, length: int, place_count: int) -> None:
    """Go on from a thing, at the end of a path of that length, to the places where it may end."""
    row = thing * place_count
    already = length - distances.budget[thing]
    for place in range(place_count):
        reach = already + distances.costs[row + place] - distances.price[place]
        if reach < distances.reach[place] and distances.is_settled[place] == 0:
            distances.reach[place] = reach
            distances.via[place] = thing


def give_way(distances: DistanceWords, first: int, free: int) -> None:
    """Give the free place at the end of a path to the thing before it, and so on back to the first one."""
    thing = NOBODY
    while thing != first:
        thing = distances.via[free]
        distances.holder[free] = thing
        left = distances.place[thing]
        distances.place[thing] = free
        free = left
