"""The operations of a semantics of the rules, over which the evaluator defines terms (tagless final: Carette et al. 2009).

`ValueT` stands for a number, a truth value (0 or 1), a cell, a tile or any other single value; `SetT` for a set of them.
Callables delay what may not be needed; an algebra without a concrete truth value calls them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.spaces.window import Window

ValueT = TypeVar("ValueT")
SetT = TypeVar("SetT")

Thunk = Callable[[], ValueT]
Function = Callable[[ValueT], ValueT]
Family = Callable[[int, ValueT], ValueT]


Env = Mapping[str, Any]
"""Bound names to values of the algebra (a set for a name bound to one)."""


class Algebra(Protocol[ValueT, SetT]):
    """The operations of a semantics. All are total: outside of its domain a map has a value that stands for none."""

    def constant(self, value: int) -> ValueT: ...

    def share(self, value: ValueT, uses: int) -> ValueT:
        """A value that will be used so many times."""
        ...

    def read(self, variable: str, index: ValueT | None) -> ValueT: ...

    def zone(self, variable: str, index: ValueT | None) -> SetT: ...

    def lookup(self, map: FiniteMap, key: ValueT) -> ValueT: ...

    def branch(self, key: ValueT, subject: ValueT, family: Family[ValueT], keys: Sequence[int]) -> ValueT:
        """The member of a family of functions at a key, of a subject; the member at -1 for keys outside.

        Only what says the subject once is of a length in proportion to what was written.
        """
        ...

    def toward(self, window: Window, start: ValueT, end: ValueT) -> ValueT: ...

    def distance(self, window: Window, start: ValueT, end: ValueT) -> ValueT: ...

    def turn(self, window: Window, direction: ValueT, times: ValueT) -> ValueT: ...

    def leap(self, window: Window, cell: ValueT, direction: ValueT, times: ValueT) -> ValueT: ...

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
        ...

    def known(self, values: Sequence[int]) -> SetT: ...

    def listed(self, values: Sequence[ValueT]) -> SetT: ...

    def interval(self, low: ValueT, high: ValueT) -> SetT: ...

    def board_cells(self, window: Window, board: str) -> SetT:
        """The cells of a space on which a tile stands."""
        ...

    def cells_of_kinds(self, board: str, kinds: frozenset[int], domain: Callable[[], SetT]) -> SetT | None:
        """The cells of a board where one of some kinds of tile stands, those outside of the domain too; None where unknown.

        In order they are as in the domain.
        """
        ...

    def marked(self, variable: str) -> SetT | None:
        """The cells at which a variable has another value than its least one, in order; None where they are not kept."""
        ...

    def holders(self, rows: FiniteRows, element: Thunk[ValueT]) -> SetT | None:
        """The keys of the known sets that have an element, by rows of such keys; None where that is not looked up."""
        ...

    def member(self, value: ValueT, domain: SetT) -> ValueT: ...

    def size(self, domain: SetT) -> ValueT: ...

    def top(self, pile: SetT, bottom: bool) -> ValueT:
        """The first tile of a pile, or the last one."""
        ...

    def joined(self, first: SetT, second: SetT) -> SetT:
        """The elements of a set, and behind them those of another, which it does not have."""
        ...

    def those(self, domain: SetT, where: Function[ValueT]) -> SetT: ...

    def image(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> SetT:
        """The values of the body, each once, in the order in which they first come."""
        ...

    def every(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def some(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def total(self, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], uses: int) -> ValueT: ...

    def extreme(
        self, extreme: Extreme, domain: SetT, where: Function[ValueT] | None, body: Function[ValueT], element: bool
    ) -> ValueT:
        """The least or greatest value, or the first element that has it; 0 when there is none."""
        ...

    def closure(self, start: ValueT, successors: Callable[[ValueT], SetT]) -> SetT: ...

    def draw(self, domain: SetT, span: Span) -> ValueT:
        """An element that chance picks, as effects assign it; of an empty set, an error."""
        ...

    def clash(self, one: Case, other: Case) -> ValueT:
        """Two exceptions apply at once: an error, or a value that stands for it."""
        ...

    def invoke(self, definition: Definition, arguments: Sequence[ValueT], body: Callable[[Sequence[ValueT]], ValueT]) -> ValueT:
        """A definition applied to arguments: `body(arguments)`, or the same memoised."""
        ...
