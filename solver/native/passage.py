"""One passage of a beam through the turns, in the native subset: solver/beam.py with the promise of solver/promise.py.

States are compared at the end of the same turn and, inside a turn, after the same number of moves. Three pools hold them: those
from which play goes on now, those after one more move, those of the next turn. The pools change places.

`a` holds the states, `i` for each its hashes, its seed and the link of the state before it, `j` the move that led to it. `e`
has for each pool its states from the first to the last, a number each: what it promises, then where it stands. `n` are the
links: where each came from, and by what move. `d` are the states seen. `f` are the rates: what a cell is worth that still lacks
0, 1, 2, … tiles, in parts of a point.
"""

from __future__ import annotations

from ...rules.native.runtime import COUNTED, FAULT, HASH, OTHER_HASH, POINT, SEED, mixed, undo
from ...rules.native.words import Ints, Longs, Shared, remainder
from .beam import BITS, is_worse, note_line
from .calls import WIDTH, apply, legal, value
from .depth_first import ENOUGH, NODES, STOP, kept_of, place_of, spent_of
from .entries import (
    BOARD,
    CANDIDATE_COUNT,
    CANDIDATES,
    CELL,
    FIRST_NEED,
    NEEDS,
    SIGN,
    WORTHS,
)
from .gathered import number_coming
from .layers import STATE, greatest, put_away, take_up

PART = 1 << 12
"""Parts of a point in which promises are counted."""

MOST_LACKS = 64

LEFT = 12
"""Bits of a promise for what is left to spend."""

LEAST = 1 << 24
"""What is promised may be as far below zero, in parts of a point."""


def nearness(s: Ints, c: Ints, f: Longs, worth: int) -> int:
    """What a state is worth, and what it is near to, in parts of a point."""
    coming = number_coming(s, c)
    found = worth * PART
    for candidate in range(c[CANDIDATE_COUNT]):
        record = c[c[CANDIDATES] + candidate]
        tile = s[c[BOARD] + c[record + CELL]]
        if tile != 0:
            lacks = 0
            for need in range(c[record + NEEDS]):
                if s[c[BOARD] + c[record + FIRST_NEED + need]] == 0:
                    lacks += 1
            if lacks > 0 and lacks <= coming:
                found += c[c[record + WORTHS] + tile] * f[lacks]
    return found


def expanded(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, f: Longs, b: Shared, y: Longs, k: Ints,
    a: Ints, i: Longs, j: Ints, e: Longs, d: Longs, n: Ints,
    size: int, width: int, noted: int, link: int, inner: int, within: int, later: int, after: int, chance: int, salt: int,
    tag: int,
) -> int:  # fmt: skip
    """Put what follows on the state in `s` among the `within` states of the pool `inner`, or the `after` of the pool `later`.

    Gives both numbers, `within` in the higher half.
    """
    turn = s[COUNTED]
    word = x[HASH]
    other = x[OTHER_HASH]
    seed = x[SEED]
    end = legal(s, g, w, x, m, 0)
    move = 0
    while move < end:
        apply(s, g, w, x, t, r, m, move)
        if x[FAULT] != 0:
            x[FAULT] = 0
        else:
            y[NODES] += 1
            worth = c[SIGN] * value(s, g, w, x)
            if s[POINT] < 0:
                note_line(m, n, y, k, link, move, worth)
                if worth >= b[ENOUGH]:
                    b[STOP] = 1
            else:
                promise = nearness(s, c, f, worth) + LEAST
                if chance > 0:
                    promise += remainder(mixed(x[HASH] ^ salt), chance)
                promise = (promise << LEFT) + min(spent_of(s, c), (1 << LEFT) - 1)
                if is_worse(d, noted, place_of(x, c), kept_of(x, c), promise, tag) == 0:
                    pool = inner
                    count = within
                    if s[COUNTED] != turn:
                        pool = later
                        count = after
                    if count == 2 * width:
                        greatest(e, pool, count, width)
                        count = width
                    at = e[pool + count] & ((1 << BITS) - 1)
                    e[pool + count] = (promise << BITS) + at
                    put_away(s, x, a, i, size, at, link)
                    for place in range(WIDTH):
                        j[at * WIDTH + place] = m[move + place]
                    count += 1
                    if s[COUNTED] != turn:
                        after = count
                    else:
                        within = count
        undo(s, x, t, 0)
        x[HASH] = word
        x[OTHER_HASH] = other
        x[SEED] = seed
        move += WIDTH
    return (within << 32) + after


def passage(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, f: Longs, b: Shared, y: Longs, k: Ints,
    a: Ints, i: Longs, j: Ints, e: Longs, d: Longs, n: Ints,
    size: int, width: int, noted: int, links: int, chance: int, salt: int, tag: int, few: int,
) -> int:  # fmt: skip
    """Go through all turns from the state in `s`, at most `width` states at each step. The best end is in `y` and `k`.

    Before a turn with at most `few` tiles to come, in one of its states, it leaves off: it gives where the states stand in `e`
    (in the higher half) and how many there are.

    `noted` is how many entries `d` has, `links` how many `n` has; every passage on the same `d` has a `tag` of its own.
    """
    for pool in range(3):
        for at in range(2 * width):
            e[pool * 2 * width + at] = pool * 2 * width + at
    here = 0
    inner = 2 * width
    later = 4 * width
    put_away(s, x, a, i, size, 0, 0)
    for place in range(WIDTH):
        j[place] = 0
    states = 1
    linked = 1
    after = 0
    first = 1
    while states > 0 and b[STOP] == 0:
        within = 0
        for number in range(states):
            at = e[here + number] & ((1 << BITS) - 1)
            take_up(s, x, a, i, size, at)
            link = 0
            if first == 0:
                if linked >= links:
                    return 0
                link = linked
                n[link * (WIDTH + 1)] = i[STATE * at + 3]
                for place in range(WIDTH):
                    n[link * (WIDTH + 1) + 1 + place] = j[at * WIDTH + place]
                linked += 1
            first = 0
            both = expanded(
                s, g, w, x, t, r, m, c, f, b, y, k, a, i, j, e, d, n, size, width, noted, link, inner, within, later, after,
                chance, salt, tag,
            )  # fmt: skip
            within = both >> 32
            after = both & ((1 << 32) - 1)
            if b[STOP] != 0:
                break
        pool = here
        if within > 0:
            here = inner
            inner = pool
            states = within
        else:
            here = later
            later = pool
            states = after
            after = 0
        if states > width:
            greatest(e, here, states, width)
            states = width
        if within == 0 and states > 0:
            take_up(s, x, a, i, size, e[here] & ((1 << BITS) - 1))
            if number_coming(s, c) <= few:
                return (here << 32) + states
    return 0
