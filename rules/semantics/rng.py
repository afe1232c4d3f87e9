"""Random numbers from a seed in the state: a game is a function of its seed and its choices."""

from __future__ import annotations

from collections.abc import Sequence

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def next_seed(seed: int) -> int:
    """The seed after one draw (splitmix64, Steele, Lea and Flood 2014)."""
    return (seed + STEP) & MASK


def mix(seed: int) -> int:
    """The 64 random bits of a seed."""
    z = seed
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def shuffled(items: Sequence[int], seed: int) -> tuple[tuple[int, ...], int]:
    """The items in random order (Fisher and Yates), and the seed after it."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        seed = next_seed(seed)
        other = mix(seed) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), seed
