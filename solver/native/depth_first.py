"""Depth first, every state once, cut by a bound: solver/exact.py in the native subset, for several threads at once.

Beside the arrays of rules/native/runtime.py: `c`, `z`, `q`, `u`, `p` of relaxed.py, `v` of seen.py, `h` bounds remembered by
board, `f` frames and `o` the children of each frame in order, `b` what the threads tell each other, `y` what this one tells its
caller, `k` the best plan that it found.

Threads begin at the same root and go different ways, for each passes over what another one is at, and comes back to it when
there is nothing else left (ABDADA, Weill 1996). A thread has looked at everything when it leaves the root.
"""

from __future__ import annotations

from ...rules.native.runtime import FAULT, HASH, OTHER_HASH, POINT, SEED, TRAIL, undo
from ...rules.native.words import Ints, Longs, Shared, wrap
from ..native.calls import WIDTH, apply, legal, value
from .entries import (
    BOARD,
    BY_SHARES,
    BY_TABLE,
    CONSTANT,
    COUNT,
    FIXED,
    KIND_OF,
    LISTED,
    LYING,
    MODE,
    PART_COUNT,
    PARTS,
    RELAXED_ENTRIES,
    SIGN,
    SUPPLIES,
    SUPPLY_COUNT,
    WAYS,
)
from .gathered import number_coming
from .refuted import by_branching
from .relaxed import SWEEPS, by_shares
from .seen import BUSY, FREE, NEAR, SEEN, claim, finish, look, recall, remember
from .travelled import standing

# More entries of `c`.
(
    RESOURCES, RESOURCE_COUNT, CHANCE, CELL_WORDS, KIND_WORDS, GUARDS, CLOSE, SEARCH_ENTRIES,
) = range(RELAXED_ENTRIES, RELAXED_ENTRIES + 8)  # fmt: skip
# RESOURCES: slot, what is added to it, its sign, and where its field begins. CELL_WORDS, KIND_WORDS: where random words for
# each cell and each kind begin in `z`; GUARDS: where the spare bits of the fields are; CLOSE: with how many tiles to come at
# most bounds are looked at more closely.

# What the threads tell each other.
BEST, STOP, ENOUGH, BUCKETS, BOUNDS = 0, 1, 2, 3, 4

# What a thread tells its caller, and the caller it: how deep it was when it left off (AT_ROOT: it begins), and after how many
# states it leaves off.
NODES, FOUND, FOUND_BEST, PLAN_LENGTH, CALLS, MADE, DEPTH, UNTIL = 0, 1, 2, 3, 4, 5, 6, 7
AT_ROOT = -1

# A frame.
MOVES, ORDER, ENTRIES, NEXT, LATER, ROUND, MARK, WORD, OTHER_WORD, CHANCE_WORD, LEFT, CHOSEN, ENTERED = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
)  # fmt: skip
FRAME = 13

ENDED, STOPPED, FAULTED, TOO_DEEP = 0, 1, 2, 3

PLACES = 20
"""An entry of `o` is how far below the greatest number the bound is, then the place of the move in `m` in so many bits."""

GREATEST = UNKNOWN = 1 << 31
"""All bounds are less."""

CLOSELY = 1
"""Added to the key of a board for the bound that was looked at more closely."""


def spent_of(s: Ints, c: Ints) -> int:
    """What a state has left to spend, packed."""
    packed = 0
    for resource in range(c[RESOURCE_COUNT]):
        at = c[RESOURCES] + 4 * resource
        packed = packed | ((s[c[at]] * c[at + 2] + c[at + 1]) << c[at + 3])
    return packed


def place_of(x: Longs, c: Ints) -> int:
    """The word that says where a state stands in the table."""
    return wrap(x[HASH] + x[SEED] * c[CHANCE])


def kept_of(x: Longs, c: Ints) -> int:
    """The word that is kept there."""
    return wrap(x[OTHER_HASH] + x[SEED] * 3 * c[CHANCE])


def key_of(s: Ints, c: Ints, z: Longs) -> int:
    """A word for what lies since the start and what is to come: that alone decides the bound by shares."""
    key = 1
    for at in range(c[LYING], s[c[COUNT]]):
        cell = s[c[LISTED] + at]
        key = wrap(key + z[c[CELL_WORDS] + cell] * (c[c[KIND_OF] + s[c[BOARD] + cell]] + 1))
    for supply in range(c[SUPPLY_COUNT]):
        base = c[c[SUPPLIES] + 2 * supply]
        for at in range(s[c[c[SUPPLIES] + 2 * supply + 1]]):
            key = wrap(key + z[c[KIND_WORDS] + c[c[KIND_OF] + s[base + at]]])
    return key


