"""The meaning of every effect, defined once, over a store that an algebra reads from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar, assert_never

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Operator
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects

from .algebra import Env, Function, SetT, ValueT
from .evaluator import Evaluator

Domain = TypeVar("Domain")


@frozen
class ZoneEnd(Generic[ValueT]):
    """A zone, by variable and index, and the end of a pile where tiles come and go."""

    variable: str
    index: ValueT | None
    bottom: bool = False

    @property
    def zone(self) -> tuple[str, ValueT | None]:
        return self.variable, self.index


class Store(Protocol[ValueT, Domain]):
    """The operations by which effects change a state."""

    def assign(self, variable: str, index: ValueT | None, value: ValueT, clause: effects.EffectClause) -> None: ...

    def existing(self, variable: str, index: ValueT, clause: effects.EffectClause) -> ValueT:
        """Check that an index is an element of the variable's index type; returns it. May raise `PlayError`."""
        return index

    def put(self, space: str, cell: ValueT, tile: ValueT, clause: effects.EffectClause) -> None: ...

    def clear(self, space: str, cell: ValueT, clause: effects.EffectClause) -> ValueT:
        """Take the tile off a cell; returns it."""

    def remove(self, source: ZoneEnd[ValueT], tile: ValueT, clause: effects.EffectClause) -> None: ...

    def add(self, target: ZoneEnd[ValueT], tile: ValueT) -> None: ...

    def deal(self, number: ValueT | None, source: ZoneEnd[ValueT], target: ZoneEnd[ValueT]) -> None: ...

    def shuffle(self, variable: str, index: ValueT | None) -> None: ...

    def when(self, condition: ValueT, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None: ...

    def for_each(self, domain: Domain, where: Function[ValueT] | None, body: Callable[[ValueT], None]) -> None: ...

    def kept(self, domain: Domain) -> Domain:
        """A snapshot of a set, which later effects do not change."""
        return domain

    def end(self, game: bool) -> None:
        return


@define
class Executor(Generic[ValueT, SetT]):
    """Carries out effects in the order written."""

    evaluator: Evaluator[ValueT, SetT]
    store: Store[ValueT, SetT]

    def run(self, clauses: Sequence[effects.EffectClause], env: Env) -> None:
        for clause in clauses:
            self._effect(clause, env)

    def _effect(self, clause: effects.EffectClause, env: Env) -> None:
        evaluator, store, value = self.evaluator, self.store, self.evaluator.value
        match clause.effect:
            case effects.Transfer():
                self._transfer(clause.effect, clause, env)
            case effects.Deal(number, source, target):
                many = None if number is None else value(number, env)
                store.deal(many, self._end(source, clause, env), self._end(target, clause, env))
            case effects.Shuffle(zone):
                store.shuffle(*self._place(zone, env))
            case effects.Assign(target, assignment, new):
                self._assign(target, assignment, value(new, env), clause, env)
            case effects.ForEach(binder, body):
                domain, where = evaluator.set(binder.domain, env), evaluator.test(binder, env)
                store.for_each(domain, where, lambda element: self.run(body, {**env, binder.name: element}))
            case effects.Keep(name, members, body):
                self.run(body, {**env, name: store.kept(evaluator.set(members, env))})
            case effects.When(condition, body, otherwise):
                other = (lambda: self.run(otherwise, env)) if otherwise else None
                store.when(value(condition, env), lambda: self.run(body, env), other)
            case effects.End(game):
                store.end(game)
            case _:
                assert_never(clause.effect)

    def _transfer(self, move: effects.Transfer, clause: effects.EffectClause, env: Env) -> None:
        """Move one tile; whether it can leave its place is tested before whether it can come to the other."""
        store, boards = self.store, self.evaluator.instance.game.spaces
        tile = None if move.piece is None else self.evaluator.value(move.piece, env)
        target, source = self._end(move.target, clause, env), self._end(move.source, clause, env)
        if tile is None:
            assert source.index is not None
            tile = store.clear(source.variable, source.index, clause)
        else:
            store.remove(source, tile, clause)
        if move.target.variable not in boards:
            store.add(target, tile)
        else:
            assert target.index is not None
            store.put(target.variable, target.index, tile, clause)

    def _place(self, place: effects.Location, env: Env) -> tuple[str, ValueT | None]:
        return place.variable, self.evaluator.value(place.index[0], env) if place.index else None

    def _end(self, place: effects.Location, clause: effects.EffectClause, env: Env) -> ZoneEnd[ValueT]:
        variable, index = self._place(place, env)
        instance, known = self.evaluator.instance, self.evaluator.instance.game.variables[variable]
        if index is not None and known.index in instance.optional and not known.is_board:
            index = self.store.existing(variable, index, clause)
        return ZoneEnd(variable, index, place.bottom)

    def _assign(
        self, target: effects.Location, assignment: Assignment, value: ValueT, clause: effects.EffectClause, env: Env
    ) -> None:
        variable, index = self._place(target, env)
        if assignment is not Assignment.SET:
            operator = Operator.PLUS if assignment is Assignment.ADD else Operator.MINUS
            algebra = self.evaluator.algebra
            value = algebra.arithmetic(operator, self.evaluator.read(variable, index), value)
        self.store.assign(variable, index, value, clause)
