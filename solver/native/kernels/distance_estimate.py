"""An admissible estimate of the moves from a state to a goal: tables of distances, summed over slots (distance_tables.py)."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import Record, Run

DEAD = 1 << 20
"""The distance, and the estimate, from which no goal is reached."""


class SlotDistances(Record, memory="distance_words"):
    """A slot, and the distance of each value that it may have."""

    slot: int
    distances: Run[int]


class SlotGroup(Record, memory="distance_words"):
    """Slots of which no move lowers the sum of distances by more than `most`."""

    most: int
    count: int
    members: Run[SlotDistances]


class DistanceWords(Bundle):
    """The groups of a question; none, where nothing is estimated."""

    distance_words: Ints
    group_count: int = entry("distance_words")
    groups: Run[SlotGroup] = entry("distance_words")


def estimate(distances: DistanceWords, game: GameMemory) -> int:
    """At least so many moves are needed from the state of the game: what the group says that says most."""
    best = 0
    for group in distances.groups[: distances.group_count]:
        total = 0
        for member in group.members[: group.count]:
            total += member.distances[game.state[member.slot]]
        if total >= DEAD:
            return DEAD
        if total > best * group.most:
            best = (total + group.most - 1) // group.most
    return best
