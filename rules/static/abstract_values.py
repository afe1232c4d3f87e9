"""Abstract values: what is known of a number, a truth value, a tile or a set in a partially known state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rulewright.base.records import field, frozen
from rulewright.rules.model.terms import Kind

BoardCell = tuple[str, int]
"""A board, by the name of its variable, and a cell of it."""

SMALL = 64
"""Sets of values up to this size are stored exactly."""

HUGE = 10**9
"""Larger than any number of a game."""

NO_NEEDS: frozenset[BoardCell] = frozenset()


@frozen
class AbstractValue:
    """A value in `low..high`, and in `exact` if given. All cells in `needs` must get a tile before it can be nonzero.

    `cell` is the vacant cell whose future tile this value is.
    """

    low: int
    high: int
    exact: frozenset[int] | None = None
    needs: frozenset[BoardCell] = NO_NEEDS
    cell: BoardCell | None = None

    @property
    def values(self) -> frozenset[int] | None:
        """Every possible value, if there are few; else None."""
        if self.exact is not None:
            return self.exact
        return frozenset(range(self.low, self.high + 1)) if self.high - self.low < SMALL else None

    def is_apart_from(self, other: AbstractValue) -> bool:
        """Whether it is certainly another number."""
        if self.high < other.low or other.high < self.low:
            return True
        some, others = self.values, other.values
        return some is not None and others is not None and some.isdisjoint(others)

    @property
    def never(self) -> bool:
        """Whether it is certainly false."""
        return self.low == 0 == self.high

    @property
    def always(self) -> bool:
        """Whether it is certainly nonzero."""
        return self.low > 0 and not self.needs


def one_of(found: frozenset[int]) -> AbstractValue:
    """A value from a nonempty set."""
    return AbstractValue(min(found), max(found), found if len(found) <= SMALL else None)


@lru_cache(maxsize=4096)
def exactly(value: int) -> AbstractValue:
    return AbstractValue(value, value, frozenset((value,)))


@lru_cache(maxsize=64)
def tile_or_none(coming: frozenset[int]) -> AbstractValue:
    """The tile that may come to lie on a vacant cell."""
    return one_of(coming | {0})


YES, NO = exactly(1), exactly(0)
EITHER = frozenset((0, 1))
MAYBE = AbstractValue(0, 1, EITHER)


@frozen
class AbstractSet:
    """Possible elements, each with the condition of its membership; if `items` is None, at most `most` elements like `element`.

    `known` has the elements of an exact set.
    """

    items: tuple[tuple[AbstractValue, AbstractValue], ...] | None
    element: AbstractValue = MAYBE
    most: int = HUGE
    known: frozenset[int] | None = field(default=None, eq=False)


def maybe(needs: frozenset[BoardCell]) -> AbstractValue:
    return AbstractValue(0, 1, EITHER, needs)


def all_of(truths: Iterable[AbstractValue]) -> AbstractValue:
    """The conjunction: it needs everything that a part needs. A false part ends the evaluation."""
    needs, is_certain = NO_NEEDS, True
    for truth in truths:
        if truth.never:
            return NO
        needs |= truth.needs
        is_certain = is_certain and truth.always
    return YES if is_certain else maybe(needs)


def any_of(truths: Iterable[AbstractValue]) -> AbstractValue:
    """The disjunction: it needs what all its possible parts need. A certain part ends the evaluation."""
    possible: list[AbstractValue] = []
    for truth in truths:
        if truth.always:
            return YES
        if not truth.never:
            possible.append(truth)
    return maybe(frozenset.intersection(*(truth.needs for truth in possible))) if possible else NO


def join(members: Sequence[AbstractValue]) -> AbstractValue:
    """The least abstract value that covers all members (the join of the lattice)."""
    possible = [member.needs for member in members if not member.never]
    needs = frozenset.intersection(*possible) if possible else NO_NEEDS
    found = [member.values for member in members]
    if all(values is not None for values in found):
        union = frozenset().union(*(values for values in found if values is not None))
        if len(union) <= SMALL:
            return AbstractValue(min(union), max(union), union, needs)
    return AbstractValue(min(member.low for member in members), max(member.high for member in members), None, needs)


def clipped(value: AbstractValue, kind: Kind, members: Sequence[AbstractValue]) -> AbstractValue:
    """The least or greatest of several values, bounded by those that are certain members."""
    low, high = value.low, value.high
    if kind.is_least:
        high = min(member.high for member in members)
    else:
        low = max(member.low for member in members)
    exact = None if value.exact is None else frozenset(number for number in value.exact if low <= number <= high)
    return AbstractValue(low, high, exact, value.needs)


def any_element(domain: AbstractSet) -> AbstractValue:
    """An abstract value that covers every element of a set."""
    if domain.items is None:
        return domain.element
    values = [item for item, _ in domain.items] or [exactly(0)]
    return AbstractValue(min(value.low for value in values), max(value.high for value in values))
