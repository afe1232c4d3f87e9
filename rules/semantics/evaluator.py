"""The meaning of every term, defined once, over an algebra of values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, assert_never

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Case, Definition
from rulewright.rules.model.state import least_value
from rulewright.rules.model.traversal import conjuncts, parts_of

from .algebra import Env, Function, SetT, Thunk, ValueT
from .set_evaluator import SetEvaluator, near_directions, rows_of

LOOPS = terms.Fold | terms.Image | terms.Closure
"""Terms that evaluate another term once for each element of a domain."""


@define
class Evaluator(SetEvaluator[ValueT, SetT]):
    """Evaluates terms of a grounded game in one algebra."""

    def value(self, term: terms.Term, env: Env) -> ValueT:  # noqa: PLR0912
        """The value of a term that is not a set."""
        algebra, instance = self.algebra, self.instance
        match term:
            case terms.Constant(value):
                return algebra.constant(value)
            case terms.Absent(type=type):
                return algebra.constant(instance.absent(type))
            case terms.Local(name):
                found: ValueT = env[name]
                return found
            case terms.Read(variable, index):
                return self.read(variable, self.value(index[0], env) if index else None)
            case terms.Paired():
                return self._paired(term, env)
            case terms.Invoke():
                return self._invoked(term, env)  # type: ignore[no-any-return]
            case terms.Lookup(map, key, picking):
                return self._looked_up(map, self.value(key, env), picking, env)
            case terms.PlayerCount():
                return algebra.constant(instance.players)
            case terms.Origin(space):
                return algebra.constant(instance.windows[space].origin)
            case terms.Not(operand):
                return algebra.negation(self.value(operand, env))
            case terms.And(parts):
                return algebra.conjunction([self._thunk(p, env) for p in parts])
            case terms.Or(parts):
                return algebra.disjunction([self._thunk(p, env) for p in parts])
            case terms.Compare(operator, left, right):
                return algebra.compare(operator, self.value(left, env), self.value(right, env))
            case terms.Arithmetic(first, rest):
                result = self.value(first, env)
                for op, operand in rest:
                    result = algebra.arithmetic(op, result, self.value(operand, env))
                return result
            case terms.If(condition, then, otherwise):
                return algebra.choice(self.value(condition, env), self._thunk(then, env), self._thunk(otherwise, env))
            case terms.Membership(item, members):
                return self.member(self.value(item, env), members, env)
            case terms.Within(first, second):
                return self.within(first, second, env)
            case terms.Apply(function, space, arguments):
                return algebra.applied(function, instance.windows[space], *(self.value(part, env) for part in arguments))
            case terms.CellAt(space, coordinate):
                return self._cell_at(space, [self.value(number, env) for number in coordinate])
            case terms.Fold(terms.Kind.EVERY, binder, body):
                return algebra.every(*self._loop(binder, body, env))
            case terms.Fold(terms.Kind.SOME, binder, body):
                return algebra.some(*self._loop(binder, body, env))
            case terms.Fold(terms.Kind.SUM, binder, body):
                return algebra.total(*self._loop(binder, body, env))
            case terms.Fold(kind, binder, body):
                return self._first_extreme(kind, binder, body, instance.none(term.type) if kind.is_element else 0, env)
            case terms.Let(name, given_term, body):
                return self.value(body, self._named(name, given_term, body, env))
            case terms.Size(domain_term):
                return algebra.size(self.set(domain_term, env))
            case terms.Top(pile, bottom):
                return algebra.top(self.set(pile, env), bottom)
            case terms.Drawn(terms.SetLiteral(items)):
                picked = algebra.share(algebra.draw(algebra.known(range(len(items))), term.span), 2)
                return algebra.branch(picked, picked, lambda at, _: self.value(items[at], env), range(len(items)))
            case terms.Drawn(domain_term):
                return algebra.draw(self.set(domain_term, env), term.span)
            case (
                terms.Neighbours() | terms.Row() | terms.AllCells() | terms.AllDirections()
                | terms.AllMembers() | terms.Interval() | terms.SetLiteral() | terms.Those() | terms.Image() | terms.Closure()
                | terms.SetOperation()
            ):  # fmt: skip
                raise TypeError(f"a set is no single value: {term!r}")
            case _:
                assert_never(term)

    def read(self, variable: str, index: ValueT | None) -> ValueT:
        """The value of a variable; its least value if the index stands for no terrain or no pair."""
        algebra, known = self.algebra, self.instance.game.variables[variable]
        nothing = algebra.constant(least_value(self.instance, known))
        match known.index:
            case types.TERRAIN if index is not None:
                at = algebra.share(index, 2)
                is_any = algebra.compare(Comparison.AT_LEAST, at, algebra.constant(0))
                return algebra.choice(is_any, lambda: algebra.read(variable, at), lambda: nothing)
            case types.Pair() | types.Player() | types.Enumeration() as kind if index is not None and (
                isinstance(kind, types.Pair) or kind in self.instance.optional
            ):
                inside, is_any = self._inside(kind, index)
                return algebra.choice(is_any, lambda: algebra.read(variable, inside), lambda: nothing)
            case _:
                return algebra.read(variable, index)

    def zone(self, variable: str, index: ValueT | None) -> SetT:
        """The tiles of a zone; empty if its index is none."""
        algebra, kind = self.algebra, self.instance.game.variables[variable].index
        if index is None or kind not in self.instance.optional:
            return algebra.zone(variable, index)
        inside, is_any = self._inside(kind, index)
        return algebra.those(algebra.zone(variable, inside), lambda _: is_any)

    def _inside(self, kind: types.Type, index: ValueT) -> tuple[ValueT, ValueT]:
        """An index (the first one if it is none, since code may evaluate ahead of the condition), and whether it is not
        none."""
        algebra, domain = self.algebra, self.instance.domain(kind)
        at, none = algebra.share(index, 3), algebra.constant(self.instance.absent(kind))
        is_any = algebra.share(algebra.compare(Comparison.UNEQUAL, at, none), 3)
        return algebra.share(algebra.choice(is_any, lambda: at, lambda: algebra.constant(domain.start)), 2), is_any

    def _paired(self, pair: terms.Paired, env: Env) -> ValueT:
        """The index of a pair; none if one of its elements is nowhere or no terrain."""
        algebra, tests = self.algebra, list[Thunk[ValueT]]()

        def element(part: terms.Term) -> ValueT:
            """The index of an element, counted from 0."""
            domain = self.instance.domain(part.type)
            may_be_none = isinstance(part.type, types.Cell) or part.type in {types.TERRAIN, *self.instance.optional}
            found = algebra.share(self.value(part, env), 3 if may_be_none else 1)
            if may_be_none:
                tests.append(partial(algebra.compare, Comparison.AT_LEAST, found, algebra.constant(domain.start)))
                tests.append(partial(algebra.compare, Comparison.LESS, found, algebra.constant(domain.stop)))
            start = algebra.constant(domain.start)
            return algebra.arithmetic(Operator.MINUS, found, start) if domain.start else found

        first, second = element(pair.first), element(pair.second)
        width, none = len(self.instance.domain(pair.second.type)), self.instance.none(pair.type)
        there = algebra.conjunction(tests)
        return algebra.choice(there, lambda: algebra.paired(first, second, width), lambda: algebra.constant(none))

    def set(self, term: terms.Term, env: Env) -> SetT:  # noqa: PLR0912
        """The value of a term that is a set."""
        algebra, instance = self.algebra, self.instance
        match term:
            case terms.Local(name):
                found: SetT = env[name]
                return found
            case terms.Read(variable, index):
                return self.zone(variable, self.value(index[0], env) if index else None)
            case terms.Neighbours(space, which, cell):
                window = instance.windows[space]
                return algebra.neighbours(window, space, near_directions(window, which), self.value(cell, env))
            case terms.Apply(_, space, (cell, direction)):
                return algebra.line(instance.windows[space], self.value(cell, env), self.value(direction, env))
            case terms.Row(rows, key):
                return algebra.row(rows_of(instance, rows), self.value(key, env))
            case terms.AllCells(space):
                return algebra.known(range(instance.windows[space].size))
            case terms.AllDirections(space):
                return algebra.known(instance.windows[space].around)
            case terms.AllMembers(type=types.SetOf(element)):
                return algebra.known(instance.domain(element))
            case terms.Interval(low, high):
                return algebra.interval(self.value(low, env), self.value(high, env))
            case terms.SetLiteral(items):
                return algebra.listed([self.value(i, env) for i in items])
            case terms.Those(binder):
                return self._those(binder, env)
            case terms.Image(image, binder):
                return algebra.image(*self._loop(binder, image, env))
            case terms.SetOperation(operator, first, second):
                return self.operation(operator, first, second, env)
            case terms.If(condition, then, otherwise):
                chosen = algebra.share(self.value(condition, env), 4)
                one = algebra.those(self.set(then, env), lambda _: chosen)
                return algebra.joined(one, algebra.those(self.set(otherwise, env), lambda _: algebra.negation(chosen)))
            case terms.Closure(start, origin, binder):
                return algebra.closure(self.value(start, env), lambda here: self._those(binder, {**env, origin: here}))
            case terms.Invoke():
                return self._invoked(term, env)  # type: ignore[no-any-return]
            case terms.Let(name, given_term, body):
                return self.set(body, self._named(name, given_term, body, env))
            case _:
                raise TypeError(f"not a set: {term!r}")

    def _named(self, name: str, given: terms.Term, body: terms.Term, env: Env) -> Env:
        """The environment for the body of a `let`. A single value is computed once."""
        if isinstance(given.type, types.SetOf):
            return {**env, name: self.set(given, env)}
        return {**env, name: self.algebra.share(self.value(given, env), occurrences(name, body))}

    def _those(self, binder: terms.Binder, env: Env) -> SetT:
        domain, test = self.domain_and_test(binder, env)
        return domain if test is None else self.algebra.those(domain, test)

    def _loop(
        self, binder: terms.Binder, body: terms.Term, env: Env
    ) -> tuple[SetT, Function[ValueT] | None, Function[ValueT], int]:
        """A bound name's domain and test, a term as a function of the name, and how often test and term use it."""
        uses = occurrences(binder.name, binder.where, body)
        return *self.domain_and_test(binder, env, body), lambda value: self.value(body, {**env, binder.name: value}), uses

    def _first_extreme(self, kind: terms.Kind, binder: terms.Binder, by: terms.Term, none: int, env: Env) -> ValueT:
        """The least or greatest value, or the first element that has it; `none` if the domain is empty."""
        algebra = self.algebra
        domain, test, key, _ = self._loop(binder, by, env)
        if not none:
            return algebra.extreme(kind, domain, test, key)
        is_any = algebra.some(domain, test, lambda _: algebra.constant(1), 0)
        picked = partial(algebra.extreme, kind, domain, test, key)
        return algebra.choice(is_any, picked, lambda: algebra.constant(none))

    def _thunk(self, term: terms.Term, env: Env) -> Thunk[ValueT]:
        return lambda: self.value(term, env)

    def _looked_up(self, known: terms.Maps, key: ValueT, picking: terms.Term | None, env: Env) -> ValueT:
        algebra, instance = self.algebra, self.instance
        if picking is None:
            return algebra.lookup(instance.map(known), key)
        picked, every = self.value(picking, env), instance.domain(picking.type)
        return algebra.branch(picked, key, lambda at, of: algebra.lookup(instance.map(known, at), of), every)

    def _cell_at(self, space: str, coordinate: Sequence[ValueT]) -> ValueT:
        """The cell at a coordinate, looked up by its index in the bounding box of all cells."""
        algebra, (extent, cells) = self.algebra, self.instance.cell_at(space)
        place, inside = algebra.constant(0), list[Thunk[ValueT]]()
        for number, low, high in zip(coordinate, extent.low, extent.high, strict=True):
            along = algebra.share(number, 3)
            inside += [partial(algebra.compare, Comparison.AT_LEAST, along, algebra.constant(low))]
            inside += [partial(algebra.compare, Comparison.AT_MOST, along, algebra.constant(high))]
            before = algebra.arithmetic(Operator.TIMES, place, algebra.constant(high - low + 1))
            offset = algebra.arithmetic(Operator.MINUS, along, algebra.constant(low))
            place = algebra.arithmetic(Operator.PLUS, before, offset)
        nowhere = algebra.constant(self.instance.windows[space].nowhere)
        return algebra.choice(algebra.conjunction(inside), lambda: algebra.lookup(cells, place), lambda: nowhere)

    def _invoked(self, call: terms.Invoke, env: Env) -> Any:
        definition = self.instance.game.definitions[call.definition]
        given = [self.any(argument, env) for argument in call.arguments]
        return self.algebra.invoke(definition, given, lambda args: self.definition(definition, args))

    def definition(self, definition: Definition, arguments: Sequence[Any]) -> Any:
        """The value or the set of a definition, expanded."""
        env = {
            name: self.algebra.share(value, occurrences(name, definition.value, *(c.when for c in definition.cases)))
            if not isinstance(type, types.SetOf)
            else value
            for (name, type), value in zip(definition.parameters, arguments, strict=True)
        }
        if isinstance(definition.value.type, types.SetOf):
            return self.set(definition.value, env)
        return self._cases(self._thunk(definition.value, env), definition.cases, env)

    def _cases(self, result: Thunk[ValueT], cases: tuple[Case, ...], env: Env) -> ValueT:
        """A default and its exceptions: the one that applies wins; two that apply at once clash."""
        for at in range(len(cases) - 1, -1, -1):
            result = self._exception(cases[at], may_clash(cases[at], cases[at + 1 :]), env, result)
        return result()

    def _value_of(self, case: Case, env: Env) -> Thunk[ValueT]:
        return self._thunk(case.value, env)

    def _exception(self, case: Case, others: tuple[Case, ...], env: Env, otherwise: Thunk[ValueT]) -> Thunk[ValueT]:
        def alone(rest: tuple[Case, ...]) -> ValueT:
            if not rest:
                return self._cases(self._value_of(case, env), case.exceptions, env)
            applies = self.value(rest[0].when, env)
            return self.algebra.choice(applies, lambda: self.algebra.clash(case, rest[0]), lambda: alone(rest[1:]))

        return lambda: self.algebra.choice(self.value(case.when, env), lambda: alone(others), otherwise)


