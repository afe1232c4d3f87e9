"""Chance: a seed in the state, so that a game is a function of its seed and its choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct

from rulewright.base.records import frozen

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15

BATCH = 64
"""So many numbers are drawn at once."""


def next_seed(seed: int) -> int:
    """The state of chance after one draw (splitmix64, Steele, Lea and Flood 2014)."""
    return (seed + STEP) & MASK


def mix(seed: int) -> int:
    """64 well mixed bits of a seed."""
    z = seed
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@frozen
class _Lanes:
    """Numbers of 64 bits side by side in one large integer, as much room between them for their products."""

    ones: int
    steps: int
    mask: int
    apart: Struct

    def draws(self, seed: int) -> tuple[int, ...]:
        """`mix` of each of the states of chance that follow a seed."""
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
    """So many numbers of 64 bits, drawn one after another."""
    if number <= BATCH:
        return _lanes(number).draws(seed)
    return [draw for at in range(0, number, BATCH) for draw in draws((seed + at * STEP) & MASK, min(BATCH, number - at))]


def shuffled(items: Sequence[int], seed: int) -> tuple[tuple[int, ...], int]:
    """The items in an order drawn by chance (Fisher and Yates), and the state of chance after it."""
    order = list(items)
    number = len(order) - 1
    if number < 1:
        return tuple(order), seed
    for last, draw in zip(range(number, 0, -1), draws(seed, number), strict=True):
        other = draw % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), (seed + number * STEP) & MASK
