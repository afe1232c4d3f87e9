"""The semantics whose values are terms of the core, so that the meaning of the rules is written once.

Nothing is computed but constants. A value used several times is named: `named` collects the names of one evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import game
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.terms import Kind
from rulewright.rules.semantics.algebra import Algebra, arithmetic, compare
from rulewright.rules.spaces.window import Function, Window

from . import terms
from .program import Map, Name
from .terms import Term

Thunk = Callable[[], Term]
Body = Callable[[Term], Term]

NO, YES = terms.Constant(0), terms.Constant(1)


@define
class Tables:
    """The maps, rows, spaces and definitions that terms mention."""

    instance: Instance
    maps: dict[str, Map] = field(factory=dict)
    rows: dict[str, Sequence[tuple[int, ...]]] = field(factory=dict)
    spaces: dict[str, None] = field(factory=dict)
    called: dict[str, None] = field(factory=dict)
    """Definitions by name, in the order in which they are first called."""


@frozen
class Neighbours(Sequence[tuple[int, ...]]):
    """The neighbours of each cell of a window, computed when they are asked for."""

    window: Window
    directions: tuple[int, ...]

    def __len__(self) -> int:
        return self.window.size + 1

    def __getitem__(self, cell: Any) -> Any:
        if cell >= len(self):
            raise IndexError(cell)
        return self.window.near(self.directions, cell)


@define
class CoreAlgebra(Algebra[Term, Term]):
    """Values and sets are terms; `span` is the place of the term that is evaluated."""

    tables: Tables
    span: Span = NO_SPAN
    locals: int = 0
    names: list[Name] = field(factory=list)

    def local(self) -> terms.Local:
        """A new local."""
        self.locals += 1
        return terms.Local(self.locals - 1, span=self.span)

    def scope(self, make: Thunk) -> Term:
        """A term that is evaluated by itself, with the values named while it was made."""
        outer, self.names = self.names, []
        body = make()
        for name in reversed(self.names):
            body = terms.Let(name.local, name.value, body, span=body.span)
        self.names = outer
        return body

    def _bound(self, body: Body) -> tuple[int, Term]:
        local = self.local()
        return local.number, self.scope(lambda: body(local))

    def name(self, value: Term, drawn: bool = False) -> Term:
        """A local with a value that is evaluated now."""
        local = self.local()
        self.names.append(Name(local.number, value, drawn, span=self.span))
        return local

    # Values ---------------------------------------------------------------------------------------

    def constant(self, value: int) -> Term:
        return terms.Constant(value, span=self.span)

    def share(self, value: Term, uses: int = 2) -> Term:
        """A name, however often it is used: what is named is evaluated at once, and may be a fault."""
        return value if isinstance(value, terms.Constant | terms.Local) else self.name(value)

    def read(self, variable: str, index: Term | None) -> Term:
        return terms.Read(variable, index, span=self.span)

    def zone(self, variable: str, index: Term | None) -> Term:
        return terms.Zone(variable, index, span=self.span)

    def lookup(self, map: FiniteMap, key: Term) -> Term:
        if isinstance(key, terms.Constant):
            return self.constant(map(key.value))
        self.tables.maps[map.name] = Map((map.values,), map.otherwise)
        return terms.Lookup(map.name, (key,), span=self.span)

    def branch(self, key: Term, subject: Term, family: Callable[[int, Term], Term], keys: Sequence[int]) -> Term:
        """Maps by a key become one map of two keys, unless the key is known; other functions are chosen one by one."""
        if isinstance(key, terms.Constant) or not keys:
            return family(key.value if isinstance(key, terms.Constant) and key.value in keys else -1, subject)
        before, other = dict(self.tables.maps), self.local()
        found = {at: self.scope(partial(family, at, other)) for at in keys}
        maps = [part.map for part in found.values() if isinstance(part, terms.Lookup) and part.keys == (other,)]
        if len(maps) < len(found):
            return self._chosen(key, found)
        rows, none = tuple(self.tables.maps[map].rows[0] for map in maps), self.tables.maps[maps[0]].none
        name = maps[0].rpartition("_")[0]
        self.tables.maps = {**before, name: Map(rows, none, 2)}
        return terms.Lookup(name, (key, subject), span=self.span)

    def _chosen(self, key: Term, parts: dict[int, Term]) -> Term:
        """The part of a key, which has one."""
        (_, found), *others = reversed(parts.items())
        for at, part in others:
            found = terms.Choice(self.compare(Comparison.EQUAL, key, self.constant(at)), part, found, span=self.span)
        return found

    def applied(self, function: Function, window: Window, *arguments: Term) -> Term:
        space = next(name for name, known in self.tables.instance.windows.items() if known is window)
        self.tables.spaces[space] = None
        return terms.Apply(function, space, arguments, span=self.span)

    def negation(self, value: Term) -> Term:
        match value:
            case terms.Constant(known):
                return self.constant(1 - known)
            case terms.Not(operand):
                return operand
            case _:
                return terms.Not(value, span=self.span)

    def conjunction(self, parts: Sequence[Thunk]) -> Term:
        found = [part for part in map(self.scope, parts) if part != YES]
        if NO in found:
            found = found[: found.index(NO) + 1]
        return _only(found) or (terms.And(tuple(found), span=self.span) if found else self.constant(1))

    def disjunction(self, parts: Sequence[Thunk]) -> Term:
        found = [part for part in map(self.scope, parts) if part != NO]
        if YES in found:
            found = found[: found.index(YES) + 1]
        return _only(found) or (terms.Or(tuple(found), span=self.span) if found else self.constant(0))

    def choice(self, condition: Term, then: Thunk, otherwise: Thunk) -> Term:
        if isinstance(condition, terms.Constant):
            return then() if condition.value else otherwise()
        return terms.Choice(condition, self.scope(then), self.scope(otherwise), span=self.span)

    def compare(self, operator: Comparison, left: Term, right: Term) -> Term:
        if isinstance(left, terms.Constant) and isinstance(right, terms.Constant):
            return self.constant(compare(operator, left.value, right.value))
        return terms.Compare(operator, left, right, span=self.span)

    def arithmetic(self, operator: Operator, left: Term, right: Term) -> Term:
        if isinstance(left, terms.Constant) and isinstance(right, terms.Constant):
            return self.constant(arithmetic(operator, left.value, right.value))
        return terms.Arithmetic(operator, left, right, span=self.span)

    def draw(self, domain: Term, span: Span) -> Term:
        return self.name(domain, drawn=True)

    def clash(self, one: game.Case, other: game.Case) -> Term:
        return terms.Fault(span=one.span, cases=(one, other))

    def invoke(self, definition: game.Definition, arguments: Sequence[Any], body: Callable[[Sequence[Any]], Any]) -> Term:
        self.tables.called[definition.name] = None
        return terms.Call(definition.name, tuple(arguments), span=self.span)

    # Sets -----------------------------------------------------------------------------------------

    def known(self, values: Sequence[int]) -> Term:
        if len(values) > 1 and tuple(values) == tuple(range(values[0], values[-1] + 1)):
            return terms.Interval(self.constant(values[0]), self.constant(values[-1]), span=self.span)
        return self.listed([self.constant(value) for value in values])

    def listed(self, values: Sequence[Term]) -> Term:
        return terms.Listed(tuple(values), span=self.span)

    def interval(self, low: Term, high: Term) -> Term:
        return terms.Interval(low, high, span=self.span)

    def row(self, rows: FiniteRows, key: Term) -> Term:
        self.tables.rows[rows.name] = rows.rows
        return terms.Row(rows.name, key, span=self.span)

    def neighbours(self, window: Window, space: str, directions: Sequence[int], cell: Term) -> Term:
        name = f"{space}_next_{'_'.join(map(str, directions))}"
        self.tables.rows[name] = Neighbours(window, tuple(directions))
        return terms.Row(name, cell, span=self.span)

    def line(self, window: Window, cell: Term, direction: Term) -> Term:
        return self.applied(Function.LINE, window, cell, direction)

    def board_cells(self, window: Window, board: str) -> Term:
        """All cells, as their test is applied in any case; of a wide space those that hold a tile."""
        cells = self.known(range(window.size))
        if not window.unbounded:
            return cells
        return self.those(cells, lambda cell: self.compare(Comparison.UNEQUAL, self.read(board, cell), self.constant(0)))

    def member(self, value: Term, domain: Term) -> Term:
        return terms.In(value, domain, span=self.span)

    def joined(self, first: Term, second: Term) -> Term:
        return terms.Joined(first, second, span=self.span)

    def those(self, domain: Term, where: Body) -> Term:
        local, condition = self._bound(where)
        return domain if condition == YES else terms.Filter(local, domain, condition, span=self.span)

    def image(self, domain: Term, where: Body | None, body: Body, uses: int) -> Term:
        domain = self._those(domain, where)
        local, value = self._bound(body)
        return terms.Image(local, domain, value, span=self.span)

    def closure(self, start: Term, successors: Body) -> Term:
        local, body = self._bound(successors)
        return terms.Closure(local, start, body, span=self.span)

    def top(self, pile: Term, bottom: bool) -> Term:
        return terms.Top(pile, bottom, span=self.span)

    # Folds ----------------------------------------------------------------------------------------

    def every(self, domain: Term, where: Body | None, body: Body, uses: int) -> Term:
        return self.fold(Kind.EVERY, domain, where, body, 1)

    def some(self, domain: Term, where: Body | None, body: Body, uses: int) -> Term:
        return self.fold(Kind.SOME, domain, where, body, 0)

    def total(self, domain: Term, where: Body | None, body: Body, uses: int) -> Term:
        return self.fold(Kind.SUM, domain, where, body, 0)

    def size(self, domain: Term) -> Term:
        return self.fold(Kind.SUM, domain, None, lambda _: self.constant(1), 0)

    def extreme(self, kind: Kind, domain: Term, where: Body | None, body: Body) -> Term:
        return self.fold(kind, domain, where, body, 0)

    def fold(self, kind: Kind, domain: Term, where: Body | None, body: Body, empty: int) -> Term:
        """One value from those of the body; `empty` if the domain is."""
        domain = self._those(domain, where)
        local, value = self._bound(body)
        return terms.Fold(local, domain, value, kind, empty, span=self.span)

    def _those(self, domain: Term, where: Body | None) -> Term:
        return domain if where is None else self.those(domain, where)


def _only(parts: list[Term]) -> Term | None:
    """The only part."""
    return parts[0] if len(parts) == 1 else None
