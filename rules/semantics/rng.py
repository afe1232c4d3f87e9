"""Random numbers from a seed in the state: a game is a function of its seed and its choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from struct import Struct

from rulewright.base.records import frozen

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
"""Layout of a seed: its bits, and the odd step from one to the next (splitmix64: Steele, Lea and Flood 2014)."""

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
class Script:
    """Scripted chance in place of a seed: the number of the outcome of each draw. Used to enumerate all outcomes."""

    outcomes: tuple[int, ...]

    def next(self, weights: tuple[int, ...]) -> tuple[int, Script]:
        """The outcome of a draw, and the rest of the script. Raises `Unscripted` at its end."""
        if not self.outcomes:
            raise Unscripted(weights)
        return self.outcomes[0], Script(self.outcomes[1:])


class Unscripted(Exception):
    """A draw beyond the end of a script, with the relative weights of its outcomes."""

    def __init__(self, weights: tuple[int, ...]) -> None:
        super().__init__(weights)
        self.weights = weights


Seed = int | Script
"""The source of chance."""


@frozen
class _Lanes:
    """64-bit numbers packed into one large integer, 128 bits apart so that products do not overlap."""

    ones: int
    steps: int
    mask: int
    apart: Struct

    def draws(self, seed: int) -> tuple[int, ...]:
        """`mix` of each of the seeds that follow `seed`."""
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
    """`number` random 64-bit numbers, in order."""
    if number <= BATCH:
        return _lanes(number).draws(seed)
    return [draw for at in range(0, number, BATCH) for draw in draws((seed + at * STEP) & MASK, min(BATCH, number - at))]


def drawn(items: Sequence[int], seed: Seed) -> tuple[int, Seed]:
    """One of the items (at least one), all equally likely, and the next seed. A single item uses no randomness."""
    if len(items) == 1:
        return items[0], seed
    if isinstance(seed, Script):
        counts = Counter(items)
        outcome, rest = seed.next(tuple(counts.values()))
        return list(counts)[outcome], rest
    return items[draws(seed, 1)[0] % len(items)], next_seed(seed)


def shuffled(items: Sequence[int], seed: Seed) -> tuple[tuple[int, ...], Seed]:
    """The items in random order (Fisher and Yates), and the next seed."""
    order = list(items)
    number = len(order) - 1
    if number < 1:
        return tuple(order), seed
    if isinstance(seed, Script):
        return _arranged(order, seed)
    for last, draw in zip(range(number, 0, -1), draws(seed, number), strict=True):
        other = draw % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order), (seed + number * STEP) & MASK


def _arranged(items: Sequence[int], script: Script) -> tuple[tuple[int, ...], Script]:
    """The items in the order of a script, one by one; equal items are one outcome."""
    left, order = Counter(items), list[int]()
    while len(left) > 1:
        outcome, script = script.next(tuple(left.values()))
        item = list(left)[outcome]
        order.append(item)
        left[item] -= 1
        left += Counter()  # removes items with a count of 0
    return (*order, *left.elements()), script
