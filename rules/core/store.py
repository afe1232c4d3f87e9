"""Effects of the rules as effects of the core."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.semantics.executor import ZoneEnd

from .algebra import CoreAlgebra
from .program import Deal, Effect, End, For, If, Place, Shuffle, Transfer, Write
from .terms import Constant, Read, Term, Zone

Block = Callable[[], None]


@define
class CoreStore:
    """Collects effects in the order in which they happen, each after the names that it uses."""

    algebra: CoreAlgebra
    effects: list[Effect] = field(factory=list)
    _taken: Place = Place("", None)

    def assign(self, variable: str, index: Term | None, value: Term, clause: EffectClause) -> None:
        self._emit(Write(Place(variable, index), value, span=clause.span))

    def existing(self, variable: str, index: Term, clause: EffectClause) -> Term:
        """Nothing: an effect outside of a variable's index is a fault in the core."""
        return index

    def remove(self, source: ZoneEnd[Term], tile: Term, clause: EffectClause) -> None:
        self._taken = _place(source, clause)

    def clear(self, space: str, cell: Term, clause: EffectClause) -> Term:
        self._taken = Place(space, cell, span=clause.span)
        return Read(space, cell)

    def put(self, space: str, cell: Term, tile: Term, clause: EffectClause) -> None:
        self._emit(Transfer(self._taken, Place(space, cell), tile, span=self._taken.span))

    def add(self, target: ZoneEnd[Term], tile: Term) -> None:
        self._emit(Transfer(self._taken, _place(target), tile, span=self._taken.span))

    def move_all(self, source: ZoneEnd[Term], target: ZoneEnd[Term]) -> None:
        self.deal(self.algebra.size(Zone(*source.zone)), source, target)

    def deal(self, number: Term, source: ZoneEnd[Term], target: ZoneEnd[Term]) -> None:
        self._emit(Deal(number, _place(source), _place(target)))

    def shuffle(self, variable: str, index: Term | None) -> None:
        self._emit(Shuffle(Place(variable, index)))

    def when(self, condition: Term, then: Block, otherwise: Block | None) -> None:
        if isinstance(condition, Constant):
            chosen = then if condition.value else otherwise
            if chosen is not None:
                chosen()
            return
        self._emit_names()
        self.effects.append(If(condition, self._block(then), () if otherwise is None else self._block(otherwise)))

    def for_each(self, domain: Term, where: Callable[[Term], Term] | None, body: Callable[[Term], None]) -> None:
        """The test of an element is evaluated when its turn comes."""
        self._emit_names()
        element = self.algebra.local()

        def tested() -> None:
            assert where is not None
            self.when(where(element), lambda: body(element), None)

        block = self._block((lambda: body(element)) if where is None else tested)
        self.effects.append(For(element.number, domain, block))

    def kept(self, domain: Term) -> Term:
        return self.algebra.name(domain)

    def stop(self) -> None:
        self._emit(End(False))

    def finish(self) -> None:
        self._emit(End(True))

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


def _place(end: ZoneEnd[Term], clause: EffectClause | None = None) -> Place:
    return Place(end.variable, end.index, end.bottom, span=NO_SPAN if clause is None else clause.span)
