"""Distance tables (distance_tables.py) and pattern databases (pattern_databases.py) as kernels read them."""

from __future__ import annotations

from typing import Annotated

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import In, Record, Ref, Run, inline

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


class End(Record, memory="distance_words"):
    """A place where a thing may end, and its distance."""

    place: int
    distance: int


class Ends(Record, memory="distance_words"):
    """All places where a thing may end, or the nearest ones, as many as there are things."""

    count: int
    each: Run[End] = inline()


class Contender(Record, memory="distance_words"):
    """A slot, and by value the ends of the thing there; at index 0 if it contends for no place."""

    slot: int
    ends: Run[Ref[Ends]]


class SlotGroup(Record, memory="distance_words"):
    """Slots whose sum of distances no move lowers by more than `most`; things that contend for `place_count` places are
    assigned to them instead."""

    most: int
    count: int
    members: Run[SlotDistances]
    contender_count: int
    contenders: Run[Contender]
    place_count: int


class Pattern(Record, memory="distance_words"):
    """A pattern database: what slot values add to the index of a state, and the packed distances."""

    count: int
    members: Run[SlotDistances]
    packed: Annotated[Run[int], In("packed_words")]


class PatternSum(Record, memory="distance_words"):
    """Patterns whose sum of distances no move lowers by more than 1."""

    count: int
    patterns: Run[Pattern]


Scratch = Annotated[Run[int], In("scratch_words")]


class DistanceWords(Bundle):
    """The groups and the sums of patterns of a question, empty if nothing is estimated, and memory for one assignment.

    `things` are those that contend. Each place has a `price` and a `holder`, a thing that pays it, and each thing has a
    `place` and a `budget`. On the way to a free place, `reach` is the length of the shortest path to a place, from the thing
    `via`; it `is_settled` once that is known.
    """

    distance_words: Ints
    packed_words: Ints
    scratch_words: Ints
    group_count: int = entry("distance_words")
    groups: Run[SlotGroup] = entry("distance_words")
    sum_count: int = entry("distance_words")
    sums: Run[PatternSum] = entry("distance_words")
    things: Annotated[Run[Ref[Ends]], In("scratch_words")] = entry("distance_words")
    budget: Scratch = entry("distance_words")
    place: Scratch = entry("distance_words")
    price: Scratch = entry("distance_words")
    holder: Scratch = entry("distance_words")
    reach: Scratch = entry("distance_words")
    via: Scratch = entry("distance_words")
    is_settled: Scratch = entry("distance_words")
