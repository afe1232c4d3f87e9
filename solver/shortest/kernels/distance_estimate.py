"""An admissible estimate of the moves from a state to a goal: distance tables summed over slots (distance_tables.py), and
pattern databases, summed if no move counts in two of them (patterns.py)."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import In, Record, Run

DEAD = 1 << 20
"""The distance and the estimate that stand for an unreachable goal."""

ENTRY_BITS, PACKED = 7, 4
"""Bits of a distance in a pattern database, and distances per word."""

OUT_OF_REACH = (1 << ENTRY_BITS) - 1
FARTHEST = OUT_OF_REACH - 1
"""Greater distances count as this one."""


class SlotDistances(Record, memory="distance_words"):
    """A slot, and the distance of each value that it may have."""

    slot: int
    distances: Run[int]


class SlotGroup(Record, memory="distance_words"):
    """Slots whose sum of distances no move lowers by more than `most`."""

    most: int
    count: int
    members: Run[SlotDistances]


class Pattern(Record, memory="distance_words"):
    """A pattern database: what slot values add to the index of a state, and the packed distances."""

    count: int
    members: Run[SlotDistances]
    packed: Annotated[Run[int], In("packed_words")]


class PatternSum(Record, memory="distance_words"):
    """Patterns whose sum of distances no move lowers by more than 1."""

    count: int
    patterns: Run[Pattern]


class DistanceWords(Bundle):
    """The groups and the sums of patterns of a question; empty if nothing is estimated."""

    distance_words: Ints
    packed_words: Ints
    group_count: int = entry("distance_words")
    groups: Run[SlotGroup] = entry("distance_words")
    sum_count: int = entry("distance_words")
    sums: Run[PatternSum] = entry("distance_words")


def pattern_distance(pattern: Pattern, distances: DistanceWords, game: GameMemory) -> int:
    """The distance that a pattern database gives for the state of the game."""
    index = 0
    for member in pattern.members[: pattern.count]:
        index += member.distances[game.state[member.slot]]
    return (pattern.packed[index // PACKED] >> (ENTRY_BITS * (index % PACKED))) & OUT_OF_REACH


def estimate(distances: DistanceWords, game: GameMemory) -> int:
    """A lower bound on the number of moves from the state of the game: the largest over all groups and sums."""
    best = 0
    for group in distances.groups[: distances.group_count]:
        total = 0
        for member in group.members[: group.count]:
            total += member.distances[game.state[member.slot]]
        if total >= DEAD:
            return DEAD
        if total > best * group.most:
            best = (total + group.most - 1) // group.most
    for each in distances.sums[: distances.sum_count]:
        total = 0
        for pattern in each.patterns[: each.count]:
            distance = pattern_distance(pattern, distances, game)
            if distance == OUT_OF_REACH:
                return DEAD
            total += distance
        best = max(best, total)
    return best
