"""Random numbers from a seed in the state: a game is a function of its seed and its choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct

from rulewright.base.records import frozen

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15

BATCH = 64
"""The most numbers drawn by one computation."""


def next_seed(seed: int) -> int:
    """The seed after one draw (splitmix64, Steele, Lea and Flood 2014)."""
    return (seed + STEP) & MASK


def mix(seed: int) -> int:
    """The 64 random bits of a seed."""
    z = seed
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@frozen
class _Lanes:
    """Numbers of 64 bits packed into one large integer, 128 bits apart so that products do not overlap."""

    ones: int
    steps: int
    mask: int
    apart: Struct

    def draws(self, seed: int) -> tuple[int, ...]:
        """`mix` of each of the seeds that follow a seed."""
        mask = self.mask
        z = (seed * self.ones + self.steps) & mask
        z = (((z ^ (z >> 30)) & mask) * 0xBF58476D1CE4E5B9) & mask
        z = (((z ^ (z >> 27)) & mask) * 0x94D049BB133111EB) & mask
        return self.apart.unpack((z ^ (z >> 31)).to_bytes(self.apart.size, "little"))


@lru_cache(maxsize=BATCH)
def _lanes(number: int) -> _Lanes:
    ones = sum(1 << 128 * at for at in range(number))
    steps = sum(((at + 1) * STEP & MASK) << 128 * at for at in range(number))
    return _Lanes(ones, steps, ones * MASK, Struct("<" + "Q8x" * number))


def draws(seed: int, number: int) -> Sequence[int]:
    """So many random numbers of 64 bits, in order."""
    if number <= BATCH:
        return _lanes(number).draws(seed)
    return [draw for at in range(0, number, BATCH) for draw in draws((seed + at * STEP) & MASK, min(BATCH, number - at))]


def drawn(items: Sequence[int], seed: int) -> tuple[int, int]:
    """One of at least one item, each as likely as any other, and the seed after it. A single one takes no chance."""
    if len(items) == 1:
        return items[0], seed
    return items[draws(seed, 1)[0] % len(items)], next_seed(seed)


def shuffled(items: Sequence[int], seed: int) -> tuple[tuple[int, ...], int]:
    """The items in random order (Fisher and Yates), and the seed after it."""
    order = list(items)
    number = len(order) - 1
    if number < 1:
        return tuple(order), seed
    for last, draw in zip(range(number, 0, -1), draws(seed, number), strict=True):
        other = draw % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), (seed + number * STEP) & MASK
