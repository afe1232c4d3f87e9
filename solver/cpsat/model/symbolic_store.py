"""What is remembered beside the skeleton: boards, places and whatever depends on them, each slot a guarded value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import State, StateLayout, value_range

from .abstract_store import Where, element_of
from .circuit import FALSE, TRUE, Lit
from .guarded_values import Guarded, Guards, Value, exactly, truth
from .symbolic_algebra import Domain, Items, Symbolic, Unsupported, Zone

Slot = tuple[str, int | None, int]
"""A variable at an index; for a zone, how many tiles it holds of a kind, else the kind is 0."""

Kept = Callable[[int], Guarded]
"""The value of a column that the skeleton keeps."""


@define
class Remembered:
    """The slots that may differ from the root; `over` are writes that are not settled yet."""

    layout: StateLayout
    root: State
    names: frozenset[str]
    kept: Kept
    guards: Guards
    slots: dict[Slot, Guarded]
    over: dict[Slot, Guarded] = field(factory=dict)

    def read(self, variable: str, index: int | None) -> Guarded:
        column = self.layout.columns[variable]
        if variable in self.names:
            return self.kept(self._position(variable, index))
        found = self._remembered((variable, index, 0))
        if found is not None:
            return found
        if column.over_cells:
            assert index is not None
            return exactly(self.root[column.start][index])
        return exactly(self.root[self._position(variable, index)])

    def at(self, slot: Slot) -> Guarded:
        """What a slot holds now."""
        variable, index, kind = slot
        if not kind:
            return self.read(variable, index)
        return self._remembered(slot) or exactly(self.root[self._position(variable, index)].count(kind))

    def _remembered(self, slot: Slot) -> Guarded | None:
        return self.over.get(slot) or self.slots.get(slot)

    def _position(self, variable: str, index: int | None) -> int:
        try:
            return self.layout.position(variable, index)
        except IndexError as error:
            raise Unsupported(f"`{variable}` of what it has no value for") from error

    def zone(self, variable: str, index: int | None) -> Domain:
        position = self._position(variable, index)
        if variable in self.names:
            return Zone(self.kept(position))
        kinds = {kind for name, at, kind in (*self.slots, *self.over) if (name, at) == (variable, index)}
        found: list[tuple[Value, Lit]] = []
        for kind in sorted(kinds | set(self.root[position])):
            count = self.at((variable, index, kind))
            most = max(n for n, _ in count.numbers())
            found += [(exactly(kind), self._at_least(count, least)) for least in range(1, most + 1)]
        return Items(tuple(found), ordered=False)

    def _at_least(self, count: Guarded, least: int) -> Lit:
        return self.guards.test(lambda n: n >= least, count)

    def standing(self, board: str) -> Sequence[tuple[int, Lit]]:
        column = self.root[self.layout.columns[board].start]
        cells = {cell for cell, tile in enumerate(column) if tile}
        cells |= {index for name, index, _ in (*self.slots, *self.over) if name == board and index is not None}
        found: list[tuple[int, Lit]] = []
        for cell in sorted(cells):
            vacant = next((lit for value, lit in self.read(board, cell).cases if value == 0), FALSE)
            found.append((cell, -vacant))
        return found


@frozen
class Written:
    """What a move or a procedure does: new values, and conditions without which it cannot happen."""

    slots: tuple[tuple[Slot, Guarded], ...]
    needs: tuple[Lit, ...]
    fresh: frozenset[Slot] = frozenset()
    """Slots that must be empty before, and are not after."""


@define
class SymbolicStore:
    """Effects on a memory: what the skeleton keeps is left to it. `decisions` are followed, other conditions are merged."""

    instance: Instance
    memory: Remembered
    algebra: Symbolic
    guards: Guards
    live: frozenset[str]
    decisions: dict[Where, bool]
    needs: list[Lit] = field(factory=list)
    fresh: set[Slot] = field(factory=set)
    here: Where | None = None

    def written(self) -> Written:
        """What was done; the memory is as before."""
        over, self.memory.over = self.memory.over, {}
        self.algebra.forget()
        slots = tuple((slot, value) for slot, value in over.items() if value != self.memory.at(slot))
        return Written(slots, tuple(self.needs), frozenset(self.fresh))

    def _ours(self, variable: str) -> bool:
        return variable not in self.memory.names and variable in self.live

    def _write(self, slot: Slot, value: Guarded) -> None:
        self.memory.over[slot] = value
        self.algebra.forget()

    def _spread(self, variable: str, index: Value | None, value: Guarded) -> None:
        """Write where the index says; where it is not known, each place keeps its value but one."""
        if index is None:
            self._write((variable, None, 0), value)
            return
        places = self.guards.narrow(index).numbers()
        for at, lit in places:
            old = self.memory.read(variable, at)
            new = self.guards.select([(lit, value), (-lit, old)])
            self._write((variable, at, 0), self.guards.narrow(new))

    def assign(self, variable: str, index: Value | None, value: Value, clause: EffectClause) -> None:
        if not self._ours(variable):
            return
        allowed = value_range(self.instance, self.memory.layout.columns[variable].variable)
        found = self.guards.narrow(value)
        inside = [(v, lit) for v, lit in found.numbers() if v in allowed]
        if len(inside) < len(found.cases):
            self.needs.append(self.guards.circuit.one_of([lit for _, lit in inside]))
            if not inside:
                return
            last, _ = inside[-1]
            others = -self.guards.circuit.one_of([lit for _, lit in inside[:-1]])
            found = self.guards.gather([*inside[:-1], (last, others)])
        self._spread(variable, index, found)

    def put(self, space: str, cell: Value, tile: Value, clause: EffectClause) -> None:
        places = self.guards.narrow(cell)
        outside = self.guards.test(lambda c: c >= self.instance.windows[space].size, places)
        if outside != FALSE:
            self.needs.append(-outside)
        there = self.algebra.read(space, cell)
        self.needs.append(self.guards.test(lambda t: t == 0, there))
        if places.known and (space, places.only, 0) not in self.memory.over:
            self.fresh.add((space, places.only, 0))
        self._spread(space, cell, self.guards.narrow(tile))

    def clear(self, space: str, cell: Value, clause: EffectClause) -> Value:
        tile = self.algebra.read(space, cell)
        self.needs.append(self.guards.yes(tile))
        self._spread(space, cell, exactly(0))
        return tile

    def remove(self, variable: str, index: Value | None, tile: Value, clause: EffectClause) -> None:
        if self._ours(variable):
            self._count(variable, index, tile, -1)

    def add(self, variable: str, index: Value | None, tile: Value) -> None:
        if self._ours(variable):
            self._count(variable, index, tile, 1)

    def _count(self, variable: str, index: Value | None, tile: Value, change: int) -> None:
        """One tile more or less, of which kind and where as far as that is known."""
        guards = self.guards
        places = [(None, TRUE)] if index is None else guards.narrow(index).numbers()
        for at, here in places:
            for kind, such in guards.narrow(tile).numbers():
                lit = guards.circuit.all_of((here, such))
                if lit == FALSE or not kind:
                    continue
                slot = (variable, at, kind)
                old = self.memory.at(slot)
                if change < 0:
                    self.needs.append(guards.circuit.any_of((-lit, guards.yes(old))))
                new = guards.map(lambda n: max(n + change, 0), old)
                self._write(slot, guards.narrow(guards.select([(lit, new), (-lit, old)])))

    def move_all(self, source: tuple[str, Any], target: tuple[str, Any]) -> None:
        if self._ours(source[0]) or self._ours(target[0]):
            raise Unsupported(f"`{source[0]}` or `{target[0]}`, of which it is not known what it holds")

    def deal(self, number: Value, source: tuple[str, Any], target: tuple[str, Any]) -> None:
        self.move_all(source, target)

    def shuffle(self, variable: str, index: Value | None) -> None:
        return

    def when(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        yes = self.guards.yes(condition)
        if abs(yes) != TRUE and self.here in self.decisions:
            holds = self.decisions[self.here]
            self.needs.append(yes if holds else -yes)
            yes = TRUE if holds else FALSE
        if abs(yes) == TRUE:
            if yes == TRUE:
                then()
            elif otherwise is not None:
                otherwise()
            return
        before, needed = dict(self.memory.over), len(self.needs)
        then()
        one = self.memory.over
        self.needs[needed:] = [self.guards.circuit.any_of((-yes, lit)) for lit in self.needs[needed:]]
        self.memory.over, needed = before, len(self.needs)
        self.algebra.forget()
        base = dict(before)
        if otherwise is not None:
            self.memory.over = dict(before)
            otherwise()
            self.needs[needed:] = [self.guards.circuit.any_of((yes, lit)) for lit in self.needs[needed:]]
        other, self.memory.over = self.memory.over, base
        for slot in {**one, **other}:
            old = self.memory.at(slot)
            value = self.guards.select([(yes, one.get(slot, old)), (-yes, other.get(slot, old))])
            self._write(slot, self.guards.narrow(value))
        self.fresh.clear()

    def for_each(self, domain: Domain, where: Callable[[Value], Value] | None, body: Callable[[Value], None]) -> None:
        items: Items = self.algebra.elements(domain)
        here = self.here
        for item, guard in items.items:
            inside = guard if where is None else self.guards.circuit.all_of((guard, self.guards.yes(where(item))))
            self.here = element_of(here, item)
            if inside != FALSE:
                self.when(truth(inside), lambda i=item: body(i), None)  # type: ignore[misc]

    def stop(self) -> None:
        return

    def finish(self) -> None:
        return
