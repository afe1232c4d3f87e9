"""Luck and skill: the shares of the variance of scores due to chance and to the choice of policy.

Variance-based sensitivity analysis (Sobol' 1993) of the score as a function of three independent things: chance outcomes in the
game, the policy (uniform over some), and its random choices between moves it considers equal. Skill is the first-order index of
the policy: the variance between the means of the policies. Luck is the total index of chance, by Jansen's estimator (1999):
half of the mean squared difference of two games with the same policy and choices under different chance. In a game without
chance such games are the same, and luck is 0. The rest is due to choices between equals; the interaction of policy and chance
counts as luck.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from rulewright.base.records import frozen

from .score_statistics import LEVEL, Interval

RESAMPLES = 400
"""By convention: bootstrap samples for the intervals."""


@frozen
class PolicyScores:
    """The scores of a policy in some games, and in the same games with other chance outcomes."""

    policy: str
    scores: tuple[int, ...]
    others: tuple[int, ...]


@frozen
class LuckAndSkill:
    """Shares of the variance, with percentile bootstrap intervals over games; None if all scores are equal."""

    policies: tuple[PolicyScores, ...]
    skill: float | None
    luck: float | None
    skill_interval: Interval | None = None
    luck_interval: Interval | None = None

    @classmethod
    def of(cls, policies: Sequence[PolicyScores], seed: int = 0) -> LuckAndSkill:
        """Needs at least two policies and two games."""
        games = len(policies[0].scores)
        found = _parts(policies, range(games))
        if found is None:
            return cls(tuple(policies), None, None)
        chance = random.Random(seed)
        samples = [_parts(policies, chance.choices(range(games), k=games)) for _ in range(RESAMPLES)]
        known = [sample for sample in samples if sample is not None]
        skills, lucks = (_middle([sample[part] for sample in known]) for part in (0, 1))
        return cls(tuple(policies), *found, skills, lucks)


def _parts(policies: Sequence[PolicyScores], numbers: Sequence[int]) -> tuple[float, float] | None:
    """The shares of skill and luck in some games."""
    rows = [[policy.scores[number] for number in numbers] for policy in policies]
    every = [score for row in rows for score in row]
    total = _variance(every)
    if not total:
        return None
    means = [math.fsum(row) / len(row) for row in rows]
    # Differences of the means by chance alone are not skill.
    noise = math.fsum(_variance(row) * len(row) / (len(row) - 1) for row in rows) / len(rows) / len(numbers)
    skill = _variance(means) - noise * (len(rows) - 1) / len(rows)
    squares = [(policy.scores[number] - policy.others[number]) ** 2 for policy in policies for number in numbers]
    return max(0.0, skill) / total, math.fsum(squares) / len(squares) / 2 / total


def _variance(values: Sequence[float]) -> float:
    """The population variance."""
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)


def _middle(values: Sequence[float]) -> Interval:
    ordered = sorted(values)
    out = int((1 - LEVEL) / 2 * len(ordered))
    return Interval(ordered[out], ordered[-1 - out])
