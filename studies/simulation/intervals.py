"""Intervals for means and medians of samples, for a fixed number of games and for optional stopping.

- Student's t for the mean of a fixed number of values; its quantiles by the incomplete beta function, whose continued fraction
  is evaluated by Lentz's method.
- Order statistics for the median: an exact interval, which inverts the sign test.
- An asymptotic confidence sequence for the mean (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 2024):
  its intervals hold at all times together, so that one may stop when one likes what one sees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from rulewright.base.records import frozen

LEVEL = 0.95
"""The confidence level of intervals."""


@frozen
class Interval:
    """Numbers from `low` to `high`."""

    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends; None if it is not bounded."""
        return None if math.isinf(self.low) else (self.low, self.high)

    def excludes(self, value: float) -> bool:
        """Whether a number is outside."""
        return not self.low <= value <= self.high


UNKNOWN = Interval(-math.inf, math.inf)


@frozen
class Moments:
    """The number of values in a sample, their mean and their standard deviation."""

    count: int
    mean: float
    deviation: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Moments:
        """The moments of a sample that is not empty."""
        count, mean = len(values), math.fsum(values) / len(values)
        squares = math.fsum((value - mean) ** 2 for value in values)
        return cls(count, mean, math.sqrt(squares / (count - 1)) if count > 1 else 0.0)


def mean_interval(sample: Moments, level: float = LEVEL) -> Interval:
    """The interval of the mean by Student's t, for a number of values fixed in advance."""
    if sample.count < 2:
        return UNKNOWN
    half = student_quantile((1 + level) / 2, sample.count - 1) * sample.deviation / math.sqrt(sample.count)
    return Interval(sample.mean - half, sample.mean + half)


def sequence_interval(sample: Moments, planned: int, level: float = LEVEL) -> Interval:
    """The interval of the mean by a confidence sequence that is narrowest at about `planned` values.

    All of its intervals hold together with probability `level`, in the limit of many values.
    """
    if sample.count < 2:
        return UNKNOWN
    miss = -2 * math.log(1 - level)
    rate = (miss + math.log(miss + 1)) / planned
    spread = sample.count * rate + 1
    half = sample.deviation * math.sqrt(2 * spread / (sample.count**2 * rate) * math.log(math.sqrt(spread) / (1 - level)))
    return Interval(sample.mean - half, sample.mean + half)


def median_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """The interval of the median between two order statistics, for independent values of any distribution."""
    count, ordered = len(values), sorted(values)
    tail, rank, term = 0.0, 0, -count * math.log(2)
    while rank <= count // 2:
        tail += math.exp(term)
        if tail > (1 - level) / 2:
            break
        rank += 1
        term += math.log((count - rank + 1) / rank)
    return Interval(ordered[rank - 1], ordered[count - rank]) if rank else UNKNOWN


@lru_cache
def student_quantile(part: float, freedom: int) -> float:
    """The quantile `part` (at least one half) of Student's t with `freedom` degrees of freedom."""
    low, high = 0.0, 1.0
    while _student(high, freedom) < part:
        high *= 2
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, freedom) < part else (low, middle)
    return high


def _student(value: float, freedom: int) -> float:
    """The distribution function of Student's t at a nonnegative value."""
    return 1 - _incomplete_beta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2


def _incomplete_beta(at: float, first: float, second: float) -> float:
    """The regularized incomplete beta function."""
    if at in (0.0, 1.0):
        return at
    if at > (first + 1) / (first + second + 2):
        return 1 - _incomplete_beta(1 - at, second, first)
    logarithm = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    front = math.exp(logarithm + first * math.log(at) + second * math.log1p(-at)) / first
    return front * _fraction(at, first, second)


def _fraction(at: float, first: float, second: float) -> float:
    """The continued fraction of the incomplete beta function."""
    total, above, below = 1.0, 1.0, 0.0
    for term in range(10_000):
        half = term // 2
        if term == 0:
            factor = 1.0
        elif term % 2:
            factor = -(first + half) * (first + second + half) * at / ((first + 2 * half) * (first + 2 * half + 1))
        else:
            factor = half * (second - half) * at / ((first + 2 * half - 1) * (first + 2 * half))
        below = 1 / (1 + factor * below)
        above = 1 + factor / above
        total *= above * below
        if term and abs(above * below - 1) < 1e-15:
            break
    return total - 1
