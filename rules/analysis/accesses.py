"""The preconditions and effects of each ground action, slot by slot.

The rules are evaluated once over a *free state*, in which each variable that actions write may have any of its values,
independent of the others. The circuit then has conditions on one variable as sets of its values. A requirement is *separable*
if it is a conjunction of such sets; an effect is if the new value of a variable depends on its old value alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.rules.model import effects as ef
from rulewright.rules.model.game import Action, Storage, Variable
from rulewright.rules.model.state import Move, State, value_range
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis, flat
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit, Refused, refusing_at
from rulewright.rules.symbolic.guarded_values import MOST_CASES, Encoder, Guarded, constant
from rulewright.rules.symbolic.move_grounding import MoveGrounder, SymbolicEvaluator
from rulewright.rules.symbolic.symbolic_algebra import SymbolicAlgebra
from rulewright.rules.symbolic.symbolic_state import Slot, SymbolicState
from rulewright.rules.symbolic.symbolic_store import Update, symbolic_update

MOST_ACTIONS = 6_000
"""The most ground actions that a model may have."""

MOST_SLOTS = 5_000

ORDERED = "an effect by which the order of actions matters"

TURNS: Slot = ("", None, 0)
"""The slot of the turns taken, which a horizon limits: not a variable of the rules."""


@frozen
class Access:
    """What an action does to a slot: it is legal at the values `allowed`, and `after` maps each to the value afterwards."""

    allowed: frozenset[int]
    after: Mapping[int, int]

    @property
    def writes(self) -> bool:
        return any(value != old for old, value in self.after.items())


@frozen
class GroundAction:
    """An action with its arguments, and its accesses. It neither reads nor changes slots without an access."""

    move: Move
    span: Span
    accesses: Mapping[Slot, Access]


@define
class _WideGrounder(MoveGrounder):
    """Drops the condition that an element is in a parameter's domain if it joins several values; this sets `is_wider`."""

    separates: Callable[[Lit], bool] = lambda guard: True
    is_wider: bool = False

    def _elements(self, *asked: Any) -> Iterator[tuple[int, Lit]]:
        for value, guard in super()._elements(*asked):
            is_kept = self.separates(guard)
            self.is_wider = self.is_wider or not is_kept
            yield value, guard if is_kept else TRUE


@define
class FreeState:
    """A state in which each slot that actions write is free; `values` are the values of the slots.

    `is_wider`: some actions are not always legal where their accesses allow them, because the domain of a parameter also says
    which comes next (the piece over the first free cell).
    """

    engine: Engine
    root: State
    circuit: Circuit
    values: dict[Slot, tuple[int, ...]]
    state: SymbolicState
    encoder: Encoder
    encoded: frozenset[str]
    is_wider: bool = False
    _slot_of: dict[int, Slot] = field(factory=dict)

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State) -> FreeState:
        """The free state at a root. Raises `Refused` if effects order actions, or if slots or values are too many."""
        written = _written(engine, analysis)
        encoded = frozenset(
            name for name, by in written.items() if name in analysis.live_variables or by.is_board or by.is_zone
        )
        circuit = Circuit()
        encoder = Encoder(circuit)
        values = dict[Slot, tuple[int, ...]]()
        for name in sorted(encoded):
            values |= dict(_slots(engine, root, written[name]))
            if len(values) > MOST_SLOTS:
                raise Refused(f"more than {MOST_SLOTS:,} variables")
        slots = {slot: encoder.free(known) for slot, known in values.items()}
        return cls(engine, root, circuit, values, state_over(engine, root, encoded, encoder, slots), encoder, encoded)

    def actions_until(self, names: Sequence[str], most: int, deadline: float) -> tuple[GroundAction, ...]:
        """The same, all of them. Raises `Refused` if they are more than `most` or are not found by the deadline, too."""
        found: list[GroundAction] = []
        for action in self.actions(names):
            found.append(action)
            if len(found) > most or time.monotonic() > deadline:
                raise Refused("too many ground actions", action.span)
        return tuple(found)

    def actions(self, names: Sequence[str]) -> Iterator[GroundAction]:
        """The ground actions that are not always illegal. Raises `Refused` if one is not separable."""
        self._slot_of = {}
        for slot, known in self.state.slots.items():
            values = self.circuit.value_set(known.cases[0][1])
            if values is not None:
                self._slot_of[values.domain] = slot
        separates: Callable[[Lit], bool] = lambda guard: self.separated(guard) is not None  # noqa: E731
        grounder = _WideGrounder(self.engine, self.state, {}, has_graph=False, separates=separates)
        for name in names:
            action = self.engine.game.actions[name]
            number = self.engine.action_numbers[name]
            for arguments, env, needs in grounder.groundings(action, (number, *(None for _ in action.parameters))):
                evaluator: SymbolicEvaluator = Evaluator(self.engine.instance, SymbolicAlgebra(self.encoder, self.state))
                with refusing_at(action.span):
                    update = symbolic_update(action.effects, env, evaluator, self.encoded, ())
                    found = self._ground(action, (number, *arguments), needs, update)
                self.is_wider = self.is_wider or grounder.is_wider
                if found is not None:
                    yield found

    def _ground(self, action: Action, move: Move, needs: Sequence[Lit], update: Update) -> GroundAction | None:
        allowed: dict[Slot, frozenset[int]] = {}
        every = (*needs, *update.needs)
        if FALSE in every:
            return None
        for need in every:
            sets = self.separated(need)
            if sets is None:
                raise Refused(
                    f"the requirements of `{action.name}`, which join several variables: the order of actions matters",
                    action.span,
                )
            for slot, values in sets:
                allowed[slot] = allowed.get(slot, values) & values
        if not all(allowed.values()):
            return None
        after = {slot: self._after(action, slot, value) for slot, value in update.slots}
        accesses: dict[Slot, Access] = {}
        for slot in {**allowed, **after}:
            values = allowed.get(slot, frozenset(self.values[slot]))
            new = {value: after.get(slot, {}).get(value, value) for value in values}
            if slot[2]:  # there are no more tiles of a kind than a zone may hold
                new = {value: left for value, left in new.items() if left in self.values[slot]}
            accesses[slot] = Access(frozenset(new), new)
        return GroundAction(move, action.span, accesses)

    def separated(self, condition: Lit) -> list[tuple[Slot, frozenset[int]]] | None:
        """A condition as a conjunction of sets of values of single slots; None if it is not separable."""
        if condition == TRUE:
            return []
        values = self.circuit.value_set(condition)
        if values is not None:
            slot = self._slot_of.get(values.domain)
            if slot is None:  # of what was computed of several variables
                return None
            known = self.values[slot]
            return [(slot, frozenset(known[place] for place in values.places))]
        found: list[tuple[Slot, frozenset[int]]] = []
        parts = self.conjuncts(condition)
        for part in parts if len(parts) > 1 else ():
            inner = self.separated(part)
            if inner is None:
                return None
            found += inner
        return found or None

    def conjuncts(self, condition: Lit) -> tuple[Lit, ...]:
        """The literals of which a condition is a conjunction; the condition itself if it is none."""
        parts = self.circuit.conjuncts(condition)
        return (condition,) if parts is None else tuple(leaf for part in parts for leaf in self.conjuncts(part))

    def _after(self, action: Action, slot: Slot, new: Guarded) -> dict[int, int]:
        """The value of a slot after an action, by its value before. Raises `Refused` if it depends on other slots."""
        if slot not in self.values:
            raise Refused(f"`{slot[0]}`, whose possible contents are unknown", action.span)
        after: dict[int, int] = {}
        for value, lit in new.numbers():
            sets = [(slot, frozenset(self.values[slot]))] if lit == TRUE else self.separated(lit)
            if sets is None or len(sets) != 1 or sets[0][0] != slot:
                raise Refused(
                    f"the effect of `{action.name}` on `{slot[0]}`, which depends on other variables too", action.span
                )
            after |= dict.fromkeys(sets[0][1], value)
        return after

    def evaluated(self, condition: Term) -> Lit:
        """The literal of a condition in the free state."""
        evaluator: SymbolicEvaluator = Evaluator(self.engine.instance, SymbolicAlgebra(self.encoder, self.state))
        with refusing_at(condition.span):
            return self.encoder.yes(evaluator.value(condition, {}))


