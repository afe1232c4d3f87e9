"""The cautious reading: of each value, what it might be; of each truth, what it needs. For bounds, and for what can never hold.

A board that is only ever laid on may be read as it will be: an occupied cell is known for good, a vacant one may become any
tile still to come, and a condition that asks for a tile there *needs* the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from attrs import field

from ..grammar.classes import define, frozen
from ..grammar.expressions import Comparison, Extreme, Operator
from . import types
from .concrete import arithmetic, compare
from .game import Case, Definition, Storage
from .ground import FiniteMap, Ground
from .layout import Layout, values
from .spaces.window import Window

Cell = tuple[str, int]
SMALL = 64
FAR = 256
HUGE = 10**9
NO_NEEDS: frozenset[Cell] = frozenset()


@frozen
class Possible:
    """A value in `low..high`; one of `exact` when that is given. `needs` must all come to hold a tile before it is not 0.

    `cell` is the vacant cell whose future tile this is.
    """

    low: int
    high: int
    exact: frozenset[int] | None = None
    needs: frozenset[Cell] = NO_NEEDS
    cell: Cell | None = None

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


def one_of(found: frozenset[int]) -> Possible:
    """A value out of a set that is not empty."""
    return Possible(min(found), max(found), found if len(found) <= SMALL else None)


@lru_cache(maxsize=4096)
def exactly(value: int) -> Possible:
    return Possible(value, value, frozenset((value,)))


@lru_cache(maxsize=64)
def _tile_or_none(coming: frozenset[int]) -> Possible:
    """What may come to lie on a vacant cell."""
    return one_of(coming | {0})


YES, NO = exactly(1), exactly(0)
EITHER = frozenset((0, 1))
UNSURE = Possible(0, 1, EITHER)


@frozen
class PossibleSet:
    """Elements that may be in (with the condition), or when `items` is None any number of `element`, up to `most`.

    `known` are the elements when it is known which they are.
    """

    items: tuple[tuple[Possible, Possible], ...] | None
    element: Possible = UNSURE
    most: int = HUGE
    known: frozenset[int] | None = field(default=None, eq=False)


def unsure(needs: frozenset[Cell]) -> Possible:
    return Possible(0, 1, EITHER, needs)


Test = Callable[[Possible], Possible]


@define
class Cautious:
    """An algebra of what is possible.

    `boards` gives, for boards that only gain tiles, the tile that stands on a cell now (0: none) and `coming` the kinds still
    to come; other variables may have any value.
    """

    ground: Ground
    layout: Layout
    boards: Mapping[str, Sequence[int]]
    coming: frozenset[int]

    def constant(self, value: int) -> Possible:
        return exactly(value)

    def share(self, value: Possible, uses: int) -> Possible:
        return value

    def anything(self, variable: str) -> Possible:
        """Whatever a variable may hold."""
        allowed = values(self.ground, self.layout.columns[variable].variable)
        return Possible(allowed.start, allowed.stop - 1)

    def read(self, variable: str, index: Possible | None) -> Possible:
        board = self.boards.get(variable)
        if board is None or index is None or index.low != index.high:
            return self.anything(variable)
        tile = board[index.low]
        if tile:
            return exactly(tile)
        if index.low == len(board) - 1:
            return exactly(0)
        future = _tile_or_none(self.coming)
        return Possible(future.low, future.high, future.exact, cell=(variable, index.low))

    def zone(self, variable: str, index: Possible | None) -> PossibleSet:
        most = sum(kind.count for kind in self.ground.game.tiles)
        return PossibleSet(None, Possible(1, max(len(self.ground.game.tiles), 1)), most)

    def lookup(self, map: FiniteMap, key: Possible) -> Possible:
        if key.low == key.high:
            return exactly(map(key.low))
        keys = key.values
        if keys is None:
            return one_of(frozenset((*map.values, map.otherwise)))
        return one_of(frozenset(map(k) for k in keys))

    def branch(self, key: Possible, family: Callable[[int], Callable[[], Possible]], keys: Sequence[int]) -> Possible:
        if key.low == key.high:
            return family(key.low if key.low in keys else -1)()
        picked = key.values or frozenset((*keys, -1))
        return self._any([family(k if k in keys else -1)() for k in picked])

    def _any(self, members: Sequence[Possible]) -> Possible:
        able = [m.needs for m in members if not m.never]
        needs = frozenset.intersection(*able) if able else NO_NEEDS
        found = [m.values for m in members]
        if all(f is not None for f in found):
            union = frozenset().union(*(f for f in found if f is not None))
            if len(union) <= SMALL:
                return Possible(min(union), max(union), union, needs)
        return Possible(min(m.low for m in members), max(m.high for m in members), None, needs)

    def toward(self, window: Window, start: Possible, end: Possible) -> Possible:
        return self._known(window.toward, Possible(-1, len(window.directions) - 1), start, end)

    def distance(self, window: Window, start: Possible, end: Possible) -> Possible:
        return self._known(window.distance, Possible(-1, window.size), start, end)

    def turn(self, window: Window, direction: Possible, times: Possible) -> Possible:
        return self._known(window.turn, Possible(-1, len(window.directions) - 1), direction, times)

    def _known(self, function: Callable[[int, int], int], otherwise: Possible, a: Possible, b: Possible) -> Possible:
        if a.low == a.high and b.low == b.high:
            return exactly(function(a.low, b.low))
        return otherwise

    def line(self, window: Window, cell: Possible, direction: Possible) -> PossibleSet:
        if cell.low == cell.high < window.size and direction.low == direction.high >= 0:
            return self.known(window.line(cell.low, direction.low))
        return PossibleSet(None, Possible(0, window.size), window.size)

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Possible) -> PossibleSet:
        if cell.low != cell.high:
            return PossibleSet(None, Possible(0, window.size), len(directions))
        near = dict.fromkeys(window.steps[d][cell.low] for d in directions)
        if not window.unbounded:
            near.pop(window.nowhere, None)
        return self.known(tuple(near))

    # Logic and numbers ------------------------------------------------------------------------

    def negation(self, value: Possible) -> Possible:
        if value.never:
            return YES
        return NO if value.always else UNSURE

    def conjunction(self, parts: Sequence[Callable[[], Possible]]) -> Possible:
        needs: frozenset[Cell] = NO_NEEDS
        sure = True
        for part in parts:
            found = part()
            if found.never:
                return NO
            needs |= found.needs
            sure = sure and found.always
        return YES if sure else unsure(needs)

    def disjunction(self, parts: Sequence[Callable[[], Possible]]) -> Possible:
        able: list[Possible] = []
        for part in parts:
            found = part()
            if found.always:
                return YES
            if not found.never:
                able.append(found)
        return unsure(frozenset.intersection(*(f.needs for f in able))) if able else NO

    def choice(self, condition: Possible, then: Callable[[], Possible], otherwise: Callable[[], Possible]) -> Possible:
        if condition.never:
            return otherwise()
        return then() if condition.always else self._any([then(), otherwise()])

    def compare(self, operator: Comparison, left: Possible, right: Possible) -> Possible:
        if left.low == left.high and right.low == right.high:
            return exactly(compare(operator, left.low, right.low))
        for one, other in ((left, right), (right, left)):
            if one.cell is None or other.low != other.high:
                continue
            if operator is Comparison.UNEQUAL and other.low == 0:
                return unsure(frozenset((one.cell,)))
            if operator is Comparison.EQUAL and other.low != 0:
                possible = one.exact is None or other.low in one.exact
                return unsure(frozenset((one.cell,))) if possible else NO
        a, b = left.values, right.values
        if a is not None and b is not None and len(a) * len(b) <= SMALL * SMALL:
            truths = {compare(operator, x, y) for x in a for y in b}
            return one_of(frozenset(truths))
        if operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            apart = left.high < right.low or right.high < left.low
            return (NO if operator is Comparison.EQUAL else YES) if apart else UNSURE
        corners = {compare(operator, x, y) for x in (left.low, left.high) for y in (right.low, right.high)}
        return one_of(frozenset(corners))

    def arithmetic(self, operator: Operator, left: Possible, right: Possible) -> Possible:
        a, b = left.values, right.values
        if a is not None and b is not None and len(a) * len(b) <= SMALL:
            return one_of(frozenset(arithmetic(operator, x, y) for x in a for y in b))
        if operator is Operator.MOD:
            return Possible(min(right.low + 1, 0), max(right.high - 1, 0))
        if operator is Operator.DIV:
            most = max(abs(left.low), abs(left.high))
            return Possible(-most - 1, most)
        corners = [arithmetic(operator, x, y) for x in (left.low, left.high) for y in (right.low, right.high)]
        return Possible(min(corners), max(corners))

    # Sets -------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> PossibleSet:
        return PossibleSet(tuple((exactly(v), YES) for v in values), known=frozenset(values))

    def listed(self, values: Sequence[Possible]) -> PossibleSet:
        return self._each_once([(value, YES) for value in values])

    def interval(self, low: Possible, high: Possible) -> PossibleSet:
        if low.low == low.high and high.low == high.high and high.high - low.low < 4096:
            return self.known(range(low.low, high.high + 1))
        return PossibleSet(None, Possible(low.low, max(high.high, low.low)), max(0, high.high - low.low + 1))

    def board_cells(self, window: Window, board: str) -> PossibleSet:
        return self.known(range(window.size))

    def member(self, value: Possible, domain: PossibleSet) -> Possible:
        if domain.items is None:
            return NO if domain.most == 0 else UNSURE
        if domain.known is not None and value.cell is None:
            inside = [element for element in domain.known if value.low <= element <= value.high]
            if value.exact is not None:
                inside = [element for element in inside if element in value.exact]
            return NO if not inside else YES if value.low == value.high else UNSURE
        items = domain.items
        same = [
            lambda i=i, g=g: self.conjunction([lambda: g, lambda: self.compare(Comparison.EQUAL, value, i)]) for i, g in items
        ]
        return self.disjunction(same)

    def size(self, domain: PossibleSet) -> Possible:
        if domain.items is None:
            return Possible(0, domain.most)
        return Possible(sum(g.always for _, g in domain.items), sum(not g.never for _, g in domain.items))

    def top(self, pile: PossibleSet) -> Possible:
        return Possible(0, pile.element.high)

    def those(self, domain: PossibleSet, where: Test) -> PossibleSet:
        if domain.items is None:
            return domain
        kept = []
        for item, guard in domain.items:
            inside = self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if not inside.never:
                kept.append((item, inside))
        return PossibleSet(tuple(kept))

    def image(self, domain: PossibleSet, where: Test | None, body: Test, uses: int) -> PossibleSet:
        if domain.items is None:
            return PossibleSet(None, body(domain.element), domain.most)
        found = []
        for item, guard in domain.items:
            inside = guard if where is None else self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if not inside.never:
                found.append((body(item), inside))
        return self._each_once(found)

    def _each_once(self, items: Sequence[tuple[Possible, Possible]]) -> PossibleSet:
        """A set of what may be the same: a value that is known is surely in when it is for any element."""
        known: dict[int, Possible] = {}
        others = []
        for item, inside in items:
            if item.low == item.high:
                before = known.get(item.low, NO)
                known[item.low] = self.disjunction([lambda b=before: b, lambda i=inside: i])  # type: ignore[misc]
            else:
                others.append((item, unsure(inside.needs)))
        return PossibleSet((*((exactly(value), inside) for value, inside in known.items()), *others))

    def every(self, domain: PossibleSet, where: Test | None, body: Test, uses: int) -> Possible:
        if domain.items is None:
            return UNSURE
        parts = [lambda i=i, g=g: self._implied(i, g, where, body) for i, g in domain.items]
        return self.conjunction(parts)

    def _implied(self, item: Possible, guard: Possible, where: Test | None, body: Test) -> Possible:
        applies = guard if where is None else self.conjunction([lambda: guard, lambda: where(item)])
        if applies.never:
            return YES
        return body(item) if applies.always else UNSURE

    def some(self, domain: PossibleSet, where: Test | None, body: Test, uses: int) -> Possible:
        if domain.items is None:
            return NO if domain.most == 0 else UNSURE
        return self.disjunction([lambda i=i, g=g: self._both(i, g, where, body) for i, g in domain.items])  # type: ignore[misc]

    def _both(self, item: Possible, guard: Possible, where: Test | None, body: Test) -> Possible:
        tests = [lambda: guard, lambda: body(item)]
        if where is not None:
            tests.insert(1, lambda: where(item))
        return self.conjunction(tests)

    def total(self, domain: PossibleSet, where: Test | None, body: Test, uses: int) -> Possible:
        if domain.items is None:
            worth = body(domain.element)
            return Possible(min(0, worth.low) * domain.most, max(0, worth.high) * domain.most)
        low = high = 0
        for item, guard in domain.items:
            inside = guard if where is None else self.conjunction([lambda g=guard: g, lambda i=item: where(i)])  # type: ignore[misc]
            if inside.never:
                continue
            worth = body(item)
            low += worth.low if inside.always else min(0, worth.low)
            high += worth.high if inside.always else max(0, worth.high)
        return Possible(low, high)

    def extreme(self, extreme: Extreme, domain: PossibleSet, where: Test | None, body: Test, element: bool) -> Possible:
        items = [domain.element] if domain.items is None else [i for i, _ in domain.items]
        found = [i if element else body(i) for i in items]
        return self._any([exactly(0), *found])

    def closure(self, start: Possible, successors: Callable[[Possible], PossibleSet]) -> PossibleSet:
        """Exact where every step is known; where one is not, anything may be reached."""
        anything = PossibleSet(None, Possible(-HUGE, HUGE), HUGE)
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

    def clash(self, one: Case, other: Case) -> Possible:
        return exactly(0)

    def invoke(
        self, definition: Definition, arguments: Sequence[Possible], body: Callable[[Sequence[Possible]], Possible]
    ) -> Possible:
        return body(arguments)


def anything(ground: Ground, type: types.Type) -> Possible | PossibleSet:
    """Whatever a name of a type may stand for, and a little more."""
    if isinstance(type, types.SetOf):
        element = anything(ground, type.element)
        assert isinstance(element, Possible)
        return PossibleSet(None, element, HUGE)
    domain = ground.domain(type)
    return Possible(min(domain, default=-HUGE) - 1, max(domain, default=HUGE) + 1)


def zones(layout: Layout) -> list[str]:
    """The names of the variables that hold tiles outside of boards."""
    return [name for name, column in layout.columns.items() if column.variable.storage is not Storage.VALUE]
