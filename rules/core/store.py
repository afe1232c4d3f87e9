"""Effects of the rules as effects of the core, which know their clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.executor import Executor, Store, ZoneEnd

from .algebra import CoreAlgebra
from .program import Deal, Effect, End, For, If, Origin, Place, Shuffle, Transfer, Write
from .terms import Constant, Read, Term, Zone

Block = Callable[[], None]


class Cause(TypedDict):
    """What every effect is given."""

    span: Span
    origin: Origin


@define
class CoreExecutor(Executor[Term, Term]):
    """Carries out clauses, so that the store collects their effects."""

    store: CoreStore

    def _effect(self, clause: EffectClause, env: Env) -> None:
        outer = self.store.origin
        self.store.origin = outer.inside(clause)
        super()._effect(clause, env)
        self.store.origin = outer


@define
class CoreStore(Store[Term, Term]):
    """Collects effects in the order in which they happen, each after the names that it uses."""

    algebra: CoreAlgebra
    origin: Origin = Origin("")
    effects: list[Effect] = field(factory=list)
    _taken: Place = Place("", None)

    def assign(self, variable: str, index: Term | None, value: Term, clause: EffectClause) -> None:
        self._emit(Write(self._place(variable, index), value, **self._cause))

    def remove(self, source: ZoneEnd[Term], tile: Term, clause: EffectClause) -> None:
        self._taken = self._end(source)

    def clear(self, space: str, cell: Term, clause: EffectClause) -> Term:
        self._taken = self._place(space, cell)
        return Read(space, cell, span=self.origin.span)

    def put(self, space: str, cell: Term, tile: Term, clause: EffectClause) -> None:
        self._emit(Transfer(self._taken, self._place(space, cell), tile, **self._cause))

    def add(self, target: ZoneEnd[Term], tile: Term) -> None:
        self._emit(Transfer(self._taken, self._end(target), tile, **self._cause))

    def deal(self, number: Term | None, source: ZoneEnd[Term], target: ZoneEnd[Term]) -> None:
        many = self.algebra.size(Zone(*source.zone)) if number is None else number
        self._emit(Deal(many, self._end(source), self._end(target), **self._cause))

    def shuffle(self, variable: str, index: Term | None) -> None:
        self._emit(Shuffle(self._place(variable, index), **self._cause))

    def when(self, condition: Term, then: Block, otherwise: Block | None) -> None:
        if isinstance(condition, Constant):
            chosen = then if condition.value else otherwise
            if chosen is not None:
                chosen()
            return
        self._emit_names()
        blocks = self._block(then), () if otherwise is None else self._block(otherwise)
        self.effects.append(If(condition, *blocks, **self._cause))

    def for_each(self, domain: Term, where: Callable[[Term], Term] | None, body: Callable[[Term], None]) -> None:
        """The test of an element is evaluated when its turn comes."""
        self._emit_names()
        element = self.algebra.local()

        def tested() -> None:
            assert where is not None
            self.when(where(element), lambda: body(element), None)

        block = self._block((lambda: body(element)) if where is None else tested)
        self.effects.append(For(element.number, domain, block, **self._cause))

    def kept(self, domain: Term) -> Term:
        return self.algebra.name(domain)

    def end(self, game: bool) -> None:
        self._emit(End(game, **self._cause))

    def _block(self, body: Block) -> tuple[Effect, ...]:
        outer, self.effects = self.effects, []
        body()
        found, self.effects = self.effects, outer
        return tuple(found)

    def _emit_names(self) -> None:
        self.effects += self.algebra.names
        self.algebra.names.clear()

    def _emit(self, effect: Effect) -> None:
        self._emit_names()
        self.effects.append(effect)

    @property
    def _cause(self) -> Cause:
        return {"span": self.origin.span, "origin": self.origin}

    def _place(self, variable: str, index: Term | None, bottom: bool = False) -> Place:
        return Place(variable, index, bottom, span=self.origin.span)

    def _end(self, end: ZoneEnd[Term]) -> Place:
        return self._place(end.variable, end.index, end.bottom)
