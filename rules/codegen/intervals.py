"""Interval arithmetic on integers: the range of a computed value, and comparisons that ranges decide."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.semantics.algebra import arithmetic, compare

EQUALITY = (Comparison.EQUAL, Comparison.UNEQUAL)


@frozen
class Interval:
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def values(self) -> range:
        return range(self.low, self.high + 1)

    def includes(self, other: Interval) -> bool:
        return self.low <= other.low and other.high <= self.high


TRUTH = Interval(0, 1)


def hull(*intervals: Interval | None) -> Interval | None:
    """The least interval that includes all of them; None if one is unknown."""
    known = [interval for interval in intervals if interval is not None]
    if len(known) < len(intervals) or not known:
        return None
    return Interval(min(i.low for i in known), max(i.high for i in known))


def total(terms: Sequence[Interval | None], times: int | None) -> Interval | None:
    """The interval of a sum in which each term occurs 0 to `times` times; None if unknown."""
    known = [term for term in terms if term is not None]
    if len(known) < len(terms) or times is None:
        return None
    return Interval(sum(min(0, term.low) for term in known) * times, sum(max(0, term.high) for term in known) * times)


def combined(operator: Operator, left: Interval | None, right: Interval | None) -> Interval | None:
    """The interval of a result, with division by zero giving 0; None if unknown."""
    if left is None or right is None:
        return None
    match operator:
        case Operator.PLUS | Operator.MINUS | Operator.TIMES:
            corners = [arithmetic(operator, a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
            return Interval(min(corners), max(corners))
        case Operator.DIV:
            most = max(abs(left.low), abs(left.high))
            return Interval(0 if left.low >= 0 and right.low >= 0 else -most - 1, most)
        case Operator.MOD:
            return Interval(min(right.low + 1, 0), max(right.high - 1, 0))


def decided(operator: Comparison, left: Interval | None, right: Interval | None) -> int | None:
    """The truth value of a comparison if it is the same for all values of both intervals, else None."""
    if left is None or right is None:
        return None
    overlap = left.low <= right.high and right.low <= left.high
    if operator in EQUALITY and overlap and not left.low == left.high == right.low == right.high:
        return None
    found = {compare(operator, one, other) for one in (left.low, left.high) for other in (right.low, right.high)}
    return found.pop() if len(found) == 1 else None
