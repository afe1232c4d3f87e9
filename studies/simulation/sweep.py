"""Varies a clause over values: the rules with each value, and the results of their games."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from itertools import product

from rulewright.base.records import frozen

from .comparison import RulesInPlay
from .score_statistics import LEVEL, Interval, Moments, mean_interval

MOST_VALUES = 64
"""The maximum number of rule sets compared."""

_PLACE = re.compile(r"\{([^{}]*)\}")
_CELL = re.compile(r"\s*([A-Za-z_]\w*)\.(.+?)\s*=\s*([^=]+)")
_RANGE = re.compile(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*(?:by\s+([1-9]\d*)\s*)?")
_LIST = re.compile(r"\s*-?\d+\s*(,\s*-?\d+\s*)*")


class NotSwept(Exception):
    """A text does not denote a clause with values."""


@frozen
class SweptClause:
    """A clause by its name, its values, and the rule change with `{}` in place of the value."""

    name: str
    values: tuple[int, ...]
    change: str

    @classmethod
    def read(cls, text: str) -> SweptClause:
        """Read `allowance.tokens[1] = 2..6`, or a change with its values in braces: `change worth: replace lamp: {1..4}`.

        Raises `NotSwept`.
        """
        if place := _PLACE.search(text):
            name = _PLACE.sub("…", text).removeprefix("change ").strip()
            return cls(name, _values(place[1]), text[: place.start()] + "{}" + text[place.end() :])
        cell = _CELL.fullmatch(text)
        if cell is None:
            raise NotSwept(f"`{text}` is not a clause with values")
        return cls(f"{cell[1]}.{cell[2]}", _values(cell[3]), f"change {cell[1]}: {cell[2]} = {{}}")

    def changed(self, value: int) -> str:
        """The change that gives the clause a value."""
        return self.change.replace("{}", str(value))


@frozen
class SweptPoint:
    """The values of the clauses, in order, and the mean score under them; None if no game ended."""

    values: tuple[int, ...]
    games: int
    mean: float | None = None
    interval: Interval | None = None
    deviation: float | None = None

    @classmethod
    def of(cls, values: tuple[int, ...], rules: RulesInPlay) -> SweptPoint:
        """The point for the games under some rules."""
        scores = [end.score for end in rules.ends if end.length is not None]
        if not scores:
            return cls(values, len(rules.ends))
        moments = Moments.of(scores)
        return cls(values, len(rules.ends), moments.mean, mean_interval(moments), moments.deviation)


def grid(clauses: Sequence[SweptClause]) -> Iterator[tuple[tuple[int, ...], str]]:
    """Every combination of values, with the rule changes that set them."""
    for values in product(*(clause.values for clause in clauses)):
        yield values, "\n\n".join(clause.changed(value) for clause, value in zip(clauses, values, strict=True))


def _values(text: str) -> tuple[int, ...]:
    if found := _RANGE.fullmatch(text):
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        values = tuple(range(low, high + 1, step))
    elif _LIST.fullmatch(text):
        values = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    else:
        values = ()
    if not 1 <= len(values) <= MOST_VALUES:
        raise NotSwept(f"`{text.strip()}` is not a list of 1 to {MOST_VALUES} values")
    return values


# Luck and skill -------------------------------------------------------------------------------------------------------
# Luck and skill: the shares of the variance of scores due to chance and to the choice of policy.
#
# Variance-based sensitivity analysis (Sobol' 1993) of the score as a function of three independent things: chance outcomes in
# the game, the policy (uniform over some), and its random choices between moves it considers equal. Skill is the first-order
# index of the policy: the variance between the means of the policies. Luck is the total index of chance, by Jansen's
# estimator (1999): half of the mean squared difference of two games with the same policy and choices under different chance.
# In a game without chance such games are the same, and luck is 0. The rest is due to choices between equals; the interaction
# of policy and chance counts as luck.


RESAMPLES = 400
"""The number of bootstrap samples for the intervals."""


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
