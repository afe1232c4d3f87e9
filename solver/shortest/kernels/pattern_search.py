"""Distances in a pattern database (Culberson and Schaeffer 1998): breadth-first search backward from all abstract goals.

An abstract state has one place for each factor of a pattern; its index is a mixed-radix number. A label gives for each factor
its place before the moves of that label, or that there is no such move. Moves that change no counted factor are free, except
those whose label is paid (cost partitioning: Felner, Korf and Hanan 2004).
"""

from __future__ import annotations

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import Record, Run

from .distance_estimate import ENTRY_BITS, FARTHEST, OUT_OF_REACH, PACKED

IMPOSSIBLE = -1


class PatternFactor(Record, memory="pattern_words"):
    """A factor: its number of places, its stride in the index, whether its moves are counted. `may_be_goal` has an entry for
    each place; `before` has one for each label and, within that, for each place of the factor after the move."""

    places: int
    stride: int
    is_counted: int
    place: int
    """The factor's place in the state under examination."""
    may_be_goal: Run[int]
    before: Run[int]


class PatternSearch(Bundle):
    """A search; for each place of the first factor, `first_label` says where its labels begin in `labels`, with one more entry
    for the end; `paid` has 1 for each label that costs a move whatever it moves. `queue` has room for two layers."""

    pattern_words: Ints
    distances: Ints
    queue: Ints
    packed: Ints
    entries: int = entry("pattern_words")
    factor_count: int = entry("pattern_words")
    paid: Run[int] = entry("pattern_words")
    factors: Run[PatternFactor] = entry("pattern_words")
    first_label: Run[int] = entry("pattern_words")
    labels: Run[int] = entry("pattern_words")


def look_at(search: PatternSearch, index: int) -> int:
    """Set the place of each factor in a state; returns whether the state may be a goal."""
    may_be_goal = 1
    for factor in search.factors[: search.factor_count]:
        place = (index // factor.stride) % factor.places
        factor.place = place
        if factor.may_be_goal[place] == 0:
            may_be_goal = 0
    return may_be_goal


def pattern_distances(search: PatternSearch) -> int:
    """Fill and pack `distances`; returns the greatest distance from which a goal is reachable."""
    count = 0
    for index in range(search.entries):
        search.distances[index] = OUT_OF_REACH
        if look_at(search, index) == 1:
            search.distances[index] = 0
            search.queue[count] = index
            count += 1
    here = 0
    there = search.entries
    distance = 0
    while count > 0 and distance < FARTHEST:
        count_there = 0
        at = 0
        while at < count:
            index = search.queue[here + at]
            at += 1
            if search.distances[index] != distance:
                continue
            look_at(search, index)
            first = search.factors[0].place
            for number in range(search.first_label[first], search.first_label[first + 1]):
                label = search.labels[number]
                other = 0
                cost = search.paid[label]
                for factor in search.factors[: search.factor_count]:
                    before = factor.before[label * factor.places + factor.place]
                    if before == IMPOSSIBLE:
                        other = IMPOSSIBLE
                        break
                    other += before * factor.stride
                    if before != factor.place and factor.is_counted == 1:
                        cost = 1
                if other != IMPOSSIBLE and search.distances[other] > distance + cost:
                    search.distances[other] = distance + cost
                    if cost == 0:
                        search.queue[here + count] = other
                        count += 1
                    else:
                        search.queue[there + count_there] = other
                        count_there += 1
        last = here
        here = there
        there = last
        count = count_there
        distance += 1
    pack(search, count)
    return distance


def pack(search: PatternSearch, count: int) -> None:
    """Pack the distances; if the search left states out, unreached ones count as FARTHEST."""
    for index in range(search.entries):
        distance = search.distances[index]
        if distance == OUT_OF_REACH and count > 0:
            distance = FARTHEST
        if index % PACKED == 0:
            search.packed[index // PACKED] = 0
        search.packed[index // PACKED] += distance << (ENTRY_BITS * (index % PACKED))
