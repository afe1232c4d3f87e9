"""The states that have been seen, in a table of fixed size that threads share. In the native subset.

A state is known by two words of hash: one says where in the table it may stand, the other is kept. What it has left to spend
is packed into one word, a field for each resource with a bit to spare above it, so that one subtraction compares all fields: a
state need not be looked at when another one has been seen that is equal but for resources of which it has no less.

When a bucket is full, the entry that is farthest from the start goes: what is forgotten is looked at again. Each entry is two
words, the first of them the kept hash mixed with the second, so that what two threads write at once fits nothing.
"""

from __future__ import annotations

from ...rules.native.words import Shared

WAYS = 4
"""Entries in a bucket."""

SPENT_BITS = 48
SPENT = (1 << SPENT_BITS) - 1
OWNER_AT, OWNER = 48, 63
NEAR_AT, NEAR = 54, 255
USED = 1 << 62

FREE, SEEN, BUSY = 0, 1, 2
"""Nobody has looked at it; done, or on the way here; another thread is at it."""


def look(v: Shared, buckets: int, place: int, kept: int, spent: int, guards: int, me: int) -> int:
    """What is known of a state. Threads are numbered from 1."""
    base = (place & (buckets - 1)) * 2 * WAYS
    answer = FREE
    for way in range(WAYS):
        data = v[base + 2 * way + 1]
        if data != 0 and (v[base + 2 * way] ^ data) == kept and ((((data & SPENT) | guards) - spent) & guards) == guards:
            owner = (data >> OWNER_AT) & OWNER
            if owner in (0, me):
                return SEEN
            answer = BUSY
    return answer


def claim(v: Shared, buckets: int, place: int, kept: int, spent: int, guards: int, near: int, me: int) -> None:
    """Note that this thread looks at a state; `near` is larger the nearer to the start it is."""
    base = (place & (buckets - 1)) * 2 * WAYS
    chosen = 0
    least = NEAR + 2
    for way in range(WAYS):
        data = v[base + 2 * way + 1]
        worth = (data >> NEAR_AT) & NEAR
        if data == 0:
            worth = -1
        elif (v[base + 2 * way] ^ data) == kept and (((spent | guards) - (data & SPENT)) & guards) == guards:
            worth = -2
        if worth < least:
            least = worth
            chosen = way
    data = USED | (near << NEAR_AT) | (me << OWNER_AT) | spent
    v[base + 2 * chosen + 1] = data
    v[base + 2 * chosen] = kept ^ data


def finish(v: Shared, buckets: int, place: int, kept: int, spent: int) -> None:
    """Note that everything a state leads to has been looked at."""
    base = (place & (buckets - 1)) * 2 * WAYS
    for way in range(WAYS):
        data = v[base + 2 * way + 1]
        if data != 0 and (data & SPENT) == spent and (v[base + 2 * way] ^ data) == kept:
            done = data & ~(OWNER << OWNER_AT)
            v[base + 2 * way + 1] = done
            v[base + 2 * way] = kept ^ done


def remember(h: Shared, entries: int, key: int, data: int) -> None:
    """Keep a word under a key until another comes to its place."""
    place = (key & (entries - 1)) * 2
    h[place + 1] = data
    h[place] = key ^ data


def recall(h: Shared, entries: int, key: int) -> int:
    """The word kept under a key, 0 when there is none."""
    place = (key & (entries - 1)) * 2
    data = h[place + 1]
    if (h[place] ^ data) == key:
        return data
    return 0
