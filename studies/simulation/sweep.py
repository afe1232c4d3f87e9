"""Varies a clause over values: the rules with each value, and the results of their games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from rulewright.base.records import frozen

from .comparison import RulesInPlay
from .score_statistics import Interval, Moments, mean_interval

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