def state_over(
    engine: Engine, root: State, written: frozenset[str], encoder: Encoder, slots: dict[Slot, Guarded]
) -> SymbolicState:
    """A symbolic state with these slots, and everything else as at the root."""
    columns = engine.layout.columns
    kept = frozenset(name for name, column in columns.items() if name not in written and not column.over_cells)
    at_root: Callable[[int], Guarded] = lambda column: constant(root[column])  # noqa: E731
    return SymbolicState(engine.layout, root, kept, at_root, encoder, slots)


def _written(engine: Engine, analysis: DataflowAnalysis) -> dict[str, Variable]:
    """The variables that actions write. Raises `Refused` for effects that order actions."""
    found: dict[str, Variable] = {}
    variables = engine.game.variables
    for action in analysis.offered:
        for clause in flat(action.effects):
            match clause.effect:
                case ef.Transfer(None, _, ef.Location(name)) if variables[name].is_board:
                    raise Refused(ORDERED, clause.span)
                case ef.Deal() | ef.Shuffle() | ef.End():
                    raise Refused(ORDERED, clause.span)
            for name in (place.variable for place in ef.places_of(clause.effect)):
                found[name] = variables[name]
                if variables[name].storage is Storage.PILE:
                    raise Refused(f"`{name}`, a pile: the order of actions matters", clause.span)
    return found


def _slots(engine: Engine, root: State, variable: Variable) -> Iterator[tuple[Slot, tuple[int, ...]]]:
    """The slots of a variable, with the values that each may have."""
    column = engine.layout.columns[variable.name]
    if variable.is_zone:
        for place in range(column.count):
            index = None if variable.index is None else column.offset + place
            for number, kind in enumerate(engine.game.tiles, 1):
                held = max(kind.count, root[column.start + place].count(number))
                yield (variable.name, index, number), tuple(range(held + 1))
        return
    if variable.is_layer:
        nothing, over = engine.instance.none(variable.type), engine.instance.places_over(variable.pieces)
        for cell in range(len(root[column.start]) - 1):
            yield (variable.name, cell, 0), (*over(cell), nothing)
        return
    values = tuple(value_range(engine.instance, variable))
    if len(values) > MOST_CASES:
        raise Refused(f"`{variable.name}`, which may have more than {MOST_CASES} values", variable.span)
    if column.over_cells:
        for cell in range(len(root[column.start]) - 1):
            yield (variable.name, cell, 0), values
    else:
        for place in range(column.count):
            yield (variable.name, None if variable.index is None else column.offset + place, 0), values
