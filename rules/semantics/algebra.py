"""What a reading of the rules must offer: values, and the operations that the evaluator builds meaning from.

`ValueT` stands for a number, a truth value (0 or 1), a cell, a tile or any other single value; `SetT` for a set of them.
Callables put off what may never be needed; an algebra that cannot decide calls them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.instance import FiniteMap
from rulewright.rules.spaces.window import Window

ValueT = TypeVar("ValueT")
SetT = TypeVar("SetT")

Thunk = Callable[[], ValueT]


class Algebra(Protocol[ValueT, SetT]):
    """The operations of a reading. All functions are total: outside its domain a map has a value that stands for none."""

    def constant(self, value: int) -> ValueT: ...

    def share(self, value: ValueT, uses: int) -> ValueT:
        """A value that will be used so many times."""
        ...

    def read(self, variable: str, index: ValueT | None) -> ValueT: ...

    def zone(self, variable: str, index: ValueT | None) -> SetT: ...

    def lookup(self, map: FiniteMap, key: ValueT) -> ValueT: ...

    def branch(self, key: ValueT, family: Callable[[int], Callable[[], ValueT]], keys: Sequence[int]) -> ValueT:
        """The member of a family of values that a key picks; keys outside pick that of -1."""
        ...

    def toward(self, window: Window, start: ValueT, end: ValueT) -> ValueT: ...

    def distance(self, window: Window, start: ValueT, end: ValueT) -> ValueT: ...

    def turn(self, window: Window, direction: ValueT, times: ValueT) -> ValueT: ...

    def line(self, window: Window, cell: ValueT, direction: ValueT) -> SetT: ...

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: ValueT) -> SetT: ...

    def negation(self, value: ValueT) -> ValueT: ...

    def conjunction(self, parts: Sequence[Thunk[ValueT]]) -> ValueT: ...

    def disjunction(self, parts: Sequence[Thunk[ValueT]]) -> ValueT: ...

    def choice(self, condition: ValueT, then: Thunk[ValueT], otherwise: Thunk[ValueT]) -> ValueT: ...

    def compare(self, operator: Comparison, left: ValueT, right: ValueT) -> ValueT: ...

    def arithmetic(self, operator: Operator, left: ValueT, right: ValueT) -> ValueT: ...

    def known(self, values: Sequence[int]) -> SetT: ...

    def listed(self, values: Sequence[ValueT]) -> SetT: ...

    def interval(self, low: ValueT, high: ValueT) -> SetT: ...

    def board_cells(self, window: Window, board: str) -> SetT:
        """The cells of a space on which a tile stands."""
        ...

    def member(self, value: ValueT, domain: SetT) -> ValueT: ...

    def size(self, domain: SetT) -> ValueT: ...

    def top(self, pile: SetT) -> ValueT: ...

    def those(self, domain: SetT, where: Callable[[ValueT], ValueT]) -> SetT: ...

    def image(
        self, domain: SetT, where: Callable[[ValueT], ValueT] | None, body: Callable[[ValueT], ValueT], uses: int
    ) -> SetT:
        """The values of the body, each once, in the order in which they first come."""
        ...

    def every(
        self, domain: SetT, where: Callable[[ValueT], ValueT] | None, body: Callable[[ValueT], ValueT], uses: int
    ) -> ValueT: ...

    def some(
        self, domain: SetT, where: Callable[[ValueT], ValueT] | None, body: Callable[[ValueT], ValueT], uses: int
    ) -> ValueT: ...

    def total(
        self, domain: SetT, where: Callable[[ValueT], ValueT] | None, body: Callable[[ValueT], ValueT], uses: int
    ) -> ValueT: ...

    def extreme(
        self,
        extreme: Extreme,
        domain: SetT,
        where: Callable[[ValueT], ValueT] | None,
        body: Callable[[ValueT], ValueT],
        element: bool,
    ) -> ValueT:
        """The least or greatest value, or the first element that has it; 0 when there is none."""
        ...

    def closure(self, start: ValueT, successors: Callable[[ValueT], SetT]) -> SetT: ...

    def clash(self, one: Case, other: Case) -> ValueT:
        """What comes of two exceptions that apply at once: no value."""
        ...

    def invoke(self, definition: Definition, arguments: Sequence[ValueT], body: Callable[[Sequence[ValueT]], ValueT]) -> ValueT:
        """A definition applied: `body(arguments)`, or the same computed once and kept."""
        ...
