"""Symbolic execution of effects: the writes of a move or a procedure, and its preconditions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import Tiles, dealt, value_range, with_more, without
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Store, ZoneEnd

from . import abstract_store
from .circuit import FALSE, TRUE, Lit, Refused
from .guarded_values import Encoder, Guarded, Set, Value, constant, truth
from .symbolic_algebra import SymbolicAlgebra
from .symbolic_state import Slot, SymbolicState


@frozen
class Update:
    """The slots that effects change, and their preconditions. `fresh` slots must be empty before, and are not after."""

    slots: tuple[tuple[Slot, Guarded], ...] = ()
    needs: tuple[Lit, ...] = ()
    fresh: frozenset[Slot] = frozenset()


@define
class SymbolicStore(Store[Value, Set]):
    """Executes effects on a symbolic state, without assignments and zone changes of variables outside `encoded`.

    Conditions follow the `decisions` of the abstract state graph; for any other both branches are executed and merged.
    """

    instance: Instance
    algebra: SymbolicAlgebra
    encoded: frozenset[str]
    decisions: Mapping[abstract_store.ClauseInstance, bool]
    met: set[abstract_store.ClauseInstance] = field(factory=set)
    needs: list[Lit] = field(factory=list)
    fresh: set[Slot] = field(factory=set)
    here: abstract_store.ClauseInstance | None = None

    @property
    def state(self) -> SymbolicState:
        return self.algebra.state

    @property
    def encoder(self) -> Encoder:
        return self.algebra.encoder

    def finished_update(self) -> Update:
        """The update so far; undoes it in the state. Tracked variables are left out: the graph has their values."""
        self._add_decisions_missed()
        pending, self.state.pending = self.state.pending, {}
        self.algebra.forget()
        untracked = [(slot, value) for slot, value in pending.items() if slot[0] not in self.state.tracked]
        slots = tuple((slot, value) for slot, value in untracked if value != self.state.at(slot))
        return Update(slots, tuple(self.needs), frozenset(self.fresh))

    def _add_decisions_missed(self) -> None:
        """Account for decisions that no condition met: an element that the set never holds fails its condition.

        Raises `Refused` for any other decision.
        """
        for instance, held in self.decisions.items():
            if instance not in self.met and FALSE not in self.needs:
                if not abstract_store.is_of_element(instance):
                    raise abstract_store.unsupported_at(
                        "a condition of which it is not known whether it is looked at", instance
                    )
                if held:
                    self.needs.append(FALSE)

    def _write(self, slot: Slot, value: Guarded) -> None:
        self.state.pending[slot] = value
        self.algebra.forget()

    def _write_where(self, guard: Lit, slot: Slot, new: Guarded, old: Guarded) -> None:
        self._write(slot, self.encoder.cases(self.encoder.select([(guard, new), (-guard, old)])))

    def _write_at(self, variable: str, index: Value | None, value: Guarded) -> None:
        """Write at an index; the other places that it may be keep their values."""
        for place, lit in self.encoder.indices(index):
            slot = (variable, place, 0)
            if place is None:
                self._write(slot, value)
            else:
                self._write_where(lit, slot, value, self.state.read(variable, place))

    def assign(self, variable: str, index: Value | None, value: Value, clause: EffectClause) -> None:
        if variable not in self.encoded:
            return
        sum_of = self.encoder.circuit.sum_of
        allowed = value_range(self.instance, self.state.layout.columns[variable].variable)
        found = self.encoder.cases(value)
        inside = [(number, lit) for number, lit in found.numbers() if number in allowed]
        if len(inside) < len(found.cases):
            self.needs.append(sum_of(lit for _, lit in inside))
            if not inside:
                return
            # Exactly one case must hold even if the move is not made: the last one also covers those left out.
            *others, (last, _) = inside
            found = self.encoder.merge([*others, (last, -sum_of(lit for _, lit in others))])
        self._write_at(variable, index if index is None else self.existing(variable, index, clause), found)

    def existing(self, variable: str, index: Value, clause: EffectClause) -> Value:
        """The index, with the precondition that the variable has a value there; the first index replaces invalid ones."""
        kind = self.instance.game.variables[variable].index
        if kind is None:
            return index
        places, domain = self.encoder.cases(index), self.instance.domain(kind)
        outside = self.encoder.test(lambda place: place not in domain, places)
        if outside == FALSE:
            return places
        self.needs.append(-outside)
        return self.encoder.map(lambda place: place if place in domain else domain.start, places)

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
        self.fresh -= {(space, place, 0) for place, _ in self.encoder.cases(cell).cases}
        self._write_at(space, cell, constant(0))
        return tile

    def remove(self, source: ZoneEnd[Value], tile: Value, clause: EffectClause) -> None:
        if source.variable in self.state.tracked:
            self._change_zone(source, lambda held, kind: without(held, kind, source.bottom) or (), self.encoder.cases(tile))
        else:
            self._count(source.variable, source.index, tile, -1)

    def add(self, target: ZoneEnd[Value], tile: Value) -> None:
        if target.variable in self.state.tracked:
            self._gain(target, self.encoder.merge(((kind,), lit) for kind, lit in self.encoder.cases(tile).numbers()))
        else:
            self._count(target.variable, target.index, tile, 1)

    def _gain(self, target: ZoneEnd[Value], more: Guarded) -> None:
        is_pile = self.state.layout.columns[target.variable].variable.storage is Storage.PILE
        self._change_zone(target, lambda held, moved: with_more(held, moved, target.bottom, is_pile), more)

    def _change_zone(self, end: ZoneEnd[Value], change: Callable[[Tiles, Any], Hashable], by: Guarded) -> None:
        """Apply a function of its contents and a value to a tracked zone, at each place that the index may be."""
        if end.variable not in self.encoded:
            return
        for place, here in self.encoder.indices(end.index):
            old = self.state.read(end.variable, place)
            self._write_where(here, (end.variable, place, 0), self.encoder.combined(change, old, by), old)

    def _count(self, variable: str, index: Value | None, tile: Value, change: int) -> None:
        """Add a tile to a zone or remove one, for each kind that it may be and each place that the index may be."""
        if variable not in self.encoded:
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

    def deal(self, number: Value | None, source: ZoneEnd[Value], target: ZoneEnd[Value]) -> None:
        if any(name in self.encoded - self.state.tracked for name in (source.variable, target.variable)):
            raise Refused(f"`{source.variable}` or `{target.variable}`, whose contents are unknown")
        if not {source.variable, target.variable} & self.encoded:
            return
        many = constant(None) if number is None else self.encoder.cases(number)
        places = self.encoder.indices(source.index)
        held = self.encoder.cases(self.encoder.select([(lit, self.state.read(source.variable, at)) for at, lit in places]))
        moved = self.encoder.combined(lambda tiles, most: dealt(tiles, most, source.bottom)[0], held, many)
        self._change_zone(source, lambda tiles, most: dealt(tiles, most, source.bottom)[1], many)
        self._gain(target, moved)

    def shuffle(self, variable: str, index: Value | None) -> None:
        if variable in self.encoded:
            assert self.here is not None
            raise abstract_store.unsupported_at(
                f"`{variable}`, which is read after it was shuffled in the same effects", self.here
            )

    def _decision(self) -> bool | None:
        """The edge's decision at this clause; None if the columns of its source decide. Raises `Refused`."""
        if self.here is None:
            return None
        if self.here in self.decisions:
            self.met.add(self.here)
            return self.decisions[self.here]
        if any(abstract_store.may_be_one(self.here, other) for other in self.decisions):
            raise abstract_store.unsupported_at("a condition inside a loop over elements that are not known", self.here)
        return None

    def when(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        yes = self.encoder.yes(condition)
        followed = self._decision()
        if followed is not None:
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
        """The pending writes after effects executed under a guard; their preconditions apply only under it."""
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
            self.here = abstract_store.at_element(loop, item) or loop
            if inside != FALSE or self.here in self.decisions:
                self.when(truth(inside), lambda element=item: body(element), None)  # type: ignore[misc]


def symbolic_update(
    clauses: Sequence[EffectClause],
    env: Mapping[str, Any],
    evaluator: Evaluator[Value, Set],
    encoded: frozenset[str],
    decisions: Sequence[abstract_store.Decision],
) -> Update:
    """The update that effects make, executed symbolically along the decisions of an edge of the abstract state graph.

    Assignments and zone changes of variables outside `encoded` are skipped.
    """
    assert isinstance(evaluator.algebra, SymbolicAlgebra)
    store = SymbolicStore(evaluator.instance, evaluator.algebra, encoded, dict(decisions))
    abstract_store.LocatedExecutor(evaluator, store, frozenset(env)).run(clauses, env)
    return store.finished_update()
