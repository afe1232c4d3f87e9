"""Play unrolled: layer by layer the moves that may be made, what they need, and what is remembered after them.

Which action, which tile and what becomes of hands and counters is a way through the skeleton; where it happens is a move of
the layer, and its effects are read by the one evaluator from the memory of the layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model.game import Action
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.model.state import POINT
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis

from .abstract_graph import SKIP, Abstract, Edge, Ran, Skeleton, Tested, Trail
from .abstract_store import Decision, LocatedExecutor
from .board_reachability import Reach
from .circuit import FALSE, TRUE, Circuit, Lit
from .guarded_values import Guarded, Guards, Value, exactly
from .move_grounding import Binding
from .symbolic_algebra import Symbolic
from .symbolic_store import Remembered, Slot, SymbolicStore, Written

Kind = tuple[int, Abstract, tuple[Decision, ...]]
"""The moves of a layer that the skeleton does not tell apart: a choice, a move as far as known, its decisions."""


@frozen
class Ground:
    """A move with all arguments known: what it needs and writes. `places` are the arguments that the skeleton leaves out."""

    places: tuple[int, ...]
    needs: frozenset[Lit]
    written: Written


@frozen
class Made:
    """A literal for a move of a layer, for all `kinds` that do the same to what is remembered."""

    kinds: frozenset[Kind]
    places: tuple[int, ...]
    lit: Lit


@define
class Unrolling:
    """The model of all plays from a root."""

    engine: Engine
    analysis: DataflowAnalysis
    root: State
    skeleton: Skeleton
    circuit: Circuit
    guards: Guards = field(init=False)
    edges: list[Lit] = field(factory=list)
    made: list[list[Made]] = field(factory=list)
    slots: dict[Slot, Guarded] = field(factory=dict)
    reach: Reach = field(init=False)
    _decided: dict[tuple[Term, frozenset[str]], bool] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.guards = Guards(self.circuit)

    def unroll(self) -> None:
        """Write down every layer."""
        self._flow()
        skeleton = self.skeleton
        self.reach = Reach.of(self.engine, self.analysis, self.root, skeleton)
        starting: list[list[int]] = [[] for _ in range(skeleton.depth + 1)]
        for number, edge in enumerate(skeleton.edges):
            starting[skeleton.levels[edge.source]].append(number)
        for level in range(skeleton.depth):
            self._layer(level, starting[level])

    def _flow(self) -> None:
        """One way through the skeleton: what comes to a node leaves it, and each level is crossed once."""
        skeleton, circuit = self.skeleton, self.circuit
        self.edges = [circuit.new() for _ in skeleton.edges]
        into: list[list[Lit]] = [[] for _ in skeleton.nodes]
        out: list[list[Lit]] = [[] for _ in skeleton.nodes]
        crossing: list[list[Lit]] = [[] for _ in range(skeleton.depth)]
        for edge, lit in zip(skeleton.edges, self.edges, strict=True):
            into[edge.target].append(lit)
            out[edge.source].append(lit)
            for level in range(skeleton.levels[edge.source], skeleton.levels[edge.target]):
                crossing[level].append(lit)
        for node, leaving in enumerate(out):
            if leaving and node:
                circuit.row([*((1, lit) for lit in into[node]), *((-1, lit) for lit in leaving)], 0, 0)
        if crossing:
            circuit.group(crossing[0])
        for lits in crossing[1:]:
            circuit.note_group(lits)

    # One layer --------------------------------------------------------------------------------

    def _layer(self, level: int, starting: Sequence[int]) -> None:
        skeleton = self.skeleton
        kept: dict[int, Guarded] = {}

        def value(column: int) -> Guarded:
            if column not in kept:
                kept[column] = self._kept(level, starting, column)
            return kept[column]

        memory = Remembered(self.engine.layout, self.root, skeleton.kept, value, self.guards, self.slots)
        kinds: dict[Kind, list[int]] = {}
        for number in starting:
            edge = skeleton.edges[number]
            point = skeleton.nodes[edge.source][POINT]
            kinds.setdefault((point, edge.move, edge.decisions), []).append(number)
        binding = Binding(self.engine, memory, self._decided)
        alike: dict[tuple[Ground, ...], list[Kind]] = {}
        for kind in kinds:
            alike.setdefault(tuple(self._grounded(kind, level, binding)), []).append(kind)
        made: list[Made] = []
        writers: list[tuple[Lit, Written]] = []
        for grounds, same in alike.items():
            any_edge = self.circuit.one_of([self.edges[n] for kind in same for n in kinds[kind]])
            lits = [any_edge] if len(grounds) == 1 else [self.circuit.new() for _ in grounds]
            if len(grounds) != 1:
                self.circuit.row([*((1, lit) for lit in lits), (-1, any_edge)], 0, 0)
            for instance, lit in zip(grounds, lits, strict=True):
                for need in sorted(instance.needs):
                    self.circuit.require(-lit, need)
                made.append(Made(frozenset(same), instance.places, lit))
                writers.append((lit, instance.written))
        self.made.append(made)
        self.slots = self._merged(memory, writers)
        self._trails(starting)

    def _kept(self, level: int, starting: Sequence[int], column: int) -> Guarded:
        """What a kept column is where the level is not skipped; where it is, anything."""
        skeleton = self.skeleton
        found: dict[Any, list[Lit]] = {}
        for number in starting:
            found.setdefault(skeleton.nodes[skeleton.edges[number].source][column], []).append(self.edges[number])
        lits = {value: self.circuit.one_of(some) for value, some in found.items()}
        last, *others = reversed(lits)
        return self.guards.gather([*((v, lits[v]) for v in others), (last, -self.circuit.one_of([lits[v] for v in others]))])

    def _merged(self, memory: Remembered, writers: list[tuple[Lit, Written]]) -> dict[Slot, Guarded]:
        """The slots after one of these has happened, or none."""
        by_slot: dict[Slot, list[tuple[Lit, Guarded, bool]]] = {}
        for lit, written in writers:
            for slot, value in written.slots:
                by_slot.setdefault(slot, []).append((lit, value, slot in written.fresh))
        slots = dict(self.slots)
        for slot, changes in by_slot.items():
            slots[slot] = self._changed(memory.at(slot), changes)
        return slots

    def _changed(self, old: Guarded, changes: list[tuple[Lit, Guarded, bool]]) -> Guarded:
        circuit = self.circuit
        writes = [lit for lit, _, _ in changes]
        cases: dict[Any, list[Lit]] = {}
        for lit, value, _ in changes:
            for v, holds in value.cases:
                cases.setdefault(v, []).append(circuit.all_of((lit, holds)))
        if all(fresh for _, _, fresh in changes):
            was = dict(old.cases)
            for v, lit in old.cases:
                if v != 0:
                    cases.setdefault(v, []).append(lit)
            found = {v: circuit.one_of(lits) for v, lits in cases.items()}
            if len(found) == 1:
                ((only, lit),) = found.items()
                return self.guards.gather([(0, -lit), (only, lit)])
            vacant = circuit.new()
            circuit.row([(-1, vacant), (1, was.get(0, FALSE)), *((-1, lit) for lit in writes)], 0, 0)
            found[0] = vacant
        else:
            stays = -circuit.one_of(writes)
            for v, lit in old.cases:
                cases.setdefault(v, []).append(circuit.all_of((stays, lit)))
            found = {v: circuit.one_of(lits) for v, lits in cases.items()}
        found = {v: lit for v, lit in found.items() if lit != FALSE}
        if len(found) > 2:
            circuit.group(list(found.values()))
        elif len(found) == 2:
            (_, one), (second, _) = found.items()
            first = next(iter(found))
            return self.guards.gather([(first, one), (second, -one)])
        return self.guards.gather(found.items())

    # Moves ------------------------------------------------------------------------------------

    def _grounded(self, kind: Kind, level: int, binding: Binding) -> Iterator[Ground]:
        point, move, decisions = kind
        choice = self.engine.choices[point]
        if move == SKIP:
            yield Ground((), frozenset(-lit for lit in binding.legal(choice.actions)), Written((), ()))
            return
        if move == STOP:
            yield Ground((), frozenset(), Written((), ()))
            return
        action = self._action(move)
        for places, env, needs in binding.bound(action, move):
            algebra = Symbolic(self.guards.assuming(needs), binding.memory)
            reading = Evaluator(self.engine.instance, algebra)
            followed = {decision.where: decision.holds for decision in decisions}
            store = SymbolicStore(
                self.engine.instance, binding.memory, algebra, algebra.guards, self.analysis.live_variables, followed
            )
            LocatedExecutor(reading, store, frozenset(env)).run(action.effects, env)
            written = store.written()
            every = frozenset(needs) | frozenset(written.needs)
            if not self.reach.admits(written.fresh, level):
                continue
            if FALSE not in every and not any(-lit in every for lit in every):
                yield Ground(places, every - {TRUE}, written)

    def _action(self, move: Abstract) -> Action:
        number = move[0]
        assert number is not None
        return list(self.engine.game.actions.values())[number]

    # What follows a move ----------------------------------------------------------------------

    def _trails(self, starting: Sequence[int]) -> None:
        """What the flow asks of what is remembered, and what its procedures do to it."""
        trails: dict[Trail, list[Lit]] = {}
        for number in starting:
            trail = self.skeleton.edges[number].trail
            if trail:
                trails.setdefault(trail, []).append(self.edges[number])
        writers: list[tuple[Lit, Written]] = []
        slots = self.slots
        memory = self._snapshot((), slots)
        for trail, lits in trails.items():
            here = self.circuit.one_of(lits)
            self.slots = slots
            for event in trail:
                memory = self._snapshot(event.kept, self.slots)
                evaluator = Evaluator(self.engine.instance, Symbolic(self.guards, memory))
                match event:
                    case Tested(instruction, _, holds):
                        condition = self.engine.flow[instruction].condition  # type: ignore[union-attr]
                        yes = self.guards.yes(evaluator.value(condition, {}))
                        self.circuit.require(-here, yes if holds else -yes)
                    case Ran(procedure, _, decisions):
                        written = self._procedure(procedure, decisions, memory, evaluator)
                        for need in written.needs:
                            self.circuit.require(-here, need)
                        self.slots = {**self.slots, **dict(written.slots)}
            changed = tuple((slot, value) for slot, value in self.slots.items() if slots.get(slot) != value)
            if changed:
                writers.append((here, Written(changed, ())))
        self.slots = slots
        if writers:
            self.slots = self._merged(self._snapshot((), slots), writers)

    def _snapshot(self, kept: tuple[Any, ...], slots: dict[Slot, Guarded]) -> Remembered:
        return Remembered(
            self.engine.layout, self.root, self.skeleton.kept, lambda column: exactly(kept[column]), self.guards, slots
        )

    def _procedure(
        self, procedure: str, decisions: tuple[Decision, ...], memory: Remembered, evaluator: Evaluator[Value, Any]
    ) -> Written:
        followed = {decision.where: decision.holds for decision in decisions}
        algebra = evaluator.algebra
        assert isinstance(algebra, Symbolic)
        store = SymbolicStore(self.engine.instance, memory, algebra, self.guards, self.analysis.live_variables, followed)
        LocatedExecutor(evaluator, store, frozenset()).run(self.engine.game.procedures[procedure], {})
        return store.written()

    # The end ----------------------------------------------------------------------------------

    def final(self) -> Evaluator[Value, Any]:
        """What is read when play is over."""
        skeleton = self.skeleton
        ends: dict[int, list[Lit]] = {} if skeleton.edges else {0: [TRUE]}
        for edge, lit in zip(skeleton.edges, self.edges, strict=True):
            if skeleton.levels[edge.target] == skeleton.depth:
                ends.setdefault(edge.target, []).append(lit)
        lits = {node: self.circuit.one_of(some) for node, some in ends.items()}

        def value(column: int) -> Guarded:
            return self.guards.gather((skeleton.nodes[node][column], lit) for node, lit in lits.items())

        memory = Remembered(self.engine.layout, self.root, skeleton.kept, value, self.guards, self.slots)
        return Evaluator(self.engine.instance, Symbolic(self.guards, memory))

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...]:
        """The moves of a solution, which gives 0 or 1 for each variable."""
        skeleton, value_of = self.skeleton, self.circuit.value_of
        out: dict[int, list[tuple[Edge, Lit]]] = {}
        for edge, lit in zip(skeleton.edges, self.edges, strict=True):
            out.setdefault(edge.source, []).append((edge, lit))
        node, moves = 0, list[Move]()
        while node in out:
            edge = next(edge for edge, lit in out[node] if value_of(lit, solution))
            kind = skeleton.nodes[node][POINT], edge.move, edge.decisions
            places = next(
                iter(m.places for m in self.made[skeleton.levels[node]] if kind in m.kinds and value_of(m.lit, solution))
            )
            if edge.move != SKIP:
                left = iter(places)
                moves.append(tuple(next(left) if a is None else a for a in edge.move))
            node = edge.target
        return tuple(moves)
