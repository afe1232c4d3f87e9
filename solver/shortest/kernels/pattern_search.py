"""Distances in a pattern database (Culberson and Schaeffer 1998): breadth-first search backward from all abstract goals.

An abstract state has one place for each factor of a pattern; its index is a mixed-radix number, of which the first factor is
the last digit. A label gives for each factor its place before the moves of that label, or that there is no such move. Moves
that change no counted factor are free, except those whose label is paid (cost partitioning: Felner, Korf and Hanan 2004).
Layers are sets of bits. The database may leave the first factor out: it then has the least distance over its places.
"""

from __future__ import annotations

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, lowest, wrap
from rulewright.subset.records import Record, Run

from .distance_words import ENTRY_BITS, FARTHEST, OUT_OF_REACH, PACKED

IMPOSSIBLE = 1 << 30
"""In place of a difference of indices: there is no such move."""

WORD_BITS = 64


class PatternLabel(Record, memory="pattern_words"):
    """A label, `paid` if it costs a move whatever it moves. In the block looked at, if that was block number `looked`, it moves
    factors other than the first, and the index by `difference`, or is impossible."""

    paid: int
    looked: int
    difference: int


class Touch(Record, memory="pattern_words"):
    """What a label does to a factor at a place: the difference to the index before."""

    label: PatternLabel
    difference: int


class PatternFactor(Record, memory="pattern_words"):
    """A factor: its number of places, its stride in the index. `goals` are the places where it may be at a goal. What labels do
    that bring it to a place, or are impossible before it is there, begins in `touches` at `first_touch` of that place, with an
    entry more for the end; the first factor has all labels that are possible before it is there."""

    places: int
    stride: int
    goal: int
    """The one of the goals that is being entered."""
    goal_count: int
    goals: Run[int]
    first_touch: Run[int]
    touches: Run[Touch]


class PatternSearch(Bundle):
    """A search: `opened` has the layer at `distance`, `later` the next, `closed` all that were expanded. A *block* is of states
    that differ in the first factor, which is counted or not. States with the same index up to `divisor` share an entry of
    `packed`."""

    pattern_words: Ints
    opened: Longs
    later: Longs
    closed: Longs
    packed: Ints
    bit_words: int = entry("pattern_words")
    packed_words: int = entry("pattern_words")
    divisor: int = entry("pattern_words")
    distance: int = entry("pattern_words")
    looks: int = entry("pattern_words")
    """How many blocks have been looked at."""
    is_first_counted: int = entry("pattern_words")
    factor_count: int = entry("pattern_words")
    factors: Run[PatternFactor] = entry("pattern_words")


def bit_of(index: int) -> int:
    """The bit of a state within its word."""
    return wrap(1 << (index % WORD_BITS))


def enter_goals(search: PatternSearch) -> int:
    """Open all states that may be goals."""
    for at in range(search.packed_words):
        for place in range(PACKED):
            search.packed[at] += OUT_OF_REACH << (ENTRY_BITS * place)
    is_another = True
    for factor in search.factors[: search.factor_count]:
        is_another = is_another and factor.goal_count > 0
    while is_another:
        index = 0
        for factor in search.factors[: search.factor_count]:
            index += factor.goals[factor.goal] * factor.stride
        search.opened[index // WORD_BITS] |= bit_of(index)
        is_another = False
        for factor in search.factors[: search.factor_count]:
            factor.goal += 1
            if factor.goal < factor.goal_count:
                is_another = True
                break
            factor.goal = 0
    return 0


def fill_layer(search: PatternSearch) -> int:
    """Expand all states at `distance`, and go on to the next; returns the number of states, 0 once all are known."""
    places = search.factors[0].places
    count = 0
    block = -1
    at = 0
    while at < search.bit_words:
        left = search.opened[at] & ~search.closed[at]
        if left == 0:
            search.opened[at] = 0
            at += 1
            continue
        index = at * WORD_BITS + lowest(left)
        search.closed[at] |= bit_of(index)
        if block < 0 or index < block * places or index >= (block + 1) * places:
            block = index // places
            look_at(search, block)
        at = min(at, expand(search, block, index))
        note(search, index // search.divisor)
        count += 1
    for at in range(search.bit_words):
        search.opened[at] = search.later[at]
        search.later[at] = 0
    search.distance += 1
    if search.distance < FARTHEST or count == 0:
        return count
    for number in range(PACKED * search.packed_words):
        note(search, number)
    return 0


def look_at(search: PatternSearch, block: int) -> None:
    """Find what each label does to all factors but the first in the states of a block."""
    search.looks += 1
    index = block * search.factors[0].places
    for factor in search.factors[1 : search.factor_count]:
        place = (index // factor.stride) % factor.places
        for number in range(factor.first_touch[place], factor.first_touch[place + 1]):
            touch = factor.touches[number]
            label = touch.label
            if label.looked != search.looks:
                label.looked = search.looks
                label.difference = 0
            if IMPOSSIBLE in (touch.difference, label.difference):
                label.difference = IMPOSSIBLE
            else:
                label.difference += touch.difference


def note(search: PatternSearch, number: int) -> None:
    """Enter the distance under a number, unless a smaller one is there."""
    bits = ENTRY_BITS * (number % PACKED)
    if (search.packed[number // PACKED] >> bits) & OUT_OF_REACH == OUT_OF_REACH:
        search.packed[number // PACKED] -= (OUT_OF_REACH - search.distance) << bits


def expand(search: PatternSearch, block: int, index: int) -> int:
    """Open what leads to a state of the block that was looked at; returns the least word in which this opened one of the same
    layer."""
    least = search.bit_words
    first = search.factors[0]
    place = index - block * first.places
    for number in range(first.first_touch[place], first.first_touch[place + 1]):
        touch = first.touches[number]
        label = touch.label
        difference = 0
        if label.looked == search.looks:
            difference = label.difference
        if difference == IMPOSSIBLE:
            continue
        other = index + touch.difference + difference
        word = other // WORD_BITS
        if difference != 0 or label.paid == 1 or (touch.difference != 0 and search.is_first_counted == 1):
            search.later[word] |= bit_of(other)
        elif search.closed[word] & bit_of(other) == 0:
            search.opened[word] |= bit_of(other)
            least = min(least, word)
    return least
