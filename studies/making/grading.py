"""Five grades of difficulty: a weighted sum of features. docs/making.md says how the weights were fitted."""

from __future__ import annotations

from bisect import bisect
from math import log2

from rulewright.base.records import frozen

from .features import Features

WEIGHTS = {
    "luck": 0.06,
    "turns": 0.10,
    "branching": 0.15,
    "sacrifice": 0.25,
    "greedy": 0.30,
    "shallow": 0.30,
    "false keys": 0.40,
}
"""What each term of `terms_of` counts."""

THRESHOLDS = (1.0, 1.4, 1.8, 2.2)
"""Where grades 2, 3, 4 and 5 begin."""

GRADES = len(THRESHOLDS) + 1


@frozen
class Grade:
    """A number from 1 (easy) to 5, and the sum that it stands for."""

    number: int
    difficulty: float


def terms_of(features: Features) -> dict[str, float]:
    """What of the features is weighed, by name; each grows with the difficulty."""
    return {
        "luck": features.luck,
        "turns": log2(1 + features.turns),
        "branching": log2(features.branching),
        "sacrifice": 0.0 if not features.sacrifices else 1.0 + log2(features.first_sacrifice),
        "greedy": features.greedy_traps,
        "shallow": features.shallow_traps,
        "false keys": features.false_keys,
    }


def graded(features: Features) -> Grade:
    """The grade of a puzzle."""
    found = terms_of(features)
    difficulty = sum(weight * found[name] for name, weight in WEIGHTS.items())
    return Grade(1 + bisect(THRESHOLDS, difficulty), difficulty)
