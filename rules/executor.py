"""The meaning of every effect, said once, over a store that an algebra reads from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar, assert_never

from ..grammar.classes import define
from ..grammar.expressions import Operator
from ..grammar.statements import Assignment
from . import effects as e
from .algebra import S, V
from .evaluator import Env, Evaluator
from .terms import Bound

Domain_contra = TypeVar("Domain_contra", contravariant=True)


class Store(Protocol[V, Domain_contra]):
    """What effects do to a state. A zone is named by its variable and index."""

    def assign(self, variable: str, index: V | None, value: V, clause: e.Clause) -> None: ...

    def put(self, space: str, cell: V, tile: V, clause: e.Clause) -> None: ...

    def clear(self, space: str, cell: V, clause: e.Clause) -> V:
        """Take the tile off a cell."""
        ...

    def remove(self, variable: str, index: V | None, tile: V, clause: e.Clause) -> None: ...

    def add(self, variable: str, index: V | None, tile: V) -> None: ...

    def move_all(self, source: tuple[str, V | None], target: tuple[str, V | None]) -> None: ...

    def deal(self, number: V, source: tuple[str, V | None], target: tuple[str, V | None]) -> None: ...

    def shuffle(self, variable: str, index: V | None) -> None: ...

    def when(self, condition: V, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None: ...

    def for_each(self, domain: Domain_contra, where: Callable[[V], V] | None, body: Callable[[V], None], uses: int) -> None: ...

    def stop(self) -> None: ...

    def finish(self) -> None: ...


@define
class Executor(Generic[V, S]):
    """Carries out effects in the order written."""

    evaluator: Evaluator[V, S]
    store: Store[V, S]

    def run(self, clauses: Sequence[e.Clause], env: Env) -> None:
        for clause in clauses:
            self._effect(clause, env)

    def _effect(self, clause: e.Clause, env: Env) -> None:
        evaluator, store, value = self.evaluator, self.store, self.evaluator.value
        match clause.effect:
            case e.Put(piece, space, cell, source):
                tile, there = value(piece, env), value(cell, env)
                store.remove(*self._place(source, env), tile, clause)
                store.put(space, there, tile, clause)
            case e.Take(space, cell, target):
                tile = store.clear(space, value(cell, env), clause)
                store.add(*self._place(target, env), tile)
            case e.Slide(space, cell, target_cell):
                origin, end = value(cell, env), value(target_cell, env)
                store.put(space, end, store.clear(space, origin, clause), clause)
            case e.Move(piece, source, target):
                tile, end_zone = value(piece, env), self._place(target, env)
                store.remove(*self._place(source, env), tile, clause)
                store.add(*end_zone, tile)
            case e.MoveAll(source, target):
                store.move_all(self._place(source, env), self._place(target, env))
            case e.Deal(number, source, target):
                store.deal(value(number, env), self._place(source, env), self._place(target, env))
            case e.Shuffle(zone):
                store.shuffle(*self._place(zone, env))
            case e.Assign(target, assignment, new):
                self._assign(target, assignment, value(new, env), clause, env)
            case e.ForEach(bound, body):
                domain = evaluator.set(bound.domain, env)
                where = None if bound.where is None else self._test(bound, env)
                store.for_each(domain, where, lambda v: self.run(body, {**env, bound.name: v}), 2)
            case e.When(condition, body, otherwise):
                other = (lambda: self.run(otherwise, env)) if otherwise else None
                store.when(value(condition, env), lambda: self.run(body, env), other)
            case e.Stop():
                store.stop()
            case e.Finish():
                store.finish()
            case _:
                assert_never(clause.effect)

    def _test(self, bound: Bound, env: Env) -> Callable[[V], V]:
        assert bound.where is not None
        where = bound.where
        return lambda v: self.evaluator.value(where, {**env, bound.name: v})

    def _place(self, place: e.Place, env: Env) -> tuple[str, V | None]:
        return place.variable, self.evaluator.value(place.index[0], env) if place.index else None

    def _assign(self, target: e.Place, assignment: Assignment, value: V, clause: e.Clause, env: Env) -> None:
        variable, index = self._place(target, env)
        if assignment is not Assignment.SET:
            operator = Operator.PLUS if assignment is Assignment.ADD else Operator.MINUS
            algebra = self.evaluator.algebra
            value = algebra.arithmetic(operator, self.evaluator.read(variable, index), value)
        self.store.assign(variable, index, value, clause)
