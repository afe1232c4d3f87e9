"""An admissible estimate of the moves from a state to a goal: distance tables summed over slots, things that contend for places
assigned to them, and pattern databases, summed if no move counts in two of them."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory

from .assignment import assigned
from .distance_words import DEAD, ENTRY_BITS, OUT_OF_REACH, PACKED, DistanceWords, Pattern
from .held_tiles import hold_tiles


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
        if group.tile_count > 0 and total < DEAD:
            held = hold_tiles(distances, group, game)
            if held < 0:
                return DEAD
            total += assigned(distances, group, game, held)
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
