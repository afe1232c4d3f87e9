"""Symbolic execution of effects: what a move or a procedure writes, and what must hold for it to be possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import value_range
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import ZoneEnd

from .abstract_store import ClauseInstance, Decision, LocatedExecutor, at_element
from .circuit import FALSE, TRUE, Lit
from .guarded_values import Encoder, Guarded, Set, Unsupported, Value, constant, truth
from .symbolic_algebra import SymbolicAlgebra
from .symbolic_state import Slot, SymbolicState


@frozen
class Update:
    """The slots that effects change, and their preconditions. `fresh` slots must be empty before, and are not after."""

    slots: tuple[tuple[Slot, Guarded], ...] = ()
    needs: tuple[Lit, ...] = ()
    fresh: frozenset[Slot] = frozenset()


@define
class SymbolicStore:
    """Effects on a symbolic state, left out for variables that are tracked or not live.

    Conditions follow the `decisions` of the abstract state graph; any other makes both branches happen and merges them.
    """

    instance: Instance
    algebra: SymbolicAlgebra
    live: frozenset[str]
    decisions: Mapping[ClauseInstance, bool]
    needs: list[Lit] = field(factory=list)
    fresh: set[Slot] = field(factory=set)
    here: ClauseInstance | None = None

    @property
    def state(self) -> SymbolicState:
        return self.algebra.state

    @property
    def encoder(self) -> Encoder:
        return self.algebra.encoder

    def finished_update(self) -> Update:
        """What was written, and the state as it was before."""
        pending, self.state.pending = self.state.pending, {}
        self.algebra.forget()
        slots = tuple((slot, value) for slot, value in pending.items() if value != self.state.at(slot))
        return Update(slots, tuple(self.needs), frozenset(self.fresh))

    def _encodes(self, variable: str) -> bool:
        return variable not in self.state.tracked and variable in self.live

    def _write(self, slot: Slot, value: Guarded) -> None:
        self.state.pending[slot] = value
        self.algebra.forget()

    def _write_where(self, guard: Lit, slot: Slot, new: Guarded, old: Guarded) -> None:
        self._write(slot, self.encoder.cases(self.encoder.select([(guard, new), (-guard, old)])))

    def _write_at(self, variable: str, index: Value | None, value: Guarded) -> None:
        """Write at an index; of the places that it may be, all but one keep their value."""
        for place, lit in self.encoder.indices(index):
            slot = (variable, place, 0)
            if place is None:
                self._write(slot, value)
            else:
                self._write_where(lit, slot, value, self.state.read(variable, place))

    def assign(self, variable: str, index: Value | None, value: Value, clause: EffectClause) -> None:
        if not self._encodes(variable):
            return
        sum_of = self.encoder.circuit.sum_of
        allowed = value_range(self.instance, self.state.layout.columns[variable].variable)
        found = self.encoder.cases(value)
        inside = [(number, lit) for number, lit in found.numbers() if number in allowed]
        if len(inside) < len(found.cases):
            self.needs.append(sum_of(lit for _, lit in inside))
            if not inside:
                return
            # Exactly one case must hold even where the move is not made: the last one stands for those left out.
            *others, (last, _) = inside
            found = self.encoder.merge([*others, (last, -sum_of(lit for _, lit in others))])
        self._write_at(variable, index, found)

    def put(self, space: str, cell: Value, tile: Value, clause: EffectClause) -> None:
        places = self.encoder.cases(cell)
        outside = self.encoder.test(lambda place: place >= self.instance.windows[space].size, places)
        if outside != FALSE:
            self.needs.append(-outside)
        self.needs.append(self.encoder.test(lambda there: there == 0, self.algebra.read(space, cell)))
        if places.known and (space, places.only, 0) not in self.state.pending:
            self.fresh.add((space, places.only, 0))
        self._write_at(space, cell, self.encoder.cases(tile))

    def clear(self, space: str, cell: Value, clause: EffectClause) -> Value:
        tile = self.algebra.read(space, cell)
        self.needs.append(self.encoder.yes(tile))
        self._write_at(space, cell, constant(0))
        return tile

    def remove(self, source: ZoneEnd[Value], tile: Value, clause: EffectClause) -> None:
        self._count(source.variable, source.index, tile, -1)

    def add(self, target: ZoneEnd[Value], tile: Value) -> None:
        self._count(target.variable, target.index, tile, 1)

    def _count(self, variable: str, index: Value | None, tile: Value, change: int) -> None:
        """One tile more or less in a zone, for each kind that it may be and each place that the index may be."""
        if not self._encodes(variable):
            return
        circuit = self.encoder.circuit
        for place, here in self.encoder.indices(index):
            for kind, such in self.encoder.cases(tile).numbers():
                lit = circuit.all_of((here, such))
                if lit == FALSE or not kind:
                    continue
                slot = (variable, place, kind)
                old = self.state.at(slot)
                if change < 0:
                    self.needs.append(circuit.any_of((-lit, self.encoder.yes(old))))
                new = self.encoder.cases(self.encoder.map(lambda number: max(number + change, 0), old))
                self._write_where(lit, slot, new, old)

    def move_all(self, source: ZoneEnd[Value], target: ZoneEnd[Value]) -> None:
        if self._encodes(source.variable) or self._encodes(target.variable):
            raise Unsupported(f"`{source.variable}` or `{target.variable}`, of which it is not known what it holds")

    def deal(self, number: Value, source: ZoneEnd[Value], target: ZoneEnd[Value]) -> None:
        self.move_all(source, target)

    def shuffle(self, variable: str, index: Value | None) -> None:
        return

    def when(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        yes = self.encoder.yes(condition)
        followed = None if self.here is None else self.decisions.get(self.here)
        if abs(yes) != TRUE and followed is not None:
            self.needs.append(yes if followed else -yes)
            yes = TRUE if followed else FALSE
        if yes == TRUE:
            then()
        elif yes != FALSE:
            self._both_branches(yes, then, otherwise)
        elif otherwise is not None:
            otherwise()

    def _both_branches(self, yes: Lit, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        before = self.state.pending
        one = self._branch(yes, before, then)
        other = self._branch(-yes, before, otherwise)
        self.state.pending = before
        for slot in {**one, **other}:
            old = self.state.at(slot)
            self._write_where(yes, slot, one.get(slot, old), other.get(slot, old))
        self.fresh.clear()

    def _branch(self, guard: Lit, before: dict[Slot, Guarded], effects: Callable[[], None] | None) -> dict[Slot, Guarded]:
        """What is pending after effects that happen under a guard; what they need is needed under it only."""
        first = len(self.needs)
        self.state.pending = dict(before)
        if effects is not None:
            effects()
        self.needs[first:] = [self.encoder.circuit.any_of((-guard, need)) for need in self.needs[first:]]
        self.algebra.forget()
        return self.state.pending

    def for_each(self, domain: Set, where: Callable[[Value], Value] | None, body: Callable[[Value], None]) -> None:
        loop = self.here
        for item, guard in self.algebra.elements(domain).items:
            inside = guard if where is None else self.encoder.circuit.all_of((guard, self.encoder.yes(where(item))))
            self.here = at_element(loop, item)
            if inside != FALSE:
                self.when(truth(inside), lambda element=item: body(element), None)  # type: ignore[misc]

    def stop(self) -> None:
        return

    def finish(self) -> None:
        return


def symbolic_update(
    clauses: Sequence[EffectClause],
    env: Mapping[str, Any],
    evaluator: Evaluator[Value, Set],
    live: frozenset[str],
    decisions: Sequence[Decision],
) -> Update:
    """The update that effects make, executed symbolically along the decisions of an edge of the abstract state graph."""
    assert isinstance(evaluator.algebra, SymbolicAlgebra)
    store = SymbolicStore(evaluator.instance, evaluator.algebra, live, dict(decisions))
    LocatedExecutor(evaluator, store, frozenset(env)).run(clauses, env)
    return store.finished_update()
