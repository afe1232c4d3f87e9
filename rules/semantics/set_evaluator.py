"""The meaning of set terms: operations, choices, comparisons, searches.

A set is not enumerated if a test decides membership.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Generic, assert_never

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import FiniteRows, Instance
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.model.types import SetOperator
from rulewright.rules.spaces.window import Window

from .algebra import Algebra, Env, Function, SetT, ValueT
from .cell_test import marks_sought, only_occupied, sought_by, tests_membership

_WHOLE = terms.AllCells | terms.AllDirections | terms.AllMembers | terms.Interval
"""Sets whose membership is decided by a comparison."""


@define
class SetEvaluator(Generic[ValueT, SetT]):
    """The part of the evaluator for sets."""

    instance: Instance
    algebra: Algebra[ValueT, SetT]

    @abstractmethod
    def value(self, term: terms.Term, env: Env) -> ValueT:
        """The value of a term that is not a set."""

    @abstractmethod
    def set(self, term: terms.Term, env: Env) -> SetT:
        """The value of a term that is a set."""

    def any(self, term: terms.Term, env: Env) -> ValueT | SetT:
        """The value of a term, set or not."""
        return self.set(term, env) if isinstance(term.type, types.SetOf) else self.value(term, env)

    def member(self, value: ValueT, members: terms.Term, env: Env) -> ValueT:
        """Whether a value is in a set."""
        algebra = self.algebra
        if not self._is_test(members):
            return algebra.member(value, self.set(members, env))
        match members:
            case terms.Row(terms.PartsOf() as parts, key):
                return self._part_test(parts, key, env)(value)
            case terms.Those(binder):
                item = algebra.share(value, 3)
                inside, where = partial(self.member, item, binder.domain, env), binder.where
                if where is None:
                    return inside()
                return algebra.conjunction([inside, lambda: self.value(where, {**env, binder.name: item})])
            case terms.SetOperation(operator, first, second):
                item = algebra.share(value, 3)
                one, other = (partial(self.member, item, part, env) for part in (first, second))
                match operator:
                    case SetOperator.BOTH:
                        return algebra.conjunction([one, other])
                    case SetOperator.EITHER:
                        return algebra.disjunction([one, other])
                    case SetOperator.WITHOUT:
                        return algebra.conjunction([one, lambda: algebra.negation(other())])
                    case _:
                        assert_never(operator)
            case terms.If(condition, then, otherwise):
                item = algebra.share(value, 3)
                one, other = (partial(self.member, item, part, env) for part in (then, otherwise))
                return algebra.choice(self.value(condition, env), one, other)
            case terms.Invoke(name, arguments):
                definition = self.instance.game.definitions[name]
                names = (parameter for parameter, _ in definition.parameters)
                given = (self.any(argument, env) for argument in arguments)
                return self.member(value, definition.value, dict(zip(names, given, strict=True)))
            case _:
                return algebra.member(value, self.set(members, env))

    def operation(self, operator: SetOperator, first: terms.Term, second: terms.Term, env: Env) -> SetT:
        """The result of an operation on two sets."""
        algebra, one = self.algebra, self.set(first, env)
        if operator is SetOperator.EITHER:
            one = one if self._is_test(first) else self.once(one)
            other = self.set(second, env)
            in_first = self._test(first, env, one)
            return algebra.joined(one, algebra.those(other, lambda item: algebra.negation(in_first(item))))
        in_second = self._test(second, env, None)
        if operator is SetOperator.BOTH:
            return algebra.those(one, in_second)
        return algebra.those(one, lambda item: algebra.negation(in_second(item)))

    def within(self, first: terms.Term, second: terms.Term, env: Env) -> ValueT:
        """Whether a set is contained in another; for tiles, with multiplicity."""
        algebra, one = self.algebra, self.set(first, env)
        if first.type != types.SetOf(types.Tile()):
            return algebra.every(one, None, self._test(second, env, None), 2)
        one, other = self.once(one), self.once(self.set(second, env))

        def copies(tile: ValueT, domain: SetT) -> ValueT:
            test = partial(algebra.compare, Comparison.EQUAL, tile)
            return algebra.total(domain, test, lambda _: algebra.constant(1), 1)

        def enough(tile: ValueT) -> ValueT:
            tile = algebra.share(tile, 4)
            return algebra.compare(Comparison.AT_MOST, copies(tile, one), copies(tile, other))

        return algebra.every(one, None, enough, 4)

    def once(self, domain: SetT) -> SetT:
        """A set that is used several times."""
        return domain

    def _test(self, members: terms.Term, env: Env, listed: SetT | None) -> Function[ValueT]:
        """A membership test for a set; a set that must be enumerated is enumerated once."""
        if self._is_test(members):
            return lambda item: self.member(item, members, env)
        known = self.once(self.set(members, env)) if listed is None else listed
        return lambda item: self.algebra.member(item, known)

    def _is_test(self, members: terms.Term) -> bool:
        """Whether a test decides membership, so that the elements need not be enumerated."""
        match members:
            case terms.Those(binder):
                return isinstance(binder.domain, _WHOLE) or self._is_test(binder.domain)
            case terms.SetOperation(_, first, second) | terms.If(_, first, second):
                return self._is_test(first) and self._is_test(second)
            case terms.Invoke(name):
                return self._is_test(self.instance.game.definitions[name].value)
            case terms.Row(terms.PartsOf()):
                return True
            case _:
                return isinstance(members, _WHOLE)

    def _part_test(self, parts: terms.PartsOf, key: terms.Term, env: Env) -> Function[ValueT]:
        """A test for the cells of a part of a partition: their parts have the same first cell."""
        algebra, first = self.algebra, self.instance.first_in_row(rows_of(self.instance, parts))
        there = algebra.share(algebra.lookup(first, self.value(key, env)), 2)
        return lambda cell: algebra.compare(Comparison.EQUAL, algebra.lookup(first, cell), there)

    def _holders(self, binder: terms.Binder, env: Env) -> SetT | None:
        """The keys, in a binder's domain, of known sets that contain a given element: `p in places(P) where c in cells(p)`."""
        if binder.where is None or not isinstance(binder.domain, terms.AllMembers):
            return None
        for part in conjuncts(binder.where):
            match part:
                case terms.Membership(item, terms.Row(rows, terms.Local(binder.name))) if binder.name not in locals_in(item):
                    keys = self.instance.holders(rows_of(self.instance, rows), self.instance.domain(item.type))
                    return self.algebra.holders(keys, partial(self.value, item, env))
        return None

    def _kept(self, binder: terms.Binder, env: Env) -> SetT | None:
        """The cells of the few kinds that a binder searches for, or the marked cells; None if neither applies or is tracked."""
        sought = sought_by(self.instance, binder)
        if sought is not None:
            return self.algebra.cells_of_kinds(sought.board, sought.kinds, lambda: self.searched(binder, env))
        marked = marks_sought(self.instance, binder)
        return None if marked is None else self.algebra.marked(marked)

    def narrowed(self, binder: terms.Binder, env: Env) -> tuple[SetT, Function[ValueT] | None] | None:
        """The tracked cells that a binder searches for, and the test for those in its domain.

        For sets known before play, only the keys of those that contain the element. None if everything must be searched.
        """
        holders = self._holders(binder, env)
        if holders is not None:
            return holders, None
        found, domain = self._kept(binder, env), binder.domain
        if found is None:
            return None
        match domain:
            case terms.AllCells():
                return found, None
            case terms.Row(terms.PartsOf() as parts, key):
                return found, self._part_test(parts, key, env)
            case _:
                return found, lambda cell: self.member(cell, domain, env)

    def test(self, binder: terms.Binder, env: Env) -> Function[ValueT] | None:
        """The test for the elements of a domain that count."""
        where = binder.where
        return None if where is None else lambda value: self.value(where, {**env, binder.name: value})

    def domain_and_test(self, binder: terms.Binder, env: Env, *_: terms.Term) -> tuple[SetT, Function[ValueT] | None]:
        """The domain of a bound name for the evaluation of other terms, and the test for the elements that count.

        For a space, only the occupied cells if the test fails elsewhere; only those with the kinds of tile that can pass, if
        these are few.
        """
        test, narrowed = self.test(binder, env), self.narrowed(binder, env)
        if narrowed is None or test is None:
            return self.searched(binder, env), test
        found, inside = narrowed
        if tests_membership(binder, marks_sought(self.instance, binder) or ""):
            return found, inside
        if inside is None:
            return found, test
        return found, lambda value: self.algebra.conjunction([partial(inside, value), partial(test, value)])

    def domain(self, binder: terms.Binder, env: Env) -> SetT:
        """The domain of a bound name whose test is applied separately."""
        match self.narrowed(binder, env):
            case (found, None):
                return found
            case _:
                return self.searched(binder, env)

    def searched(self, binder: terms.Binder, env: Env) -> SetT:
        """The domain of a binder; for a board only the occupied cells, if no other can pass the test."""
        if isinstance(binder.domain, terms.AllCells) and self.only_occupied(binder):
            board = binder.domain.space
            return self.algebra.board_cells(self.instance.windows[board], board)
        return self.set(binder.domain, env)

    def only_occupied(self, binder: terms.Binder) -> bool:
        """Whether the test of a binder over all cells of a board can only hold where a tile lies."""
        return only_occupied(self.instance, binder)


