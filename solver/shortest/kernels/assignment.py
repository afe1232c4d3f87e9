"""The least sum of distances at which each thing ends at a place of its own: an assignment, by shortest augmenting paths
(Kuhn 1955; Jonker and Volgenant 1987).

Things are assigned one after the other. Budgets and prices keep every distance at least the sum of both, and exactly that where
a thing has its place; the shortest path to a free place, in what distances are above it, is what one more thing adds.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory

from .distance_words import DEAD, DistanceWords, SlotGroup
from .held_tiles import hold_tiles, reach_places

NOBODY = -1


def assigned(distances: DistanceWords, group: SlotGroup, game: GameMemory, held: int) -> int:
    """The least sum for the things of the state of the game that contend for places, some of which are held where they are; at
    least DEAD if there is none."""
    count = 0
    for at in distances.listed[: distances.listed_count[0]]:
        distances.thing[at] = NOBODY
        if contends(distances, group, game, at):
            distances.thing[at] = count
            fill_row(distances, group, game, at, game.state[group.tiles[at].slot], count * group.place_count, held)
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


def contends(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int) -> bool:
    """Whether the tile on a slot contends for places."""
    return group.tiles[at].kinds[game.state[group.tiles[at].slot]].contends == 1


def keep_assignment(distances: DistanceWords, game: GameMemory) -> None:
    """Keep the assignment of the state of the game, if all places are taken, to tell what is left after each of its moves."""
    distances.kept_total[0] = 0
    for group in distances.groups[: distances.group_count]:
        held = hold_tiles(distances, group, game) if group.has_traps == 1 else NOBODY
        total = assigned(distances, group, game, held) if held >= 0 else DEAD
        distances.kept_count[0] = held
        if total < DEAD:
            keep_things(distances, group, total)


def keep_things(distances: DistanceWords, group: SlotGroup, total: int) -> None:
    """Keep what was assigned last, at a total."""
    count = 0
    for at in range(group.tile_count):
        distances.kept_thing[at] = NOBODY
    for at in distances.listed[: distances.listed_count[0]]:
        distances.kept_thing[at] = distances.thing[at]
        if distances.thing[at] != NOBODY:
            count += 1
    if count == group.place_count:
        distances.kept_total[0] = total + 1
        for each in range(count):
            distances.kept_budget[each] = distances.budget[each]
            distances.kept_price[each] = distances.price[each]
            distances.kept_holder[each] = distances.holder[each]
            distances.kept_place[each] = distances.place[each]


def moved_total(
    distances: DistanceWords, group: SlotGroup, game: GameMemory, before: int, after: int, kind: int, held: int
) -> int:
    """The least sum if one tile of a kind is moved from where it was in the kept state."""
    count = group.place_count
    for each in range(count):
        distances.budget[each] = distances.kept_budget[each]
        distances.price[each] = distances.kept_price[each]
        distances.holder[each] = distances.kept_holder[each]
        distances.place[each] = distances.kept_place[each]
    thing = distances.kept_thing[before]
    distances.holder[distances.place[thing]] = NOBODY
    fill_row(distances, group, game, after, kind, count * count, held)
    distances.budget[count] = 0
    more = added(distances, count, count)
    return DEAD if more >= DEAD else distances.kept_total[0] - 1 - distances.budget[thing] + more


def fill_row(distances: DistanceWords, group: SlotGroup, game: GameMemory, at: int, kind: int, row: int, held: int) -> None:
    """Note how far a tile of a kind on a slot is from each place."""
    tile = group.tiles[at].kinds[kind]
    for place in range(group.place_count):
        distances.costs[row + place] = DEAD
    if held > 0 and distances.is_held[at] == 1:
        distances.costs[row + tile.place] = 0
        return
    if held > 0:
        reach_places(distances, group, game, at, kind, row)
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
