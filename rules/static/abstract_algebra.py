"""Abstract interpretation of terms: an interval or a small set approximates a value; a truth value also records its needs.

An append-only board is read as it will be at the end: the tile on an occupied cell stays, a vacant cell may get any tile still
to come, and a condition that requires a tile there *needs* the cell. Used for upper bounds and for unsatisfiable conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import types
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.state import StateLayout, value_range
from rulewright.rules.model.terms import Kind
from rulewright.rules.semantics.algebra import Algebra, arithmetic, compare
from rulewright.rules.spaces.window import Function as SpaceFunction
from rulewright.rules.spaces.window import Window

from .abstract_values import (
    HUGE,
    MAYBE,
    NO,
    SMALL,
    YES,
    AbstractSet,
    AbstractValue,
    all_of,
    any_element,
    any_of,
    clipped,
    exactly,
    join,
    maybe,
    one_of,
    tile_or_none,
)

SUMMARISED = 16
"""Larger sets are summarised where exactness is not worth its cost."""

LARGEST_CLOSURE = 256
LARGEST_INTERVAL = 4096

Function = Callable[[AbstractValue], AbstractValue]


@define
class AbstractAlgebra(Algebra[AbstractValue, AbstractSet]):
    """The algebra of abstract values.

    `boards` has the tiles on the cells of append-only boards (0: none), `coming` the kinds of tile still to come. Any other
    variable may have any of its values. A set with more than `largest` elements is represented by one element that stands for
    all, so a computation over a whole board costs as much as for one cell.
    """

    instance: Instance
    layout: StateLayout
    boards: Mapping[str, Sequence[int]] = field(factory=dict)
    coming: frozenset[int] = frozenset()
    largest: int = field(default=HUGE, kw_only=True)

    def constant(self, value: int) -> AbstractValue:
        return exactly(value)

    def anything(self, variable: str) -> AbstractValue:
        """All values of a variable."""
        allowed = value_range(self.instance, self.layout.columns[variable].variable)
        return AbstractValue(allowed.start, allowed.stop - 1)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        board = self.boards.get(variable)
        if board is None or index is None or index.low != index.high:
            return self.anything(variable)
        tile = board[index.low]
        if tile:
            return exactly(tile)
        if index.low == len(board) - 1:
            return exactly(0)
        future = tile_or_none(self.coming)
        return AbstractValue(future.low, future.high, future.exact, cell=(variable, index.low))

    def zone(self, variable: str, index: AbstractValue | None) -> AbstractSet:
        most = self.instance.number_of_tiles
        return AbstractSet(None, AbstractValue(1, max(len(self.instance.game.tiles), 1)), most)

    def lookup(self, map: FiniteMap, key: AbstractValue) -> AbstractValue:
        if key.low == key.high:
            return exactly(map(key.low))
        keys = key.values
        if keys is None:
            return one_of(frozenset((*map.values, map.otherwise)))
        return one_of(frozenset(map(k) for k in keys))

    def branch(
        self,
        key: AbstractValue,
        subject: AbstractValue,
        family: Callable[[int, AbstractValue], AbstractValue],
        keys: Sequence[int],
    ) -> AbstractValue:
        if key.low == key.high:
            return family(key.low if key.low in keys else -1, subject)
        picked = key.values or frozenset((*keys, -1))
        return join([family(k if k in keys else -1, subject) for k in picked])

    def applied(self, function: SpaceFunction, window: Window, *arguments: AbstractValue) -> AbstractValue:
        if all(value.low == value.high for value in arguments):
            return exactly(window.function(function)(*(value.low for value in arguments)))
        match function:
            case SpaceFunction.DISTANCE:
                return AbstractValue(-1, window.size)
            case SpaceFunction.LEAP:
                return AbstractValue(0, window.size)
            case _:
                return AbstractValue(-1, len(window.directions) - 1)

    def row(self, rows: FiniteRows, key: AbstractValue) -> AbstractSet:
        if key.low == key.high:
            return self.known(rows(key.low))
        return AbstractSet(None, AbstractValue(*rows.range), rows.longest)

    def line(self, window: Window, cell: AbstractValue, direction: AbstractValue) -> AbstractSet:
        if cell.low == cell.high and direction.low == direction.high:
            return self.known(window.line(cell.low, direction.low))
        return AbstractSet(None, AbstractValue(0, window.size), window.size)

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: AbstractValue) -> AbstractSet:
        if cell.low != cell.high:
            return AbstractSet(None, AbstractValue(0, window.size), len(directions))
        near = dict.fromkeys(window.steps[d][cell.low] for d in directions)
        if not window.unbounded:
            near.pop(window.nowhere, None)
        return self.known(tuple(near))

    # Logic and numbers ------------------------------------------------------------------------

    def negation(self, value: AbstractValue) -> AbstractValue:
        if value.never:
            return YES
        return NO if value.always else MAYBE

    def conjunction(self, parts: Sequence[Callable[[], AbstractValue]]) -> AbstractValue:
        return all_of(part() for part in parts)

    def disjunction(self, parts: Sequence[Callable[[], AbstractValue]]) -> AbstractValue:
        return any_of(part() for part in parts)

    def choice(
        self, condition: AbstractValue, then: Callable[[], AbstractValue], otherwise: Callable[[], AbstractValue]
    ) -> AbstractValue:
        if condition.never:
            return otherwise()
        return then() if condition.always else join([then(), otherwise()])

    def compare(self, operator: Comparison, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        if left.low == left.high and right.low == right.high:
            return exactly(compare(operator, left.low, right.low))
        for one, other in ((left, right), (right, left)):
            if one.cell is None or other.low != other.high:
                continue
            if operator is Comparison.UNEQUAL and other.low == 0:
                return maybe(frozenset((one.cell,)))
            if operator is Comparison.EQUAL and other.low != 0:
                possible = one.exact is None or other.low in one.exact
                return maybe(frozenset((one.cell,))) if possible else NO
        if operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            return (NO if operator is Comparison.EQUAL else YES) if left.is_apart_from(right) else MAYBE
        corners = product((left.low, left.high), (right.low, right.high))
        return one_of(frozenset(compare(operator, low, high) for low, high in corners))

    def arithmetic(self, operator: Operator, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        some, others = left.values, right.values
        if some is not None and others is not None and len(some) * len(others) <= SMALL:
            return one_of(frozenset(arithmetic(operator, one, other) for one in some for other in others))
        if operator is Operator.MOD:
            return AbstractValue(min(right.low + 1, 0), max(right.high - 1, 0))
        if operator is Operator.DIV:
            most = max(abs(left.low), abs(left.high))
            return AbstractValue(-most - 1, most)
        corners = [arithmetic(operator, *corner) for corner in product((left.low, left.high), (right.low, right.high))]
        return AbstractValue(min(corners), max(corners))

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> AbstractSet:
        if len(values) > self.largest:
            return AbstractSet(None, AbstractValue(min(values), max(values)), len(values))
        return AbstractSet(tuple((exactly(v), YES) for v in values), known=frozenset(values))

    def listed(self, values: Sequence[AbstractValue]) -> AbstractSet:
        return self._each_once([(value, YES) for value in values])

    def interval(self, low: AbstractValue, high: AbstractValue) -> AbstractSet:
        if low.low == low.high and high.low == high.high and high.high - low.low < LARGEST_INTERVAL:
            return self.known(range(low.low, high.high + 1))
        return AbstractSet(None, AbstractValue(low.low, max(high.high, low.low)), max(0, high.high - low.low + 1))

    def board_cells(self, window: Window, board: str) -> AbstractSet:
        return self.known(range(window.size))

    def member(self, value: AbstractValue, domain: AbstractSet) -> AbstractValue:
        if domain.items is None:
            return NO if domain.most == 0 else MAYBE
        if domain.known is not None and value.cell is None:
            if value.low == value.high:
                return YES if value.low in domain.known else NO
            admitted = range(value.low, value.high + 1) if value.exact is None else value.exact
            return MAYBE if any(element in admitted for element in domain.known) else NO
        return any_of(all_of((guard, self.compare(Comparison.EQUAL, value, item))) for item, guard in domain.items)

    def size(self, domain: AbstractSet) -> AbstractValue:
        if domain.items is None:
            return AbstractValue(0, domain.most)
        return AbstractValue(sum(g.always for _, g in domain.items), sum(not g.never for _, g in domain.items))

    def top(self, pile: AbstractSet, bottom: bool) -> AbstractValue:
        return AbstractValue(0, pile.element.high)

    def joined(self, first: AbstractSet, second: AbstractSet) -> AbstractSet:
        if first.items is not None and second.items is not None:
            return AbstractSet((*first.items, *second.items))
        one, other = (any_element(part) for part in (first, second))
        element = AbstractValue(min(one.low, other.low), max(one.high, other.high))
        return AbstractSet(None, element, sum(part.most if part.items is None else len(part.items) for part in (first, second)))

    def those(self, domain: AbstractSet, where: Function) -> AbstractSet:
        if domain.items is None:
            return domain
        return AbstractSet(tuple(_present(domain.items, where)))

    def image(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractSet:
        if domain.items is None:
            return AbstractSet(None, body(domain.element), domain.most)
        return self._each_once([(body(item), inside) for item, inside in _present(domain.items, where)])

    def _each_once(self, items: Sequence[tuple[AbstractValue, AbstractValue]]) -> AbstractSet:
        """A set from elements that may be equal: a known value is a member if any of its occurrences is."""
        if len(items) == 1:
            return AbstractSet(tuple(items))
        known: dict[int, AbstractValue] = {}
        others = []
        for item, inside in items:
            if item.low == item.high:
                known[item.low] = any_of((known.get(item.low, NO), inside))
            else:
                others.append((item, maybe(inside.needs)))
        return AbstractSet((*((exactly(value), inside) for value, inside in known.items()), *others))

    def every(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            return MAYBE
        return all_of(body(item) if inside.always else MAYBE for item, inside in _present(domain.items, where))

    def some(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            return NO if domain.most == 0 else MAYBE
        return any_of(all_of((inside, body(item))) for item, inside in _present(domain.items, where))

    def total(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            worth = body(domain.element)
            return AbstractValue(min(0, worth.low) * domain.most, max(0, worth.high) * domain.most)
        low = high = 0
        for item, inside in _present(domain.items, where):
            worth = body(item)
            low += worth.low if inside.always else min(0, worth.low)
            high += worth.high if inside.always else max(0, worth.high)
        return AbstractValue(low, high)

    def extreme(self, kind: Kind, domain: AbstractSet, where: Function | None, body: Function) -> AbstractValue:
        items = [(domain.element, MAYBE)] if domain.items is None else list(_present(domain.items, where))
        found = [item if kind.is_element else body(item) for item, _ in items]
        certain = [value for value, (_, inside) in zip(found, items, strict=True) if inside.always]
        if kind.is_element or not certain:
            return join([exactly(0), *found])
        return clipped(join(found), kind, certain)

    def closure(self, start: AbstractValue, successors: Callable[[AbstractValue], AbstractSet]) -> AbstractSet:
        """Exact if every step is known; otherwise any element may be reached."""
        anything = AbstractSet(None, AbstractValue(-HUGE, HUGE), HUGE)
        found = [start.low] if start.low == start.high else []
        for here in found:
            reached = successors(exactly(here))
            if reached.items is None or len(found) > LARGEST_CLOSURE:
                return anything
            for item, inside in reached.items:
                if item.low != item.high or not inside.always:
                    return anything
                if item.low not in found:
                    found.append(item.low)
        return self.known(found) if found else anything

    def draw(self, domain: AbstractSet, span: Span) -> AbstractValue:
        if domain.items is None:
            return domain.element
        return join([item for item, _ in domain.items]) if domain.items else exactly(0)


def _present(
    items: Sequence[tuple[AbstractValue, AbstractValue]], where: Function | None
) -> Iterator[tuple[AbstractValue, AbstractValue]]:
    """The elements that may be members and may satisfy a condition, each with the truth value of both."""
    for item, guard in items:
        inside = guard if where is None or guard.never else all_of((guard, where(item)))
        if not inside.never:
            yield item, inside


def anything(instance: Instance, type: types.Type) -> AbstractValue | AbstractSet:
    """An abstract value that covers all values of a type."""
    if isinstance(type, types.SetOf):
        element = anything(instance, type.element)
        assert isinstance(element, AbstractValue)
        return AbstractSet(None, element, HUGE)
    domain = instance.domain(type)
    return AbstractValue(min(domain, default=-HUGE) - 1, max(domain, default=HUGE) + 1)
