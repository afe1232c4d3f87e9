"""States kept side by side, and the most promising of them, for kernels that look ahead in breadth. In the native subset.

`a` holds the states, `i` for each its hashes, its seed and a mark.
"""

from __future__ import annotations

from ...rules.native.runtime import HASH, OTHER_HASH, SEED, TRAIL
from ...rules.native.words import Ints, Longs

STATE = 4
"""Words for each state beside its slots."""


def put_away(s: Ints, x: Longs, a: Ints, i: Longs, size: int, at: int, mark: int) -> None:
    """Keep the state as number `at`, and a mark with it."""
    for slot in range(size):
        a[at * size + slot] = s[slot]
    i[STATE * at] = x[HASH]
    i[STATE * at + 1] = x[OTHER_HASH]
    i[STATE * at + 2] = x[SEED]
    i[STATE * at + 3] = mark


def take_up(s: Ints, x: Longs, a: Ints, i: Longs, size: int, at: int) -> None:
    for slot in range(size):
        s[slot] = a[at * size + slot]
    x[HASH] = i[STATE * at]
    x[OTHER_HASH] = i[STATE * at + 1]
    x[SEED] = i[STATE * at + 2]
    x[TRAIL] = 0


def greatest(e: Longs, first: int, count: int, number: int) -> None:
    """Bring so many of the greatest numbers of a stretch to its front (Hoare's selection)."""
    low = first
    high = first + count - 1
    last = first + number - 1
    while low < high:
        pivot = e[(low + high) >> 1]
        up = low
        down = high
        while up <= down:
            while e[up] > pivot:
                up += 1
            while e[down] < pivot:
                down -= 1
            if up <= down:
                word = e[up]
                e[up] = e[down]
                e[down] = word
                up += 1
                down -= 1
        if last <= down:
            high = down
        elif last >= up:
            low = up
        else:
            break
