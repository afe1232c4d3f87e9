"""Tabulates expressions of one variable with few values, narrowed by path conditions (the tests passed on the way)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING

from attrs import evolve

from rulewright.base.records import define, field, frozen

from .intervals import Interval

if TYPE_CHECKING:
    from .writer import Code

FEW = 256
"""The most values of a variable over which expressions are tabulated."""


@frozen
class ValueTable:
    """The value of an expression for each value in `domain` of the variable `argument`, which alone determines it."""

    argument: str
    domain: range
    values: tuple[int, ...]

    @property
    def interval(self) -> Interval:
        return Interval(min(self.values), max(self.values))


def identity(argument: str, domain: range) -> ValueTable | None:
    """The table of a variable itself; None if it has too many values, or none."""
    if not domain or len(domain) > FEW or domain.stop > 2 * FEW or domain.start < 0 >= domain.stop:
        return None
    return ValueTable(argument, domain, tuple(domain))


def combined(codes: Sequence[Code], function: Callable[..., int]) -> ValueTable | int | None:
    """A function of several codes: a table; a constant if all are constants; None if several variables determine it."""
    tables = [code.table for code in codes if code.known is None]
    if not tables:
        return int(function(*(code.known for code in codes)))
    first = tables[0]
    if first is None or any(table is None or table.argument != first.argument for table in tables):
        return None
    columns = [repeat(code.known) if code.known is not None or code.table is None else code.table.values for code in codes]
    return evolve(first, values=tuple(map(int, map(function, *columns))))


@define
class PathConditions:
    """The values still possible after the tests passed so far, by variable."""

    possible: dict[str, frozenset[int]] = field(factory=dict)

    def combined(self, codes: Sequence[Code], function: Callable[..., int]) -> ValueTable | int | None:
        """Like the function `combined`, but also a constant if only one value is possible."""
        table = combined(codes, function)
        if not isinstance(table, ValueTable):
            return table
        only = self.only_value(table)
        return table if only is None else only

    def only_value(self, table: ValueTable) -> int | None:
        """The value of an expression if only one is possible, else None."""
        possible = self.possible.get(table.argument)
        left = {v for k, v in zip(table.domain, table.values, strict=True) if possible is None or k in possible}
        return next(iter(left), 0) if len(left) <= 1 else None

    @contextmanager
    def assuming(self, code: Code, truth: bool) -> Iterator[None]:
        """Assume within the context that a condition is true, or false."""
        before = self.possible
        self.possible = dict(before)
        self._learn(code, truth)
        yield
        self.possible = before

    def _learn(self, code: Code, truth: bool) -> None:
        for part in code.parts if code.is_conjunction == truth else ():
            self._learn(part, truth)
        if code.negated is not None:
            self._learn(code.negated, not truth)
        table = code.table
        if table is not None:
            those = frozenset(k for k, v in zip(table.domain, table.values, strict=True) if bool(v) == truth)
            self.possible[table.argument] = self.possible.get(table.argument, those) & those
