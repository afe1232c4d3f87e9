"""The least sum of distances at which each thing ends at a place of its own: an assignment, by shortest augmenting paths
(Kuhn 1955; Jonker and Volgenant 1987).

Things are assigned one after the other. Budgets and prices keep every distance at least the sum of both, and exactly that where
a thing has its place; the shortest path to a free place, in what distances are above it, is what one more thing adds.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.records import index_of

from .distance_words import DEAD, DistanceWords, SlotGroup

NOBODY = -1


def assigned(distances: DistanceWords, group: SlotGroup, game: GameMemory) -> int:
    """The least sum for the things of the state of the game that contend for places; at least DEAD if there is none."""
    count = 0
    for contender in group.contenders[: group.contender_count]:
        ends = contender.ends[game.state[contender.slot]]
        if index_of(ends) > 0:
            distances.things[count] = ends
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


def added(distances: DistanceWords, thing: int, place_count: int) -> int:
    """What the sum rises by when a thing is assigned too, while others give way; DEAD if there is no place for it."""
    for place in range(place_count):
        distances.reach[place] = DEAD
        distances.is_settled[place] = 0
    length = 0
    last = thing
    while last != NOBODY:
        look_around(distances, last, length)
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


def look_around(distances: DistanceWords, thing: int, length: int) -> None:
    """Go on from a thing, at the end of a path of that length, to the places where it may end."""
    ends = distances.things[thing]
    already = length - distances.budget[thing]
    for end in ends.each[: ends.count]:
        reach = already + end.distance - distances.price[end.place]
        if reach < distances.reach[end.place] and distances.is_settled[end.place] == 0:
            distances.reach[end.place] = reach
            distances.via[end.place] = thing


def give_way(distances: DistanceWords, first: int, free: int) -> None:
    """Give the free place at the end of a path to the thing before it, and so on back to the first one."""
    thing = NOBODY
    while thing != first:
        thing = distances.via[free]
        distances.holder[free] = thing
        left = distances.place[thing]
        distances.place[thing] = free
        free = left
