"""Five grades of difficulty: a weighted sum of features. docs/making.md says how the weights were fitted."""

from __future__ import annotations

from bisect import bisect
from math import log2

from rulewright.base.records import frozen

from .features import Features

WEIGHTS = {
    "luck": 0.051,
    "turns": 0.037,
    "branching": 0.903,
    "sacrifice": 0.0,
    "greedy": 0.529,
    "shallow": 1.034,
    "false keys": 0.230,
}
"""What each term of `terms_of` counts. That of sacrifices would have been negative: what they say the traps say already."""

THRESHOLDS = (3.0, 3.3, 3.81, 4.42)
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
