"""Statistics of many games: counts that can be added in any order, and what is computed from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import TypedDict

from rulewright.base.records import define, field, frozen

# Intervals for means and medians of samples ---------------------------------------------------------------------------
# For a fixed number of games and for optional stopping.
#
# - Student's t for the mean of a fixed number of values; its quantiles by the incomplete beta function, whose continued
# fraction
#   is evaluated by Lentz's method.
# - Order statistics for the median: an exact interval, which inverts the sign test.
# - An asymptotic confidence sequence for the mean (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 2024):
#   its intervals hold at all times together, so that one may stop when one likes what one sees.


LEVEL = 0.95
"""By convention: the confidence level of intervals."""


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


def share_interval(count: int, total: int, level: float = LEVEL) -> Interval:
    """The interval of a share by the score test (Wilson, Journal of the American Statistical Association 1927); `total` > 0."""
    normal = NormalDist().inv_cdf((1 + level) / 2) ** 2
    middle = (count + normal / 2) / (total + normal)
    half = math.sqrt(normal * (count * (total - count) / total + normal / 4)) / (total + normal)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


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


# Statistics of many games ---------------------------------------------------------------------------------------------


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@define
class PlayerTally:
    """The own scores of a player in finished games; `first` counts the games in which the player is first, by the number of
    players who are."""

    scores: Counter[int] = field(factory=Counter)
    first: Counter[int] = field(factory=Counter)

    def add(self, other: PlayerTally) -> None:
        self.scores += other.scores
        self.first += other.first

    @property
    def wins(self) -> int:
        """The number of games that the player won alone."""
        return self.first[1]

    @property
    def draws(self) -> int:
        """The number of games in which others were first too."""
        return self.first.total() - self.wins

    def share(self, games: int) -> float:
        """The share of `games` that the player won, a first place shared by k counting 1/k."""
        return sum(count / winners for winners, count in self.first.items()) / games

    def share_error(self, games: int) -> float:
        """The standard error of the share."""
        squares = sum(count / winners**2 for winners, count in self.first.items())
        variance = (squares - games * self.share(games) ** 2) / (games - 1) if games > 1 else 0.0
        return math.sqrt(max(0.0, variance) / games)


@define
class Tally:
    """Scores and lengths (in actions) of finished games; games cut short are only counted.

    `players` are those who have a score of their own or can win, by number.
    """

    scores: Counter[int] = field(factory=Counter)
    lengths: Counter[int] = field(factory=Counter)
    unfinished: int = 0
    players: dict[int, PlayerTally] = field(factory=dict)

    def add(self, other: Tally) -> None:
        self.scores += other.scores
        self.lengths += other.lengths
        self.unfinished += other.unfinished
        for player, tally in other.players.items():
            self.players.setdefault(player, PlayerTally()).add(tally)

    def finish(self, score: int, length: int, own: Sequence[int] = (), outcomes: Sequence[int] = ()) -> None:
        """Count a game: its score and length, each player's own score, and each player's outcome (-1: not first)."""
        self.scores[score] += 1
        self.lengths[length] += 1
        winners = sum(outcome >= 0 for outcome in outcomes)
        for player in range(1, max(len(own), len(outcomes)) + 1):
            tally = self.players.setdefault(player, PlayerTally())
            if own:
                tally.scores[own[player - 1]] += 1
            if outcomes and outcomes[player - 1] >= 0:
                tally.first[winners] += 1

    @property
    def games(self) -> int:
        return self.scores.total() + self.unfinished

    @property
    def winners_are_known(self) -> bool:
        """Whether the rules say who wins."""
        return any(tally.first for tally in self.players.values())

    def ranks(self, rank: Callable[[int], str]) -> dict[str, int]:
        """The number of games that earned each rank, from the lowest score up."""
        found: dict[str, int] = {}
        for score in sorted(self.scores):
            if name := rank(score):
                found[name] = found.get(name, 0) + self.scores[score]
        return found


class Sample(TypedDict):
    """The distribution of a number: quantiles by their share, how often each value occurred; null for an empty sample."""

    mean: float | None
    deviation: float | None
    min: int | None
    max: int | None
    quantiles: dict[str, int | None]
    histogram: dict[str, int]


def describe(counts: Counter[int]) -> Sample:
    """Mean, standard deviation, quantiles and histogram of a sample given as counts; null if it is empty."""
    total = counts.total()
    mean = mean_of(counts) if total else None
    return {
        "mean": mean,
        "deviation": None if mean is None else deviation(counts, mean),
        "min": min(counts, default=None),
        "max": max(counts, default=None),
        "quantiles": {str(q): quantile(counts, q) for q in QUANTILES},
        "histogram": {str(value): counts[value] for value in sorted(counts)},
    }


def mean_of(counts: Counter[int]) -> float:
    """The mean of a sample that is not empty."""
    return sum(value * count for value, count in counts.items()) / counts.total()


def deviation(counts: Counter[int], mean: float) -> float:
    """The standard deviation of a sample; 0 for a single number."""
    total = counts.total()
    squares = sum(count * (value - mean) ** 2 for value, count in counts.items())
    return math.sqrt(squares / (total - 1)) if total > 1 else 0.0


def quantile(counts: Counter[int], part: float) -> int | None:
    """The least value that at least the share `part` of the sample does not exceed."""
    needed, seen = part * counts.total(), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    return None