def rows_of(instance: Instance, rows: terms.Rows) -> FiniteRows:
    """The sets known before play; they are computed once."""
    match rows:
        case terms.ColumnsOf(space):
            return instance.columns(space)
        case terms.RolesOf(pattern, role):
            return instance.roles(pattern, role)
        case terms.CellsOf(pattern):
            return instance.cells_of(pattern)
        case terms.PlacesOfKind(pieces):
            return instance.places_of_kind(pieces)
        case terms.PlacesOver(pieces):
            return instance.places_over(pieces)
        case terms.PartsOf(partition, space):
            window, number = instance.windows[space], instance.game.definitions[partition]
            cells = terms.Local(number.parameters[0][0], types.Cell(space))
            part, value = terms.Invoke(partition, (cells,), type=number.type), instance.reader.value
            return instance.rows_by(
                f"{partition}_parts", window, lambda coordinate: value(part, (), {cells.name: window.cell(coordinate)})
            )
        case _:
            assert_never(rows)


def near_directions(window: Window, neighbourhood: terms.Neighbourhood) -> tuple[int, ...]:
    """The directions of a window that lead to the cells of a neighbourhood."""
    match neighbourhood:
        case terms.Neighbourhood.AROUND:
            return window.around
        case terms.Neighbourhood.BESIDE:
            return window.beside
        case terms.Neighbourhood.DIAGONALS:
            return window.diagonals
        case terms.Neighbourhood.NEARBY:
            return tuple(sorted({*window.around, *window.diagonals}))