@lru_cache(maxsize=4096)
def occurrences(name: str, *where: terms.Term | None) -> int:
    """How often a bound name is read; a read inside another loop counts twice."""
    found = 0
    pending: list[tuple[object, int]] = [(term, 1) for term in where]
    while pending:
        here, weight = pending.pop()
        if isinstance(here, terms.Local) and here.name == name:
            found += weight
        else:
            pending += [(part, 2 if isinstance(here, LOOPS) else weight) for part in parts_of(here)]
    return found


# Exceptions that exclude each other: they require different values of the same term ------------------------------------


def may_clash(case: Case, others: tuple[Case, ...]) -> tuple[Case, ...]:
    """The other cases that may apply together with `case`."""
    asked = asked_values(case.when)
    return tuple(other for other in others if not _differ(asked, asked_values(other.when)))


@lru_cache(maxsize=4096)
def asked_values(condition: terms.Term) -> dict[terms.Term, int]:
    """The values that a condition requires of terms."""
    return dict(_asked(condition))


def _asked(condition: terms.Term) -> Iterator[tuple[terms.Term, int]]:
    for part in conjuncts(condition):
        match part:
            case terms.Compare(Comparison.EQUAL, terms.Constant(value), term) | terms.Compare(
                Comparison.EQUAL, term, terms.Constant(value)
            ):
                yield term, value


def _differ(one: dict[terms.Term, int], other: dict[terms.Term, int]) -> bool:
    return any(term in other and other[term] != value for term, value in one.items())
