"""Statistics of many games: counts that can be added in any order, and what is computed from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from attrs import field

from rulewright.base.records import define

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@define
class Tally:
    """Scores and lengths (in actions) of finished games; games cut short are only counted."""

    scores: Counter[int] = field(factory=Counter)
    lengths: Counter[int] = field(factory=Counter)
    unfinished: int = 0

    def add(self, other: Tally) -> None:
        self.scores += other.scores
        self.lengths += other.lengths
        self.unfinished += other.unfinished

    @property
    def games(self) -> int:
        return self.scores.total() + self.unfinished

    def ranks(self, rank: Callable[[int], str]) -> dict[str, int]:
        """How many games earned each rank, from the lowest score up."""
        found: dict[str, int] = {}
        for score in sorted(self.scores):
            if name := rank(score):
                found[name] = found.get(name, 0) + self.scores[score]
        return found


def describe(counts: Counter[int]) -> dict[str, Any]:
    """Mean, standard deviation, quantiles and histogram of a sample given as counts; null where it is empty."""
    total = counts.total()
    mean = sum(value * count for value, count in counts.items()) / total if total else None
    return {
        "mean": mean,
        "deviation": None if mean is None else deviation(counts, mean),
        "min": min(counts, default=None),
        "max": max(counts, default=None),
        "quantiles": {str(q): quantile(counts, q) for q in QUANTILES},
        "histogram": {str(value): counts[value] for value in sorted(counts)},
    }


def deviation(counts: Counter[int], mean: float) -> float:
    """The standard deviation of a sample; 0 for a single number."""
    total = counts.total()
    squares = sum(count * (value - mean) ** 2 for value, count in counts.items())
    return math.sqrt(squares / (total - 1)) if total > 1 else 0.0


def quantile(counts: Counter[int], part: float) -> int | None:
    """The least value that at least this part of the sample does not exceed."""
    needed, seen = part * counts.total(), 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= needed:
            return value
    return None
