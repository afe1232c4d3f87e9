"""The meaning of every term, said once, over an algebra of values. Every reading of the rules comes from here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, assert_never

from ..grammar.classes import define
from ..grammar.expressions import Comparison, Operator, Quantifier
from . import terms as t
from . import types
from .algebra import Algebra, S, V
from .game import Case, Definition
from .ground import Ground
from .layout import least
from .spaces.window import Window
from .walking import parts_of

Env = Mapping[str, Any]
"""Bound names to values of the algebra (a set for a name bound to one)."""


@define
class Evaluator(Generic[V, S]):
    """Evaluates terms of a grounded game in one algebra."""

    ground: Ground
    algebra: Algebra[V, S]

    def value(self, term: t.Term, env: Env) -> V:
        """The value of a term that is not a set."""
        algebra, ground = self.algebra, self.ground
        match term:
            case t.Constant(value):
                return algebra.constant(value)
            case t.Local(name):
                found: V = env[name]
                return found
            case t.Read(variable, index):
                return self.read(variable, self.value(index[0], env) if index else None)
            case t.Invoke(name, arguments):
                definition = ground.game.definitions[name]
                given: list[Any] = [self.any(a, env) for a in arguments]
                return algebra.invoke(definition, given, lambda args: self._definition(definition, args))
            case t.TableCell(table, column, key):
                return algebra.lookup(ground.column(table, column), self.value(key, env))
            case t.PlayerCount():
                return algebra.constant(ground.players)
            case t.Origin(space):
                return algebra.constant(ground.windows[space].origin)
            case t.Not(operand):
                return algebra.negation(self.value(operand, env))
            case t.And(parts):
                return algebra.conjunction([self._thunk(p, env) for p in parts])
            case t.Or(parts):
                return algebra.disjunction([self._thunk(p, env) for p in parts])
            case t.Compare(operator, left, right):
                return algebra.compare(operator, self.value(left, env), self.value(right, env))
            case t.Arithmetic(first, rest):
                result = self.value(first, env)
                for op, operand in rest:
                    result = algebra.arithmetic(op, result, self.value(operand, env))
                return result
            case t.If(condition, then, otherwise):
                return algebra.choice(self.value(condition, env), self._thunk(then, env), self._thunk(otherwise, env))
            case t.Member(item, members):
                return algebra.member(self.value(item, env), self.set(members, env))
            case t.MarkerCount(bearer, marker) if isinstance(bearer.type, types.Region):
                return self._markers_in(bearer.type.space, self.value(bearer, env), marker, env)
            case t.MarkerCount(bearer, marker):
                kind = self.value(bearer, env)
                names = ground.game.enumerations["marker"]
                return self._pick(marker, env, range(len(names)), lambda m: algebra.lookup(ground.marker(m), kind))
            case t.Side(tile, direction):
                kind = self.value(tile, env)
                assert isinstance(direction.type, types.Direction)
                space = direction.type.space or next(iter(ground.windows))
                keys = range(len(ground.windows[space].directions))
                return self._pick(direction, env, keys, lambda d: algebra.lookup(ground.side(space, d), kind))
            case t.RegionOf(space, cell, part):
                return self._region(space, self.value(cell, env), part, env)
            case t.RegionCell(_, region):
                most = algebra.constant(ground.most_regions)
                return algebra.arithmetic(Operator.DIV, self.value(region, env), most)
            case t.Step(space, cell, direction):
                start = self.value(cell, env)
                keys = range(len(ground.windows[space].directions))
                return self._pick(direction, env, keys, lambda d: algebra.lookup(ground.step(space, d), start))
            case t.Toward(space, start_cell, end):
                window = ground.windows[space]
                return algebra.toward(window, self.value(start_cell, env), self.value(end, env))
            case t.Opposite(space, direction):
                return algebra.lookup(ground.opposite(space), self.value(direction, env))
            case t.Turn(space, direction, times):
                return algebra.turn(ground.windows[space], self.value(direction, env), self.value(times, env))
            case t.Distance(space, start_cell, end):
                return algebra.distance(ground.windows[space], self.value(start_cell, env), self.value(end, env))
            case t.Coordinate(space, axis, cell):
                return algebra.lookup(ground.coordinate(space, axis), self.value(cell, env))
            case t.Quantified(quantifier, bound, body):
                quantify = algebra.every if quantifier is Quantifier.EVERY else algebra.some
                domain, where = self.bound(bound, env)
                uses = occurrences(bound.name, bound.where, body)
                return quantify(domain, where, lambda v: self.value(body, {**env, bound.name: v}), uses)
            case t.Sum(value_term, bound):
                domain, where = self.bound(bound, env)
                uses = occurrences(bound.name, bound.where, value_term)
                return algebra.total(domain, where, lambda v: self.value(value_term, {**env, bound.name: v}), uses)
            case t.ExtremeOf(extreme, value_term, bound):
                domain, where = self.bound(bound, env)
                return algebra.extreme(extreme, domain, where, lambda v: self.value(value_term, {**env, bound.name: v}), False)
            case t.ExtremeBy(extreme, bound, by, type):
                domain, where = self.bound(bound, env)

                def picked() -> V:
                    return algebra.extreme(extreme, domain, where, lambda v: self.value(by, {**env, bound.name: v}), True)

                none = ground.none(type)
                if not none:
                    return picked()
                yes = algebra.constant(1)
                return algebra.choice(algebra.some(domain, where, lambda _: yes, 0), picked, lambda: algebra.constant(none))
            case t.Size(domain_term):
                return algebra.size(self.set(domain_term, env))
            case t.Top(pile):
                return algebra.top(self.set(pile, env))
            case (
                t.Neighbours() | t.Line() | t.Cells() | t.Directions() | t.Everyone() | t.Members()
                | t.Interval() | t.Listed() | t.Those() | t.Image() | t.Closure()
            ):  # fmt: skip
                raise TypeError(f"a set is no single value: {term!r}")
            case _:
                assert_never(term)

    def read(self, variable: str, index: V | None) -> V:
        """The value of a variable; of no terrain, what `side` may say, the value that it begins with."""
        algebra, known = self.algebra, self.ground.game.variables[variable]
        if index is None or known.index != types.TERRAIN:
            return algebra.read(variable, index)
        at = algebra.share(index, 2)
        is_any = algebra.compare(Comparison.AT_LEAST, at, algebra.constant(0))
        none = least(self.ground, known)
        return algebra.choice(is_any, lambda: algebra.read(variable, at), lambda: algebra.constant(none))

    def set(self, term: t.Term, env: Env) -> S:
        """The value of a term that is a set."""
        algebra, ground = self.algebra, self.ground
        match term:
            case t.Local(name):
                found: S = env[name]
                return found
            case t.Read(variable, index):
                return algebra.zone(variable, self.value(index[0], env) if index else None)
            case t.Neighbours(space, which, cell):
                window = ground.windows[space]
                return algebra.neighbours(window, space, near_directions(window, which), self.value(cell, env))
            case t.Line(space, cell, direction):
                return algebra.line(ground.windows[space], self.value(cell, env), self.value(direction, env))
            case t.Cells(space):
                return algebra.known(range(ground.windows[space].size))
            case t.Directions(space):
                return algebra.known(ground.windows[space].around)
            case t.Everyone():
                return algebra.known(range(1, ground.players + 1))
            case t.Members(types.SetOf(element)):
                return algebra.known(ground.domain(element))
            case t.Interval(low, high):
                return algebra.interval(self.value(low, env), self.value(high, env))
            case t.Listed(items):
                return algebra.listed([self.value(i, env) for i in items])
            case t.Those(bound):
                domain, where = self.bound(bound, env)
                return domain if where is None else algebra.those(domain, where)
            case t.Image(image, bound):
                domain, where = self.bound(bound, env)
                uses = occurrences(bound.name, bound.where, image)
                return algebra.image(domain, where, lambda v: self.value(image, {**env, bound.name: v}), uses)
            case t.Closure(start, origin, bound):
                return algebra.closure(self.value(start, env), lambda v: self._reached(origin, bound, {**env, origin: v}))
            case t.Invoke(name, arguments):
                definition = ground.game.definitions[name]
                given = [self.any(a, env) for a in arguments]
                names = [n for n, _ in definition.parameters]
                return self.set(definition.value, dict(zip(names, given, strict=True)))
            case _:
                raise TypeError(f"not a set: {term!r}")

    def any(self, term: t.Term, env: Env) -> V | S:
        """The value of a term, set or not."""
        return self.set(term, env) if isinstance(term.type, types.SetOf) else self.value(term, env)

    def _reached(self, origin: str, bound: t.Bound, env: Env) -> S:
        domain, where = self.bound(bound, env)
        return domain if where is None else self.algebra.those(domain, where)

    def _thunk(self, term: t.Term, env: Env) -> Callable[[], V]:
        return lambda: self.value(term, env)

    def bound(self, bound: t.Bound, env: Env) -> tuple[S, Callable[[V], V] | None]:
        """What a bound name ranges over, and the test of which elements count.

        Of a space, only the occupied cells where the test shows that no other can pass.
        """
        where = bound.where
        test = None if where is None else (lambda v: self.value(where, {**env, bound.name: v}))
        if isinstance(bound.domain, t.Cells) and self.only_occupied(bound):
            board = bound.domain.space
            return self.algebra.board_cells(self.ground.windows[board], board), test
        return self.set(bound.domain, env), test

    def only_occupied(self, bound: t.Bound) -> bool:
        """Whether the test of a bound over all cells of a board can only be passed where a tile stands."""
        if not isinstance(bound.domain, t.Cells) or bound.where is None:
            return False
        variable = self.ground.game.variables.get(bound.domain.space)
        return (
            variable is not None
            and variable.is_board
            and needs_tile(self.ground.game.definitions, bound.where, bound.name, variable.name)
        )

    def _pick(self, key: t.Term, env: Env, keys: Sequence[int], family: Callable[[int], V]) -> V:
        return self.algebra.branch(self.value(key, env), lambda k: lambda: family(k), keys)

    def _region(self, space: str, cell: V, part: t.Term, env: Env) -> V:
        algebra, ground, none = self.algebra, self.ground, self.ground.none(types.Region(space))
        cell = algebra.share(cell, 2)
        tile = algebra.share(algebra.read(space, cell), 2)
        by_side = isinstance(part.type, types.Direction)
        keys = ground.windows[space].directions if by_side else ground.game.enumerations["marker"]
        number = self._pick(
            part,
            env,
            range(len(keys)),
            lambda key: algebra.lookup(ground.region(space, key) if by_side else ground.site(key), tile),
        )
        found = algebra.share(number, 2)
        first = algebra.arithmetic(Operator.TIMES, cell, algebra.constant(ground.most_regions))
        return algebra.choice(
            algebra.compare(Comparison.AT_LEAST, found, algebra.constant(0)),
            lambda: algebra.arithmetic(Operator.PLUS, first, found),
            lambda: algebra.constant(none),
        )

    def _markers_in(self, space: str, region: V, marker: t.Term, env: Env) -> V:
        algebra, ground = self.algebra, self.ground
        most = algebra.constant(ground.most_regions)
        region = algebra.share(region, 2)
        tile = algebra.read(space, algebra.arithmetic(Operator.DIV, region, most))
        number = algebra.arithmetic(Operator.MOD, region, most)
        key = algebra.share(algebra.arithmetic(Operator.PLUS, algebra.arithmetic(Operator.TIMES, tile, most), number), 2)
        markers = range(len(ground.game.enumerations["marker"]))
        return self._pick(marker, env, markers, lambda m: algebra.lookup(ground.marker_in(m), key))

    def _definition(self, definition: Definition, arguments: Sequence[Any]) -> V:
        env = {
            name: self.algebra.share(value, occurrences(name, definition.value, *(c.when for c in definition.cases)))
            if not isinstance(type, types.SetOf)
            else value
            for (name, type), value in zip(definition.parameters, arguments, strict=True)
        }
        return self._cases(definition.value, definition.cases, env)

    def _cases(self, value: t.Term, cases: tuple[Case, ...], env: Env) -> V:
        """A default and its exceptions: the one that applies wins, and two that apply at once clash."""
        result: Callable[[], V] = self._thunk(value, env)
        for at in range(len(cases) - 1, -1, -1):
            result = self._exception(cases[at], cases[at + 1 :], env, result)
        return result()

    def _exception(self, case: Case, others: tuple[Case, ...], env: Env, otherwise: Callable[[], V]) -> Callable[[], V]:
        def alone(rest: tuple[Case, ...]) -> V:
            if not rest:
                return self._cases(case.value, case.exceptions, env)
            applies = self.value(rest[0].when, env)
            return self.algebra.choice(applies, lambda: self.algebra.clash(case, rest[0]), lambda: alone(rest[1:]))

        return lambda: self.algebra.choice(self.value(case.when, env), lambda: alone(others), otherwise)


def needs_tile(
    definitions: Mapping[str, Definition], where: t.Term, name: str, board: str, tried: set[tuple[str, str]] | None = None
) -> bool:
    """Whether a condition on a cell can only hold where a tile stands, as its form shows.

    `tried` are definitions, by a parameter, that need not be looked at again.
    """
    tried = set() if tried is None else tried
    match where:
        case t.And(parts):
            return any(needs_tile(definitions, part, name, board, tried) for part in parts)
        case t.Compare(Comparison.UNEQUAL, t.Read(variable, (t.Local(cell),)), t.Constant(0)):
            return variable == board and cell == name
        case t.Invoke(definition_name, arguments) if not definitions[definition_name].cases:
            definition = definitions[definition_name]
            asked = {
                parameter
                for (parameter, _), argument in zip(definition.parameters, arguments, strict=True)
                if isinstance(argument, t.Local) and argument.name == name
            }
            new = [parameter for parameter in sorted(asked) if (definition_name, parameter) not in tried]
            tried |= {(definition_name, parameter) for parameter in new}
            return any(needs_tile(definitions, definition.value, parameter, board, tried) for parameter in new)
        case _:
            return False


def near_directions(window: Window, neighbourhood: t.Neighbourhood) -> tuple[int, ...]:
    """The directions of a window that lead to the cells of a neighbourhood."""
    match neighbourhood:
        case t.Neighbourhood.AROUND:
            return window.around
        case t.Neighbourhood.DIAGONALS:
            return window.diagonals
        case t.Neighbourhood.NEARBY:
            return tuple(sorted({*window.around, *window.diagonals}))


@lru_cache(maxsize=4096)
def occurrences(name: str, *where: t.Term | None) -> int:
    """How often a bound name is read, one inside another loop counted twice."""
    found = 0
    pending: list[tuple[object, int]] = [(term, 1) for term in where]
    while pending:
        here, weight = pending.pop()
        if isinstance(here, t.Local) and here.name == name:
            found += weight
        else:
            deeper = 2 if isinstance(here, t.Quantified | t.Sum | t.ExtremeOf | t.ExtremeBy | t.Image | t.Closure) else weight
            pending += [(part, deeper) for part in parts_of(here)]
    return found
