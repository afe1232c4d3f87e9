"""The concrete semantics: plain integers on one state. The reference that compiled code is tested against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.state import SEED, StateLayout
from rulewright.rules.spaces.window import Window

from .play_errors import clash, nothing_to_draw
from .rng import drawn

Values = Sequence[int]
Function = Callable[[int], int]


@define
class ConcreteAlgebra:
    """Values are integers, truth values are 0 or 1, sets are ordered sequences."""

    layout: StateLayout
    state: Sequence[Any]

    def constant(self, value: int) -> int:
        return value

    def share(self, value: int, uses: int) -> int:
        return value

    def read(self, variable: str, index: int | None) -> int:
        column = self.layout.columns[variable]
        if column.over_cells:
            value: int = self.state[column.start][index]
        else:
            value = self.state[self.layout.position(variable, index)]
        return value

    def zone(self, variable: str, index: int | None) -> Values:
        tiles: Values = self.state[self.layout.position(variable, index)]
        return tiles

    def lookup(self, map: FiniteMap, key: int) -> int:
        return map(key)

    def branch(self, key: int, subject: int, family: Callable[[int, int], int], keys: Sequence[int]) -> int:
        return family(key if key in keys else -1, subject)

    def toward(self, window: Window, start: int, end: int) -> int:
        return window.toward(start, end)

    def distance(self, window: Window, start: int, end: int) -> int:
        return window.distance(start, end)

    def turn(self, window: Window, direction: int, times: int) -> int:
        return window.turn(direction, times) if direction >= 0 else -1

    def leap(self, window: Window, cell: int, direction: int, times: int) -> int:
        return window.leap(cell, direction, times)

    def line(self, window: Window, cell: int, direction: int) -> Values:
        return window.line(cell, direction) if direction >= 0 and cell < window.size else ()

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: int) -> Values:
        return near_cells(window, directions, cell)

    def row(self, rows: FiniteRows, key: int) -> Values:
        return rows(key)

    def negation(self, value: int) -> int:
        return 1 - value

    def conjunction(self, parts: Sequence[Callable[[], int]]) -> int:
        return int(all(part() for part in parts))

    def disjunction(self, parts: Sequence[Callable[[], int]]) -> int:
        return int(any(part() for part in parts))

    def choice(self, condition: int, then: Callable[[], int], otherwise: Callable[[], int]) -> int:
        return then() if condition else otherwise()

    def compare(self, operator: Comparison, left: int, right: int) -> int:
        return compare(operator, left, right)

    def arithmetic(self, operator: Operator, left: int, right: int) -> int:
        return arithmetic(operator, left, right)

    def paired(self, first: int, second: int, width: int) -> int:
        return first * width + second

    def known(self, values: Sequence[int]) -> Values:
        return values

    def listed(self, values: Sequence[int]) -> Values:
        return tuple(dict.fromkeys(values))

    def interval(self, low: int, high: int) -> Values:
        return range(low, high + 1)

    def board_cells(self, window: Window, board: str) -> Values:
        column = self.state[self.layout.columns[board].start]
        return [cell for cell in range(window.size) if column[cell]]

    def cells_of_kinds(self, board: str, kinds: frozenset[int], domain: Callable[[], Values]) -> None:
        """Cells are not tracked by kind."""

    def marked(self, variable: str) -> None:
        """All cells are searched."""

    def holders(self, rows: FiniteRows, element: Callable[[], int]) -> None:
        """All sets are searched."""

    def member(self, value: int, domain: Values) -> int:
        return int(value in domain)

    def size(self, domain: Values) -> int:
        return len(domain)

    def top(self, pile: Values, bottom: bool) -> int:
        return pile[-1 if bottom else 0] if pile else 0

    def joined(self, first: Values, second: Values) -> Values:
        return (*first, *second)

    def those(self, domain: Values, where: Function) -> Values:
        return [v for v in domain if where(v)]

    def image(self, domain: Values, where: Function | None, body: Function, uses: int) -> Values:
        return tuple(dict.fromkeys(body(v) for v in domain if where is None or where(v)))

    def every(self, domain: Values, where: Function | None, body: Function, uses: int) -> int:
        return int(all(body(v) for v in domain if where is None or where(v)))

    def some(self, domain: Values, where: Function | None, body: Function, uses: int) -> int:
        return int(any(body(v) for v in domain if where is None or where(v)))

    def total(self, domain: Values, where: Function | None, body: Function, uses: int) -> int:
        return sum(body(v) for v in domain if where is None or where(v))

    def extreme(self, extreme: Extreme, domain: Values, where: Function | None, body: Function, element: bool) -> int:
        best = pick_extreme(extreme, ((body(v), v) for v in domain if where is None or where(v)))
        return best[int(element)]

    def closure(self, start: int, successors: Callable[[int], Values]) -> Values:
        found = [start]
        for here in found:
            for there in successors(here):
                if there not in found:
                    found.append(there)
        return found

    def draw(self, domain: Values, span: Span) -> int:
        assert isinstance(self.state, list), "only effects draw"
        if not domain:
            raise nothing_to_draw(span)
        found, self.state[SEED] = drawn(domain, self.state[SEED])
        return found

    def clash(self, one: Case, other: Case) -> int:
        raise clash(one, other)

    def invoke(self, definition: Definition, arguments: Sequence[int], body: Callable[[Sequence[int]], int]) -> int:
        return body(arguments)


def near_cells(window: Window, directions: Sequence[int], cell: int) -> tuple[int, ...]:
    """The cells one step away, each once; outside ones count only in an unbounded space."""
    near = tuple(window.steps[direction][cell] for direction in directions)
    return near if window.unbounded else tuple(n for n in dict.fromkeys(near) if n != window.nowhere)


def compare(operator: Comparison, left: int, right: int) -> int:
    """0 or 1."""
    match operator:
        case Comparison.EQUAL:
            return int(left == right)
        case Comparison.UNEQUAL:
            return int(left != right)
        case Comparison.LESS:
            return int(left < right)
        case Comparison.AT_MOST:
            return int(left <= right)
        case Comparison.GREATER:
            return int(left > right)
        case Comparison.AT_LEAST:
            return int(left >= right)


def arithmetic(operator: Operator, left: int, right: int) -> int:
    """Integer arithmetic; `div` and `mod` round down, and give 0 for a divisor of 0."""
    match operator:
        case Operator.PLUS:
            return left + right
        case Operator.MINUS:
            return left - right
        case Operator.TIMES:
            return left * right
        case Operator.DIV:
            return left // right if right else 0
        case Operator.MOD:
            return left % right if right else 0


def pick_extreme(extreme: Extreme, pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The pair with the least or greatest value, the first in a tie; zeros if there is none."""
    best: tuple[int, int] | None = None
    for value, element in pairs:
        if best is None or (value < best[0] if extreme is Extreme.LEAST else value > best[0]):
            best = (value, element)
    return best or (0, 0)
