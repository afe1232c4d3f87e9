"""Five grades of difficulty: a weighted sum of features. docs/making.md says how the weights were fitted."""

from __future__ import annotations

from bisect import bisect
from math import log2

from rulewright.base.records import frozen

from .features import Features

WEIGHTS = {
    "space": 0.0,
    "width": 0.545,
    "greedy": 0.31,
    "shallow": 0.259,
    "sacrifice": 0.126,
    "false keys": 0.374,
    "near keys": 0.019,
    "turns": 0.125,
}
"""The weights of the terms of `terms_of`. One would have been negative beside the others, which already express it."""

THRESHOLDS = (3.43, 3.9, 4.69, 5.28)
"""The least sums of grades 2, 3, 4 and 5."""


@frozen
class Grade:
    """A grade from 1 (easy) to 5, and the sum it comes from."""

    number: int
    difficulty: float


def terms_of(features: Features) -> dict[str, float]:
    """The weighted terms of the features, by name; each grows with the difficulty."""
    return {
        "space": log2(1 + features.choice),
        "width": log2(features.branching),
        "greedy": log2(1 + features.greedy_bits),
        "shallow": log2(1 + features.shallow_bits),
        "sacrifice": 0.0 if not features.sacrifices else 1.0 + log2(features.first_sacrifice),
        "false keys": features.false_keys,
        "near keys": log2(1 + features.near_keys),
        "turns": log2(features.turns),
    }


def graded(features: Features) -> Grade:
    """The grade of a puzzle."""
    found = terms_of(features)
    difficulty = sum(weight * found[name] for name, weight in WEIGHTS.items())
    return Grade(1 + bisect(THRESHOLDS, difficulty), difficulty)