def known_bound(h: Shared, b: Shared, key: int, best: int) -> int:
    """The bound kept under a key; UNKNOWN when there is none, or it was not made as small as can be and does not suffice."""
    word = recall(h, b[BOUNDS], key)
    bound = (word >> 1) - GREATEST
    if word == 0 or (bound > best and word & 1 == 0):
        return UNKNOWN
    return bound


def keep_bound(h: Shared, b: Shared, key: int, best: int, bound: int) -> None:
    """Keep a bound, and whether it is as small as can be: all was done that there is to bring it down to the best plan."""
    remember(h, b[BOUNDS], key, ((bound + GREATEST) << 1) | (bound > best))


def bound_of(
    s: Ints, g: Ints, w: Ints, x: Longs, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, h: Shared, b: Shared, y: Longs,
    sweeps: int, few: int,
) -> int:  # fmt: skip
    """No end of a game that goes on from here is worth more. With at most `few` tiles to come more is done to show that it is
    not the best."""
    mode = c[MODE]
    if mode == BY_SHARES:
        best = b[BEST]
        key = key_of(s, c, z)
        bound = known_bound(h, b, key, best)
        if bound == UNKNOWN:
            bound = by_shares(s, c, z, q, u, p, best, sweeps)
            y[CALLS] += 1
            keep_bound(h, b, key, best, bound)
        if bound <= best or number_coming(s, c) > few:
            return bound
        key = wrap(key + CLOSELY)
        if c[WAYS] > 0:
            key = wrap(key + standing(s, c, z, q, c[CELL_WORDS]))
        less = known_bound(h, b, key, best)
        if less == UNKNOWN:
            less = min(bound, by_branching(s, c, z, q, u, p, best, sweeps))
            y[CALLS] += 1
            keep_bound(h, b, key, best, less)
        return min(bound, less)
    if mode == FIXED:
        return c[CONSTANT]
    if mode == BY_TABLE:
        at = c[CONSTANT]
        for part in range(c[PART_COUNT]):
            base = c[PARTS] + 3 * part
            at += (s[c[base]] - c[base + 1]) * c[base + 2]
        return c[at]
    return GREATEST - 1


def expand(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints,
    v: Shared, h: Shared, f: Longs, o: Longs, b: Shared, y: Longs, k: Ints, depth: int, me: int,
) -> int:  # fmt: skip
    """List the children of a state that are worth a look, the most promising first; note the ends among them."""
    frame = FRAME * depth
    first = f[frame + MOVES]
    end = legal(s, g, w, x, m, first)
    y[MADE] += (end - first) // WIDTH
    order = f[frame + ORDER]
    entries = 0
    mark = x[TRAIL]
    word = x[HASH]
    other = x[OTHER_HASH]
    chance = x[SEED]
    guards = z[c[GUARDS]]
    at = first
    while at < end:
        apply(s, g, w, x, t, r, m, at)
        if x[FAULT] != 0:
            return 0
        if s[POINT] < 0:
            worth = c[SIGN] * value(s, g, w, x)
            if worth > b[BEST]:
                b[BEST] = worth
                note_plan(m, f, y, k, depth, at, worth)
                if worth >= b[ENOUGH]:
                    b[STOP] = 1
        else:
            bound = bound_of(s, g, w, x, c, z, q, u, p, h, b, y, SWEEPS, c[CLOSE])
            left = spent_of(s, c)
            if bound > b[BEST] and look(v, b[BUCKETS], place_of(x, c), kept_of(x, c), left, guards, me) != SEEN:
                entry = ((GREATEST - bound) << PLACES) + (at - first)
                spot = order + entries
                while spot > order and o[spot - 1] > entry:
                    o[spot] = o[spot - 1]
                    spot -= 1
                o[spot] = entry
                entries += 1
        undo(s, x, t, mark)
        x[HASH] = word
        x[OTHER_HASH] = other
        x[SEED] = chance
        at += WIDTH
    f[frame + ENTRIES] = entries
    f[frame + NEXT] = 0
    f[frame + LATER] = 0
    f[frame + ROUND] = 0
    f[frame + MARK] = mark
    f[frame + WORD] = word
    f[frame + OTHER_WORD] = other
    f[frame + CHANCE_WORD] = chance
    f[frame + FRAME + MOVES] = end
    f[frame + FRAME + ORDER] = order + entries
    return 1


