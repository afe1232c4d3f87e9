"""Five grades of difficulty: a weighted sum of features. docs/making.md says how the weights were fitted."""

from __future__ import annotations

from bisect import bisect
from math import log2

from rulewright.base.records import frozen

from .features import Features

WEIGHTS = {"space": 1.243, "sacrifice": 0.238, "greedy": 1.161, "shallow": 0.0, "false keys": 0.068, "luck": 0.0}
"""What each term of `terms_of` counts. Two would have been negative, beside the others; what they say is said already."""

THRESHOLDS = (5.5, 5.91, 6.21, 6.75)
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
        "space": log2(1 + features.moves * log2(features.branching)),
        "sacrifice": 0.0 if not features.sacrifices else 1.0 + log2(features.first_sacrifice),
        "greedy": features.greedy_traps,
        "shallow": features.shallow_traps,
        "false keys": features.false_keys,
        "luck": features.luck,
    }


def graded(features: Features) -> Grade:
    """The grade of a puzzle."""
    found = terms_of(features)
    difficulty = sum(weight * found[name] for name, weight in WEIGHTS.items())
    return Grade(1 + bisect(THRESHOLDS, difficulty), difficulty)
