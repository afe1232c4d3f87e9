"""The cautious reading: of each value, what it might be; of each truth, what it needs. For bounds, and for what can never hold.

A board that is only ever laid on may be read as it will be: an occupied cell is known for good, a vacant one may become any
tile still to come, and a condition that asks for a tile there *needs* the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.rules.model import types
from rulewright.rules.model.game import Case, Definition, Storage
from rulewright.rules.model.instance import FiniteMap, Instance
from rulewright.rules.model.state import StateLayout, value_range
from rulewright.rules.semantics.concrete_algebra import arithmetic, compare
from rulewright.rules.spaces.window import Window

BoardCell = tuple[str, int]
SMALL = 64
FAR = 256
HUGE = 10**9
NO_NEEDS: frozenset[BoardCell] = frozenset()


@frozen
class AbstractValue:
    """A value in `low..high`; one of `exact` when that is given. `needs` must all come to hold a tile before it is not 0.

    `cell` is the vacant cell whose future tile this is.
    """

    low: int
    high: int
    exact: frozenset[int] | None = None
    needs: frozenset[BoardCell] = NO_NEEDS
    cell: BoardCell | None = None

    @property
    def values(self) -> frozenset[int] | None:
        """Every possible value, when there are few."""
        if self.exact is not None:
            return self.exact
        return frozenset(range(self.low, self.high + 1)) if self.high - self.low < SMALL else None

    @property
    def never(self) -> bool:
        """As a truth value: it cannot be."""
        return self.low == 0 == self.high

    @property
    def always(self) -> bool:
        return self.low > 0 and not self.needs


def one_of(found: frozenset[int]) -> AbstractValue:
    """A value out of a set that is not empty."""
    return AbstractValue(min(found), max(found), found if len(found) <= SMALL else None)


@lru_cache(maxsize=4096)
def exactly(value: int) -> AbstractValue:
    return AbstractValue(value, value, frozenset((value,)))


@lru_cache(maxsize=64)
def _tile_or_none(coming: frozenset[int]) -> AbstractValue:
    """What may come to lie on a vacant cell."""
    return one_of(coming | {0})


YES, NO = exactly(1), exactly(0)
EITHER = frozenset((0, 1))
MAYBE = AbstractValue(0, 1, EITHER)


@frozen
class AbstractSet:
    """Elements that may be in (with the condition), or when `items` is None any number of `element`, up to `most`.

    `known` are the elements when it is known which they are.
    """

    items: tuple[tuple[AbstractValue, AbstractValue], ...] | None
    element: AbstractValue = MAYBE
    most: int = HUGE
    known: frozenset[int] | None = field(default=None, eq=False)


def maybe(needs: frozenset[BoardCell]) -> AbstractValue:
    return AbstractValue(0, 1, EITHER, needs)


Function = Callable[[AbstractValue], AbstractValue]


@define
class AbstractAlgebra:
    """An algebra of what is possible.

    `boards` gives, for boards that only gain tiles, the tile that stands on a cell now (0: none) and `coming` the kinds still
    to come; other variables may have any value.
    """

    instance: Instance
    layout: StateLayout
    boards: Mapping[str, Sequence[int]]
    coming: frozenset[int]

    def constant(self, value: int) -> AbstractValue:
        return exactly(value)

    def share(self, value: AbstractValue, uses: int) -> AbstractValue:
        return value

    def anything(self, variable: str) -> AbstractValue:
        """Whatever a variable may hold."""
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
        future = _tile_or_none(self.coming)
        return AbstractValue(future.low, future.high, future.exact, cell=(variable, index.low))

    def zone(self, variable: str, index: AbstractValue | None) -> AbstractSet:
        most = sum(kind.count for kind in self.instance.game.tiles)
        return AbstractSet(None, AbstractValue(1, max(len(self.instance.game.tiles), 1)), most)

    def lookup(self, map: FiniteMap, key: AbstractValue) -> AbstractValue:
        if key.low == key.high:
            return exactly(map(key.low))
        keys = key.values
        if keys is None:
            return one_of(frozenset((*map.values, map.otherwise)))
        return one_of(frozenset(map(k) for k in keys))

    def branch(
        self, key: AbstractValue, family: Callable[[int], Callable[[], AbstractValue]], keys: Sequence[int]
    ) -> AbstractValue:
        if key.low == key.high:
            return family(key.low if key.low in keys else -1)()
        picked = key.values or frozenset((*keys, -1))
        return self._any([family(k if k in keys else -1)() for k in picked])

    def _any(self, members: Sequence[AbstractValue]) -> AbstractValue:
        able = [m.needs for m in members if not m.never]
        needs = frozenset.intersection(*able) if able else NO_NEEDS
        found = [m.values for m in members]
        if all(f is not None for f in found):
            union = frozenset().union(*(f for f in found if f is not None))
            if len(union) <= SMALL:
                return AbstractValue(min(union), max(union), union, needs)
        return AbstractValue(min(m.low for m in members), max(m.high for m in members), None, needs)

    def toward(self, window: Window, start: AbstractValue, end: AbstractValue) -> AbstractValue:
        return self._known(window.toward, AbstractValue(-1, len(window.directions) - 1), start, end)

    def distance(self, window: Window, start: AbstractValue, end: AbstractValue) -> AbstractValue:
        return self._known(window.distance, AbstractValue(-1, window.size), start, end)

    def turn(self, window: Window, direction: AbstractValue, times: AbstractValue) -> AbstractValue:
        return self._known(window.turn, AbstractValue(-1, len(window.directions) - 1), direction, times)

    def _known(
        self, function: Callable[[int, int], int], otherwise: AbstractValue, a: AbstractValue, b: AbstractValue
    ) -> AbstractValue:
        if a.low == a.high and b.low == b.high:
            return exactly(function(a.low, b.low))
        return otherwise

    def line(self, window: Window, cell: AbstractValue, direction: AbstractValue) -> AbstractSet:
        if cell.low == cell.high < window.size and direction.low == direction.high >= 0:
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
        needs: frozenset[BoardCell] = NO_NEEDS
        sure = True
        for part in parts:
            found = part()
            if found.never:
                return NO
            needs |= found.needs
            sure = sure and found.always
        return YES if sure else maybe(needs)

    def disjunction(self, parts: Sequence[Callable[[], AbstractValue]]) -> AbstractValue:
        able: list[AbstractValue] = []
        for part in parts:
            found = part()
            if found.always:
                return YES
            if not found.never:
                able.append(found)
        return maybe(frozenset.intersection(*(f.needs for f in able))) if able else NO

    def choice(
        self, condition: AbstractValue, then: Callable[[], AbstractValue], otherwise: Callable[[], AbstractValue]
    ) -> AbstractValue:
        if condition.never:
            return otherwise()
        return then() if condition.always else self._any([then(), otherwise()])

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
        a, b = left.values, right.values
        if a is not None and b is not None and len(a) * len(b) <= SMALL * SMALL:
            truths = {compare(operator, x, y) for x in a for y in b}
            return one_of(frozenset(truths))
        if operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            apart = left.high < right.low or right.high < left.low
            return (NO if operator is Comparison.EQUAL else YES) if apart else MAYBE
        corners = {compare(operator, x, y) for x in (left.low, left.high) for y in (right.low, right.high)}
        return one_of(frozenset(corners))

    def arithmetic(self, operator: Operator, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        a, b = left.values, right.values
        if a is not None and b is not None and len(a) * len(b) <= SMALL:
            return one_of(frozenset(arithmetic(operator, x, y) for x in a for y in b))
        if operator is Operator.MOD:
            return AbstractValue(min(right.low + 1, 0), max(right.high - 1, 0))
        if operator is Operator.DIV:
            most = max(abs(left.low), abs(left.high))
            return AbstractValue(-most - 1, most)
        corners = [arithmetic(operator, x, y) for x in (left.low, left.high) for y in (right.low, right.high)]
        return AbstractValue(min(corners), max(corners))

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> AbstractSet:
        return AbstractSet(tuple((exactly(v), YES) for v in values), known=frozenset(values))

    def listed(self, values: Sequence[AbstractValue]) -> AbstractSet:
        return self._each_once([(value, YES) for value in values])

    def interval(self, low: AbstractValue, high: AbstractValue) -> AbstractSet:
        if low.low == low.high and high.low == high.high and high.high - low.low < 4096:
            return self.known(range(low.low, high.high + 1))
        return AbstractSet(None, AbstractValue(low.low, max(high.high, low.low)), max(0, high.high - low.low + 1))

    def board_cells(self, window: Window, board: str) -> AbstractSet:
        return self.known(range(window.size))

    def member(self, value: AbstractValue, domain: AbstractSet) -> AbstractValue:
        if domain.items is None:
            return NO if domain.most == 0 else MAYBE
        if domain.known is not None and value.cell is None:
            inside = [element for element in domain.known if value.low <= element <= value.high]
            if value.exact is not None:
                inside = [element for element in inside if element in value.exact]
            return NO if not inside else YES if value.low == value.high else MAYBE
        items = domain.items
        same = [
            lambda i=i, g=g: self.conjunction([lambda: g, lambda: self.compare(Comparison.EQUAL, value, i)]) for i, g in items
        ]
        return self.disjunction(same)

    def size(self, domain: AbstractSet) -> AbstractValue:
        if domain.items is None:
            return AbstractValue(0, domain.most)
        return AbstractValue(sum(g.always for _, g in domain.items), sum(not g.never for _, g in domain.items))

    def top(self, pile: AbstractSet) -> AbstractValue:
        return AbstractValue(0, pile.element.high)

    def those(self, domain: AbstractSet, where: Function) -> AbstractSet:
        if domain.items is None:
            return domain
        kept = []
        for item, guard in domain.items:
            inside = self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if not inside.never:
                kept.append((item, inside))
        return AbstractSet(tuple(kept))

    def image(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractSet:
        if domain.items is None:
            return AbstractSet(None, body(domain.element), domain.most)
        found = []
        for item, guard in domain.items:
            inside = guard if where is None else self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if not inside.never:
                found.append((body(item), inside))
        return self._each_once(found)

    def _each_once(self, items: Sequence[tuple[AbstractValue, AbstractValue]]) -> AbstractSet:
        """A set of what may be the same: a value that is known is surely in when it is for any element."""
        known: dict[int, AbstractValue] = {}
        others = []
        for item, inside in items:
            if item.low == item.high:
                before = known.get(item.low, NO)
                known[item.low] = self.disjunction([lambda b=before: b, lambda i=inside: i])  # type: ignore[misc]
            else:
                others.append((item, maybe(inside.needs)))
        return AbstractSet((*((exactly(value), inside) for value, inside in known.items()), *others))

    def every(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            return MAYBE
        parts = [lambda i=i, g=g: self._implied(i, g, where, body) for i, g in domain.items]
        return self.conjunction(parts)

    def _implied(self, item: AbstractValue, guard: AbstractValue, where: Function | None, body: Function) -> AbstractValue:
        applies = guard if where is None else self.conjunction([lambda: guard, lambda: where(item)])
        if applies.never:
            return YES
        return body(item) if applies.always else MAYBE

    def some(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            return NO if domain.most == 0 else MAYBE
        return self.disjunction([lambda i=i, g=g: self._both(i, g, where, body) for i, g in domain.items])  # type: ignore[misc]

    def _both(self, item: AbstractValue, guard: AbstractValue, where: Function | None, body: Function) -> AbstractValue:
        tests = [lambda: guard, lambda: body(item)]
        if where is not None:
            tests.insert(1, lambda: where(item))
        return self.conjunction(tests)

    def total(self, domain: AbstractSet, where: Function | None, body: Function, uses: int) -> AbstractValue:
        if domain.items is None:
            worth = body(domain.element)
            return AbstractValue(min(0, worth.low) * domain.most, max(0, worth.high) * domain.most)
        low = high = 0
        for item, guard in domain.items:
            inside = guard if where is None else self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if inside.never:
                continue
            worth = body(item)
            low += worth.low if inside.always else min(0, worth.low)
            high += worth.high if inside.always else max(0, worth.high)
        return AbstractValue(low, high)

    def extreme(
        self, extreme: Extreme, domain: AbstractSet, where: Function | None, body: Function, element: bool
    ) -> AbstractValue:
        items = [domain.element] if domain.items is None else [i for i, _ in domain.items]
        found = [i if element else body(i) for i in items]
        return self._any([exactly(0), *found])

    def closure(self, start: AbstractValue, successors: Callable[[AbstractValue], AbstractSet]) -> AbstractSet:
        """Exact where every step is known; where one is not, anything may be reached."""
        anything = AbstractSet(None, AbstractValue(-HUGE, HUGE), HUGE)
        found = [start.low] if start.low == start.high else []
        for here in found:
            reached = successors(exactly(here))
            if reached.items is None or len(found) > FAR:
                return anything
            for item, inside in reached.items:
                if item.low != item.high or not inside.always:
                    return anything
                if item.low not in found:
                    found.append(item.low)
        return self.known(found) if found else anything

    def clash(self, one: Case, other: Case) -> AbstractValue:
        return exactly(0)

    def invoke(
        self,
        definition: Definition,
        arguments: Sequence[AbstractValue],
        body: Callable[[Sequence[AbstractValue]], AbstractValue],
    ) -> AbstractValue:
        return body(arguments)


def anything(instance: Instance, type: types.Type) -> AbstractValue | AbstractSet:
    """Whatever a name of a type may stand for, and a little more."""
    if isinstance(type, types.SetOf):
        element = anything(instance, type.element)
        assert isinstance(element, AbstractValue)
        return AbstractSet(None, element, HUGE)
    domain = instance.domain(type)
    return AbstractValue(min(domain, default=-HUGE) - 1, max(domain, default=HUGE) + 1)


def zones(layout: StateLayout) -> list[str]:
    """The names of the variables that hold tiles outside of boards."""
    return [name for name, column in layout.columns.items() if column.variable.storage is not Storage.VALUE]
