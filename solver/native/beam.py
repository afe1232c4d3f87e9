"""Beam search in the native subset: of all states after so many moves, only the most promising go on.

Beside the arrays of depth_first.py: `a` holds two layers of states, `i` the hashes, the seed and the link of each; `j` the
children found, each its parent and its move; `e` a number for each, the greater the more promising; `d` which states are among
them; `n` the links: where each came from, and by what move.
"""

from __future__ import annotations

from ...rules.native.runtime import FAULT, HASH, OTHER_HASH, POINT, SEED, undo
from ...rules.native.words import Ints, Longs, Shared
from .calls import WIDTH, apply, legal, value
from .depth_first import BEST, ENOUGH, FOUND, FOUND_BEST, PLAN_LENGTH, STOP, bound_of, kept_of, place_of, spent_of
from .entries import SIGN
from .gathered import NEVER
from .layers import STATE, greatest, put_away, take_up

CHILDREN = 32
"""Room for so many children of each state of a layer."""

BITS = 20
"""Children are numbered in so many bits."""

QUICK_SWEEPS = 2

MIDDLE = 1 << 22
"""Sums of bound and value lie this far on either side of zero at most, or are taken for that."""


def is_worse(d: Longs, size: int, place: int, kept: int, promise: int, layer: int) -> int:
    """Whether the same state is among the children with a better promise; notes this one if not."""
    at = place & (size - 1)
    for _ in range(8):
        spot = 3 * at
        if d[spot + 2] >> BITS != layer:
            break
        if d[spot] == kept:
            if d[spot + 1] >= promise:
                return 1
            break
        at = (at + 1) & (size - 1)
    d[3 * at] = kept
    d[3 * at + 1] = promise
    d[3 * at + 2] = layer << BITS
    return 0


def note_line(m: Ints, n: Ints, y: Longs, k: Ints, link: int, last: int, worth: int) -> None:
    """Copy the moves along the links, and the last one, unless what this thread has is as good."""
    if y[FOUND] == 1 and y[FOUND_BEST] >= worth:
        return
    length = 1
    at = link
    while at > 0:
        length += 1
        at = n[at * (WIDTH + 1)]
    y[FOUND] = 1
    y[FOUND_BEST] = worth
    y[PLAN_LENGTH] = length
    for place in range(WIDTH):
        k[(length - 1) * WIDTH + place] = m[last + place]
    at = link
    while at > 0:
        length -= 1
        for place in range(WIDTH):
            k[(length - 1) * WIDTH + place] = n[at * (WIDTH + 1) + 1 + place]
        at = n[at * (WIDTH + 1)]


def promise_of(s: Ints, c: Ints, bound: int, worth: int) -> int:
    """What may come of a state and what it has, then what it has left to spend."""
    return (max(0, min(bound + worth + MIDDLE, 2 * MIDDLE)) << 16) + (spent_of(s, c) & 65535)


def children(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints,
    h: Shared, b: Shared, y: Longs, k: Ints, i: Longs, j: Ints, e: Longs, d: Longs, n: Ints,
    noted: int, most: int, at: int, number: int, found: int, layer: int,
) -> int:  # fmt: skip
    """Add the children of the state in `s`, which is number `at` in `i`, to those found; gives how many there are, or -1."""
    end = legal(s, g, w, x, m, 0)
    move = 0
    while move < end and found < most:
        apply(s, g, w, x, t, r, m, move)
        if x[FAULT] != 0:
            return -1
        worth = c[SIGN] * value(s, g, w, x)
        if s[POINT] < 0:
            if worth > b[BEST]:
                b[BEST] = worth
                note_line(m, n, y, k, i[STATE * at + 3], move, worth)
                if worth >= b[ENOUGH]:
                    b[STOP] = 1
        else:
            bound = bound_of(s, g, w, x, c, z, q, u, p, h, b, y, QUICK_SWEEPS, NEVER)
            promise = promise_of(s, c, bound, worth)
            if bound > b[BEST] and is_worse(d, noted, place_of(x, c), kept_of(x, c), promise, layer) == 0:
                e[found] = (promise << BITS) + found
                j[found * (WIDTH + 1)] = number
                for place in range(WIDTH):
                    j[found * (WIDTH + 1) + 1 + place] = m[move + place]
                found += 1
        undo(s, x, t, 0)
        x[HASH] = i[STATE * at]
        x[OTHER_HASH] = i[STATE * at + 1]
        x[SEED] = i[STATE * at + 2]
        move += WIDTH
    return found


def beam(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints,
    h: Shared, b: Shared, y: Longs, k: Ints, a: Ints, i: Longs, j: Ints, e: Longs, d: Longs, n: Ints,
    size: int, width: int, noted: int, links: int, first: int,
) -> int:  # fmt: skip
    """Go through layers of at most `width` states until none is left; layers are numbered from `first` on.

    `noted` is how many entries `d` has, `links` how many `n` has. Gives the number of the last layer, 0 after a fault.
    """
    put_away(s, x, a, i, size, 0, 0)
    states = 1
    linked = 1
    layer = first
    here = 0
    while states > 0 and b[STOP] == 0 and linked + width < links:
        layer += 1
        found = 0
        for number in range(states):
            take_up(s, x, a, i, size, here + number)
            found = children(
                s, g, w, x, t, r, m, c, z, q, u, p, h, b, y, k, i, j, e, d, n, noted, width * CHILDREN, here + number, number,
                found, layer,
            )  # fmt: skip
            if found < 0:
                return 0
            if b[STOP] != 0:
                break
        states = min(found, width)
        greatest(e, 0, found, states)
        there = width - here
        for number in range(states):
            child = e[number] & ((1 << BITS) - 1)
            parent = here + j[child * (WIDTH + 1)]
            take_up(s, x, a, i, size, parent)
            n[linked * (WIDTH + 1)] = i[STATE * parent + 3]
            for place in range(WIDTH):
                m[place] = j[child * (WIDTH + 1) + 1 + place]
                n[linked * (WIDTH + 1) + 1 + place] = m[place]
            apply(s, g, w, x, t, r, m, 0)
            put_away(s, x, a, i, size, there + number, linked)
            linked += 1
        here = there
    return layer
