"""Rules beside each other by paired games: game n under all of them has the same seeds, so that much of chance cancels out.

Without a precision so many games are played as were asked for. With one, play stops when every difference is clear: when its
interval excludes 0, or is as narrow as asked for. Intervals are those of a confidence sequence then, which may be looked at
after every batch; by Student's t, stopping so would claim differences that are none far too often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property

from attrs import field

from rulewright.base.records import define, frozen

from .intervals import UNKNOWN, Interval, Moments, mean_interval, median_interval, median_of, sequence_interval
from .playouts import GameEnd, Playouts, tally_of
from .score_statistics import Tally

FIRST_BATCH, GROWTH = 100, 0.5
"""The games before the first look, and of each further batch as a part of those that were played."""


class Verdict(Enum):
    """What a difference comes to; `SAME`: no game differs, `CLOSE`: it is less than the precision asked for."""

    MORE = "more"
    LESS = "less"
    SAME = "same"
    CLOSE = "close"
    UNCLEAR = "unclear"


@frozen
class Precision:
    """The half of an interval's width that is narrow enough, and the most games."""

    half_width: float | None
    games: int


@frozen
class Difference:
    """Of a number of a game under other rules less that under the first, in pairs."""

    values: tuple[int, ...]
    precision: Precision

    @cached_property
    def moments(self) -> Moments:
        """Of the differences; there is at least one."""
        return Moments.of(self.values)

    @property
    def is_sequential(self) -> bool:
        return self.precision.half_width is not None

    @cached_property
    def interval(self) -> Interval:
        """Where the mean difference is."""
        if self.is_sequential:
            return sequence_interval(self.moments, self.precision.games)
        return mean_interval(self.moments)

    @cached_property
    def median(self) -> float:
        return median_of(self.values)

    @cached_property
    def median_interval(self) -> Interval:
        """Where the median of the differences is; unknown where games were stopped by looking at them."""
        return UNKNOWN if self.is_sequential else median_interval(self.values)

    @cached_property
    def verdict(self) -> Verdict:
        """What is clear."""
        if not any(self.values):
            return Verdict.SAME
        if self.interval.excludes(0):
            return Verdict.MORE if self.moments.mean > 0 else Verdict.LESS
        narrow = self.precision.half_width
        return Verdict.CLOSE if narrow is not None and self.interval.half <= narrow else Verdict.UNCLEAR

    @property
    def is_clear(self) -> bool:
        """Whether more games would not be needed. That no game differs is clear only at the end."""
        return self.verdict in (Verdict.MORE, Verdict.LESS, Verdict.CLOSE)


@define(eq=False)
class RulesInPlay:
    """Games under some rules, by number."""

    title: str
    playouts: Playouts
    ends: list[GameEnd] = field(factory=list)

    @property
    def tally(self) -> Tally:
        """Their counts."""
        return tally_of(self.ends)

    def ranks(self) -> dict[str, int]:
        """How many games earned each rank."""
        return self.tally.ranks(self.playouts.simulator.engine.rank)


@define(eq=False)
class Comparison:
    """The first rules and the others. Games that were cut under one of two are left out of their pairs."""

    first: RulesInPlay
    others: Sequence[RulesInPlay]
    precision: Precision

    @property
    def all(self) -> tuple[RulesInPlay, ...]:
        return (self.first, *self.others)

    @property
    def games(self) -> int:
        """How many were played under all of the rules."""
        return min(len(rules.ends) for rules in self.all)

    def pairs(self, other: RulesInPlay) -> list[tuple[GameEnd, GameEnd]]:
        """The games that ended under the first rules and under others."""
        found = zip(self.first.ends, other.ends, strict=False)
        return [(one, two) for one, two in found if one.length is not None and two.length is not None]

    def scores(self, other: RulesInPlay) -> Difference | None:
        """How much higher scores are; None where no game ended."""
        values = tuple(two.score - one.score for one, two in self.pairs(other))
        return Difference(values, self.precision) if values else None

    def lengths(self, other: RulesInPlay) -> Difference | None:
        """How much longer games are, in actions."""
        values = tuple((two.length or 0) - (one.length or 0) for one, two in self.pairs(other))
        return Difference(values, self.precision) if values else None

    @property
    def is_clear(self) -> bool:
        """Whether all differences of scores are."""
        found = [self.scores(other) for other in self.others]
        return all(difference is not None and difference.is_clear for difference in found)


def play(comparison: Comparison) -> Iterator[int]:
    """Play the games, by batches; yields how many were played more under all of the rules."""
    precision = comparison.precision
    while (played := comparison.games) < precision.games:
        more = max(FIRST_BATCH, int(GROWTH * played)) if precision.half_width is not None else precision.games
        numbers = range(played, min(precision.games, played + more))
        streams = [rules.playouts.games(numbers) for rules in comparison.all]
        for rules, stream in zip(comparison.all, streams, strict=True):
            for ends in stream:
                before = comparison.games
                rules.ends += ends
                if comparison.games > before:
                    yield comparison.games - before
        if precision.half_width is not None and comparison.is_clear:
            return
