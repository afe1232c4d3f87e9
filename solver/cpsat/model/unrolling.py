"""Play unrolled over the abstract state graph, as in bounded model checking (Biere et al. 1999).

A path through the graph fixes the actions, their tiles, and the changes of hands and counters. Each level adds the
groundings of its moves; their effects are executed symbolically on the state after the previous level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.state import POINT, STOP, Move, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic import move_grounding
from rulewright.rules.symbolic.abstract_store import Decision
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit, ModelTooLarge, holds, refusing_at
from rulewright.rules.symbolic.guarded_values import Encoder, Guarded, constant
from rulewright.rules.symbolic.symbolic_algebra import SymbolicAlgebra
from rulewright.rules.symbolic.symbolic_state import Slot, SymbolicState
from rulewright.rules.symbolic.symbolic_store import Update, symbolic_update

from .board_reachability import BoardReachability
from .rereading import reread_variables

MoveClass = tuple[int, move_grounding.AbstractMove, tuple[Decision, ...]]
"""Edges of a level with the same moves: a choice, an abstract move, the decisions in its effects."""


@frozen
class GroundMove:
    """The preconditions and writes of a move; `arguments` are those that its abstract move leaves open."""

    arguments: tuple[int, ...]
    needs: frozenset[Lit]
    update: Update


@define
class Unrolling:
    """The model of all plays from a root: a literal for each edge of the graph and for each ground move of a level.

    `moves` maps each class of a level to the literals of its ground moves, with the arguments left open.
    """

    engine: Engine
    analysis: DataflowAnalysis
    root: State
    graph: move_grounding.AbstractStateGraph
    circuit: Circuit
    encoder: Encoder = field(init=False)
    edges: list[Lit] = field(factory=list)
    moves: list[dict[MoveClass, list[tuple[Lit, tuple[int, ...]]]]] = field(factory=list)
    slots: dict[Slot, Guarded] = field(factory=dict)
    _reachability: BoardReachability = field(init=False)
    _stuck: set[int] = field(factory=set)
    _decided: dict[tuple[Term, frozenset[str]], bool] = field(factory=dict)
    _reread: dict[tuple[EffectClause, ...], frozenset[str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Encode every level."""
        graph = self.graph
        self.encoder = Encoder(self.circuit)
        self._stuck = {graph.nodes[edge.source][POINT] for edge in graph.edges if edge.move == move_grounding.SKIP}
        self._add_flow()
        self._reachability = BoardReachability.of(self.engine, self.analysis, self.root, graph)
        leaving: list[list[int]] = [[] for _ in range(graph.depth + 1)]
        for number, edge in enumerate(graph.edges):
            leaving[graph.levels[edge.source]].append(number)
        for level in range(graph.depth):
            try:
                self._add_level(level, leaving[level])
            except ModelTooLarge as error:
                what = f"{error.refusal.what} for {level + 1} of {graph.depth} moves"
                raise ModelTooLarge(what, error.refusal.span, error.refusal.name) from error

    def _add_flow(self) -> None:
        """One path through the graph: flow is conserved at nodes, and one edge crosses each level."""
        graph, circuit = self.graph, self.circuit
        self.edges = [circuit.new_literal() for _ in graph.edges]
        into: list[list[Lit]] = [[] for _ in graph.nodes]
        out: list[list[Lit]] = [[] for _ in graph.nodes]
        crossing: list[list[Lit]] = [[] for _ in range(graph.depth)]
        for edge, lit in zip(graph.edges, self.edges, strict=True):
            into[edge.target].append(lit)
            out[edge.source].append(lit)
            for level in range(graph.levels[edge.source], graph.levels[edge.target]):
                crossing[level].append(lit)
        for entering, leaving in zip(into[1:], out[1:], strict=True):
            if leaving:
                circuit.add_linear([*((1, lit) for lit in entering), *((-1, lit) for lit in leaving)], 0, 0)
        if crossing:
            circuit.add_domain(crossing[0])
        for lits in crossing[1:]:
            circuit.declare_domain(lits)

    # One level --------------------------------------------------------------------------------

    def _add_level(self, level: int, leaving: Sequence[int]) -> None:
        graph, circuit = self.graph, self.circuit
        classes: dict[MoveClass, list[Lit]] = {}
        sources: dict[int, list[Lit]] = {}
        for number in leaving:
            edge = graph.edges[number]
            point = graph.nodes[edge.source][POINT]
            classes.setdefault((point, edge.move, edge.decisions), []).append(self.edges[number])
            sources.setdefault(edge.source, []).append(self.edges[number])
        state = self._state(cache(lambda column: self._tracked_column(sources, column)))
        grounder = move_grounding.MoveGrounder(self.engine, state, self._decided)
        alike: dict[tuple[GroundMove, ...], list[MoveClass]] = {}
        for move_class in classes:
            alike.setdefault(tuple(self._ground(move_class, level, grounder)), []).append(move_class)
        moves: dict[MoveClass, list[tuple[Lit, tuple[int, ...]]]] = {}
        updates: list[tuple[Lit, Update]] = []
        for ground_moves, same in alike.items():
            taken = circuit.sum_of(lit for move_class in same for lit in classes[move_class])
            lits = [taken] if len(ground_moves) == 1 else [circuit.new_literal() for _ in ground_moves]
            if len(ground_moves) != 1:
                circuit.add_linear([*((1, lit) for lit in lits), (-1, taken)], 0, 0)
            for ground_move, lit in zip(ground_moves, lits, strict=True):
                for need in sorted(ground_move.needs):
                    circuit.add_clause(-lit, need)
                updates.append((lit, ground_move.update))
            made = [(lit, ground_move.arguments) for ground_move, lit in zip(ground_moves, lits, strict=True)]
            moves |= dict.fromkeys(same, made)
        self.moves.append(moves)
        self.slots = self._updated(updates)
        self._add_trails(leaving)

    def _state(self, tracked_column: Callable[[int], Guarded], slots: dict[Slot, Guarded] | None = None) -> SymbolicState:
        """A state with the slots written so far, or with other ones."""
        kept = self.slots if slots is None else slots
        return SymbolicState(self.engine.layout, self.root, self.graph.tracked, tracked_column, self.encoder, kept)

    def _tracked_column(self, sources: Mapping[int, list[Lit]], column: int) -> Guarded:
        """A tracked column at the source of the edge taken; any value if the path skips the level."""
        sum_of = self.circuit.sum_of
        edges: dict[Any, list[Lit]] = {}
        for node, lits in sources.items():
            edges.setdefault(self.graph.nodes[node][column], []).extend(lits)
        guards = {value: sum_of(lits) for value, lits in edges.items()}
        last, *others = reversed(guards)
        # Exactly one case must hold on skipped levels too: the last one holds if no other does.
        rest = -sum_of(guards[value] for value in others)
        return self.encoder.merge([*((value, guards[value]) for value in others), (last, rest)])

    def _updated(self, updates: Iterable[tuple[Lit, Update]]) -> dict[Slot, Guarded]:
        """The slots after at most one of the updates."""
        state = self._state(_untracked_only)
        changes: dict[Slot, list[tuple[Lit, Guarded, bool]]] = {}
        for lit, update in updates:
            for slot, value in update.slots:
                changes.setdefault(slot, []).append((lit, value, slot in update.fresh))
        return self.slots | {slot: self._frame(state.at(slot), written) for slot, written in changes.items()}

    def _frame(self, old: Guarded, written: list[tuple[Lit, Guarded, bool]]) -> Guarded:
        """A slot after at most one write (a successor state axiom): the value written, else the old one."""
        circuit = self.circuit
        writes = [lit for lit, _, _ in written]
        guards: dict[Any, list[Lit]] = {}
        for lit, value, _ in written:
            for case, also in value.cases:
                guards.setdefault(case, []).append(circuit.all_of((lit, also)))
        if all(fresh for _, _, fresh in written):
            for case, lit in old.cases:
                if case != 0:
                    guards.setdefault(case, []).append(lit)
            found = {case: circuit.sum_of(lits) for case, lits in guards.items()}
            if len(found) == 1:
                ((only, lit),) = found.items()
                return self.encoder.merge([(0, -lit), (only, lit)])
            # What is laid stays: vacant after means vacant before and nothing written.
            found[0] = circuit.new_literal()
            vacant = dict(old.cases).get(0, FALSE)
            circuit.add_linear([(-1, found[0]), (1, vacant), *((-1, lit) for lit in writes)], 0, 0)
        else:
            stays = -circuit.sum_of(writes)
            for case, lit in old.cases:
                guards.setdefault(case, []).append(circuit.all_of((stays, lit)))
            found = {case: circuit.sum_of(lits) for case, lits in guards.items()}
        found = {case: lit for case, lit in found.items() if lit != FALSE}
        if len(found) > 2:
            circuit.add_domain(list(found.values()))
        elif len(found) == 2:
            (first, one), (second, _) = found.items()
            found = {first: one, second: -one}
        return self.encoder.merge(found.items())

    def _ground(self, move_class: MoveClass, level: int, grounder: move_grounding.MoveGrounder) -> Iterator[GroundMove]:
        """The ground moves of a class that are not certainly illegal."""
        point, move, decisions = move_class
        if move == move_grounding.SKIP:
            legal = grounder.legal(self.engine.choices[point].actions)
            yield GroundMove((), frozenset(-lit for lit in legal), Update())
            return
        if move == move_grounding.ENDING and point in self._stuck:
            legal = grounder.legal(self.engine.choices[point].actions)
            yield GroundMove((), frozenset({self.circuit.any_of(legal)}) - {TRUE}, Update())
            return
        if move in (STOP, move_grounding.ENDING):
            yield GroundMove((), frozenset(), Update())
            return
        number = move[0]
        assert number is not None
        action = list(self.engine.game.actions.values())[number]
        encoded = self._encoded(action.effects)
        for arguments, env, needs in grounder.groundings(action, move):
            evaluator = self._evaluator(grounder.state, self.encoder.assuming(needs))
            update = symbolic_update(action.effects, env, evaluator, encoded, decisions)
            every = frozenset(needs) | frozenset(update.needs)
            possible = FALSE not in every and not any(-lit in every for lit in every)
            if possible and self._reachability.admits(update.fresh, level):
                yield GroundMove(arguments, every - {TRUE}, update)

    def _encoded(self, effects: tuple[EffectClause, ...]) -> frozenset[str]:
        """The variables that the model must encode during effects."""
        tracked = self.graph.tracked
        if effects not in self._reread:
            self._reread[effects] = reread_variables(self.engine.game, effects, tracked)
        return self.analysis.live_variables - tracked | self._reread[effects]

    def _evaluator(self, state: SymbolicState, encoder: Encoder | None = None) -> move_grounding.SymbolicEvaluator:
        return Evaluator(self.engine.instance, SymbolicAlgebra(encoder or self.encoder, state))

    # What follows a move ----------------------------------------------------------------------

    def _add_trails(self, leaving: Sequence[int]) -> None:
        """Post the branches of the flow after the moves of a level, and execute its procedures."""
        trails: dict[move_grounding.Trail, list[Lit]] = {}
        for number in leaving:
            trail = self.graph.edges[number].trail
            if trail:
                trails.setdefault(trail, []).append(self.edges[number])
        updates: list[tuple[Lit, Update]] = []
        for trail, lits in trails.items():
            taken = self.circuit.sum_of(lits)
            slots = self.slots
            for event in trail:
                evaluator = self._evaluator(self._state(_known_columns(event.columns), slots))
                match event:
                    case move_grounding.Branch(instruction, _, held):
                        condition = self.engine.flow[instruction].condition  # type: ignore[union-attr]
                        with refusing_at(condition.span):
                            yes = self.encoder.yes(evaluator.value(condition, {}))
                        self.circuit.add_clause(-taken, yes if held else -yes)
                    case move_grounding.Run(procedure, _, decisions):
                        effects = self.engine.game.procedures[procedure]
                        update = symbolic_update(effects, {}, evaluator, self._encoded(effects), decisions)
                        for need in update.needs:
                            self.circuit.add_clause(-taken, need)
                        slots = slots | dict(update.slots)
            changed = tuple((slot, value) for slot, value in slots.items() if self.slots.get(slot) != value)
            if changed:
                updates.append((taken, Update(changed)))
        self.slots = self._updated(updates)

    # The end ----------------------------------------------------------------------------------

    def final_evaluator(self) -> move_grounding.SymbolicEvaluator:
        """The evaluator of terms at the end of play."""
        graph = self.graph
        ends: dict[int, list[Lit]] = {} if graph.edges else {0: [TRUE]}
        for edge, lit in zip(graph.edges, self.edges, strict=True):
            if graph.levels[edge.target] == graph.depth:
                ends.setdefault(edge.target, []).append(lit)
        guards = {node: self.circuit.sum_of(lits) for node, lits in ends.items()}

        def tracked_column(column: int) -> Guarded:
            return self.encoder.merge((graph.nodes[node][column], lit) for node, lit in guards.items())

        return self._evaluator(self._state(tracked_column))

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...]:
        """The moves of a solution, which gives 0 or 1 for each variable."""
        graph = self.graph
        out: dict[int, move_grounding.Edge] = {
            edge.source: edge for edge, lit in zip(graph.edges, self.edges, strict=True) if holds(lit, solution)
        }
        node, plan = 0, list[Move]()
        while node in out:
            edge = out[node]
            taken = graph.nodes[node][POINT], edge.move, edge.decisions
            if edge.move not in (move_grounding.SKIP, move_grounding.ENDING):
                made = self.moves[graph.levels[node]][taken]
                left = iter(next(arguments for lit, arguments in made if holds(lit, solution)))
                plan.append(tuple(next(left) if argument is None else argument for argument in edge.move))
            node = edge.target
        return tuple(plan)


def _known_columns(columns: Sequence[Any]) -> Callable[[int], Guarded]:
    return lambda column: constant(columns[column])


def _untracked_only(column: int) -> Guarded:
    raise AssertionError(f"column {column} is tracked: no slot holds it")