def note_plan(m: Ints, f: Longs, y: Longs, k: Ints, depth: int, last: int, worth: int) -> None:
    """Copy the moves on the way here, and the last one, unless what this thread has is as good."""
    if y[FOUND] == 1 and y[FOUND_BEST] >= worth:
        return
    y[FOUND] = 1
    y[FOUND_BEST] = worth
    y[PLAN_LENGTH] = depth + 1
    for d in range(depth + 1):
        at = last
        if d < depth:
            at = f[FRAME * d + CHOSEN]
        for n in range(WIDTH):
            k[WIDTH * d + n] = m[at + n]


def go_back(s: Ints, x: Longs, t: Ints, f: Longs, frame: int) -> None:
    """To the state of a frame."""
    undo(s, x, t, f[frame + MARK])
    x[HASH] = f[frame + WORD]
    x[OTHER_HASH] = f[frame + OTHER_WORD]
    x[SEED] = f[frame + CHANCE_WORD]


def on_path(x: Longs, f: Longs, depth: int, spent: int, guards: int) -> int:
    """Whether this thread is inside of the same state already, with no less left."""
    for d in range(depth):
        frame = FRAME * (d + 1)
        same = f[frame + WORD] == x[HASH] and f[frame + OTHER_WORD] == x[OTHER_HASH]
        if same and (((f[frame + LEFT] | guards) - spent) & guards) == guards:
            return 1
    return 0


def search(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints,
    v: Shared, h: Shared, f: Longs, o: Longs, b: Shared, y: Longs, k: Ints, deepest: int, me: int,
) -> int:  # fmt: skip
    """Look at everything that the state in `s` leads to, or go on with that. ENDED, or why not."""
    guards = z[c[GUARDS]]
    depth = y[DEPTH]
    if depth == AT_ROOT:
        depth = 0
        f[MOVES] = 0
        f[ORDER] = 0
        y[NODES] += 1
        if expand(s, g, w, x, t, r, m, c, z, q, u, p, v, h, f, o, b, y, k, 0, me) == 0:
            return FAULTED
    while b[STOP] == 0 and y[NODES] < y[UNTIL]:
        frame = FRAME * depth
        if f[frame + NEXT] == f[frame + ENTRIES]:
            if f[frame + LATER] > 0:
                f[frame + ENTRIES] = f[frame + LATER]
                f[frame + NEXT] = 0
                f[frame + LATER] = 0
                f[frame + ROUND] = 1
                continue
            if depth == 0:
                return ENDED
            depth -= 1
            frame = FRAME * depth
            left = frame + FRAME
            x[HASH] = f[left + WORD]
            x[OTHER_HASH] = f[left + OTHER_WORD]
            x[SEED] = f[left + CHANCE_WORD]
            finish(v, b[BUCKETS], place_of(x, c), kept_of(x, c), f[left + LEFT])
            go_back(s, x, t, f, frame)
            continue
        entry = o[f[frame + ORDER] + f[frame + NEXT]]
        f[frame + NEXT] += 1
        if GREATEST - (entry >> PLACES) <= b[BEST]:
            f[frame + NEXT] = f[frame + ENTRIES]
            continue
        at = f[frame + MOVES] + (entry & ((1 << PLACES) - 1))
        apply(s, g, w, x, t, r, m, at)
        spent = spent_of(s, c)
        place = place_of(x, c)
        kept = kept_of(x, c)
        known = look(v, b[BUCKETS], place, kept, spent, guards, me)
        if known == BUSY and f[frame + ROUND] == 0:
            o[f[frame + ORDER] + f[frame + LATER]] = entry
            f[frame + LATER] += 1
            known = SEEN
        if known == BUSY and on_path(x, f, depth, spent, guards):
            known = SEEN
        if known == SEEN:
            go_back(s, x, t, f, frame)
            continue
        if known == FREE:
            claim(v, b[BUCKETS], place, kept, spent, guards, max(NEAR - depth, 0), me)
        if depth + 2 >= deepest:
            return TOO_DEEP
        f[frame + CHOSEN] = at
        depth += 1
        f[FRAME * depth + LEFT] = spent
        y[NODES] += 1
        if expand(s, g, w, x, t, r, m, c, z, q, u, p, v, h, f, o, b, y, k, depth, me) == 0:
            return FAULTED
    y[DEPTH] = depth
    return STOPPED
