"""The operations of a semantics of the rules, over which the evaluator defines terms (tagless final: Carette et al. 2009).

`ValueT` stands for a number, a truth value (0 or 1), a cell, a tile or any other single value; `SetT` for a set of them.
Callables delay computations that may not be needed; an algebra without concrete truth values calls them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.terms import Kind
from rulewright.rules.spaces.window import Function as SpaceFunction
from rulewright.rules.spaces.window import Window

# Comparisons and arithmetic of known numbers --------------------------------------------------------------------------


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


# The operations of a semantics of the rules ---------------------------------------------------------------------------


ValueT = TypeVar("ValueT")
SetT = TypeVar("SetT")

Thunk = Callable[[], ValueT]
Function = Callable[[ValueT], ValueT]
Family = Callable[[int, ValueT], ValueT]


Env = Mapping[str, Any]
"""Maps bound names to values of the algebra (to a set for a name bound to one)."""


class Algebra(Protocol[ValueT, SetT]):
    """The operations of a semantics. All are total: outside its domain a map has the value for none."""

    def constant(self, value: int) -> ValueT: ...

    def share(self, value: ValueT, uses: int) -> ValueT:
        """A value that will be used `uses` times."""
        return value

    def read(self, variable: str, index: ValueT | None) -> ValueT: ...

    def zone(self, variable: str, index: ValueT | None) -> SetT: ...

    def lookup(self, map: FiniteMap, key: ValueT) -> ValueT: ...

    def branch(self, key: ValueT, subject: ValueT, family: Family[ValueT], keys: Sequence[int]) -> ValueT:
        """The member of a family of functions selected by `key`, applied to `subject`; member -1 for other keys.

        The result must contain the subject only once, so that its length stays proportional to the source.
        """

    def applied(self, function: SpaceFunction, window: Window, *arguments: ValueT) -> ValueT:
        """A function of a space whose value is no set."""

    def line(self, window: Window, cell: ValueT, direction: ValueT) -> SetT: ...

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: ValueT) -> SetT: ...

    def row(self, rows: FiniteRows, key: ValueT) -> SetT: ...

    def negation(self, value: ValueT) -> ValueT: ...

    def conjunction(self, parts: Sequence[Thunk[ValueT]]) -> ValueT: ...

    def disjunction(self, parts: Sequence[Thunk[ValueT]]) -> ValueT: ...

    def choice(self, condition: ValueT, then: Thunk[ValueT], otherwise: Thunk[ValueT]) -> ValueT: ...

    def compare(self, operator: Comparison, left: ValueT, right: ValueT) -> ValueT: ...

    def arithmetic(self, operator: Operator, left: ValueT, right: ValueT) -> ValueT: ...

    def paired(self, first: ValueT, second: ValueT, width: int) -> ValueT:
        """`first * width + second`, where both are small."""
        return self.arithmetic(Operator.PLUS, self.arithmetic(Operator.TIMES, first, self.constant(width)), second)

    def known(self, values: Sequence[int]) -> SetT: ...

    def listed(self, values: Sequence[ValueT]) -> SetT: ...

    def interval(self, low: ValueT, high: ValueT) -> SetT: ...

    def board_cells(self, window: Window, board: str) -> SetT:
        """The cells of a space that hold a tile."""

    def cells_of_kinds(self, board: str, kinds: frozenset[int], domain: Callable[[], SetT]) -> SetT | None:
        """The cells of a board with a tile of some kinds, including those outside the domain; None if unknown.

        They are in the order of the domain.
        """
        return None

    def marked(self, variable: str) -> SetT | None:
        """The cells where a variable differs from its least value, in order; None if they are not tracked."""
        return None

    def holders(self, rows: FiniteRows, element: Thunk[ValueT]) -> SetT | None:
        """The keys of the known sets that contain an element, from rows of such keys; None if there is no such index."""
        return None

    def member(self, value: ValueT, domain: SetT) -> ValueT: ...

    def size(self, domain: SetT) -> ValueT: ...

    def top(self, pile: SetT, bottom: bool) -> ValueT:
        """The first tile of a pile, or the last one."""

    def joined(self, first: SetT, second: SetT) -> SetT:
        """The elements of `first`, followed by those of `second`; the two are disjoint."""

    def those(self, domain: SetT, where: Function[ValueT]) -> SetT: ...

    def image(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> SetT:
        """The values of the body, each once, in order of first occurrence."""

    def every(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def some(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def total(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def extreme(self, kind: Kind, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT]) -> ValueT:
        """The least or greatest value, or the first element with it; 0 if there is none."""

    def closure(self, start: ValueT, successors: Callable[[ValueT], SetT]) -> SetT: ...

    def draw(self, domain: SetT, span: Span) -> ValueT:
        """A random element, to be assigned by effects; an error for an empty set."""

    def clash(self, one: Case, other: Case) -> ValueT:
        """Two exceptions apply at once: an error, or any value, as play stops there."""
        return self.constant(0)

    def invoke(self, definition: Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Any:
        """Apply the definition of a value or a set: `body(arguments)`, possibly memoised."""
        return body(arguments)
