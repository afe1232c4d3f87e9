"""The model of a question for the fewest moves: plans of limited length, unrolled over the state graph by moves made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from graphlib import CycleError
from typing import Any

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.abstract_store import CannotTrack
from rulewright.rules.symbolic.circuit import FALSE, MOST_VARIABLES, Circuit, LinearExpression, Refused, refusing_at
from rulewright.rules.symbolic.move_grounding import ENDING, SKIP, AbstractStateGraph, Edge, levels_of
from rulewright.solver.cpsat.model.abstract_graph import MOST_EDGES, MOST_NODES, Exploration, explored
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.model.unrolling import Unrolling


@define
class ShortestPlans:
    """The plans for a question that counts moves. What is explored for one length is kept for the next."""

    engine: Engine
    root: State
    question: Question
    most_variables: int = MOST_VARIABLES
    _exploration: Exploration | None = None

    @property
    def until(self) -> Term:
        """The condition."""
        assert self.question.until is not None
        return self.question.until

    @cached_property
    def analysis(self) -> DataflowAnalysis:
        """The data flow of the game, as far as the condition depends on it."""
        return DataflowAnalysis(self.engine, (self.until,), self.root)

    def within(self, most_moves: int) -> tuple[ConstraintModel, bool]:
        """The plans of at most so many moves, and whether longer ones are left out.

        Raises `Refused`.
        """
        found = self._layers(most_moves)
        circuit = Circuit(self.most_variables)
        if found.graph is None:
            circuit.add_clause(FALSE)
            return ConstraintModel(circuit, LinearExpression.of({}, 0)), found.is_cut
        unrolling = Unrolling(self.engine, self.analysis, self.root, found.graph, circuit)
        with refusing_at(self.until.span):
            circuit.add_clause(unrolling.encoder.yes(unrolling.final_evaluator().value(self.until, {})))
        moves = zip(found.graph.edges, unrolling.edges, strict=True)
        number = LinearExpression.of({lit: -1 for edge, lit in moves if edge.move not in (SKIP, ENDING)}, 0)
        return ConstraintModel(circuit, number, unrolling), found.is_cut

    def _layers(self, most_moves: int) -> Layers:
        def find(exploration: Exploration) -> Layers:
            found = layers(exploration, self.until, most_moves)
            self._exploration = exploration
            return found

        if self._exploration is not None:
            try:
                return find(self._exploration)
            except CannotTrack:
                self._exploration = None
        return explored(self.engine, self.analysis, self.root, find)


AT_THE_END = -1
"""Stands for the number of moves where play is over: however many were made, these states are one."""


@frozen
class Layers:
    """The plans of a limited number of moves, None if no path ends where the condition may hold.

    `is_cut`: longer plans were left out.
    """

    graph: AbstractStateGraph | None
    is_cut: bool


def layers(exploration: Exploration, until: Term, most_moves: int) -> Layers:
    """The plans of at most so many moves after which a condition may hold. Raises `Refused` if they are too many."""
    layering = _Layering(exploration, until, most_moves)
    layering.run()
    return Layers(layering.graph(), layering.is_cut)


@define
class _Layering:
    """`reached` are states of the exploration with the moves made; `nodes` are their columns."""

    exploration: Exploration
    until: Term
    most_moves: int
    is_cut: bool = False
    nodes: list[tuple[Any, ...]] = field(factory=list)
    edges: list[Edge] = field(factory=list)
    _numbers: dict[tuple[tuple[Any, ...], int], int] = field(factory=dict)
    _reached: list[tuple[int, int]] = field(factory=list)
    _never: dict[int, bool] = field(factory=dict)

    def run(self) -> None:
        """Find the nodes breadth-first, each with its edges."""
        self._at(0, 0)
        for state, moves in self._reached:
            if self.exploration.nodes[state][POINT] != OVER:
                self._add_edges_from(state, moves)
            if len(self.nodes) > MOST_NODES or len(self.edges) > MOST_EDGES:
                raise Refused(
                    f"more than {MOST_NODES:,} states or {MOST_EDGES:,} moves by the number of moves made",
                    self.exploration.place(state),
                )

    def _at(self, state: int, moves: int) -> int:
        columns = self.exploration.nodes[state]
        key = columns, AT_THE_END if columns[POINT] == OVER else moves
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(columns)
            self._reached.append((state, moves))
        return self._numbers[key]

    def _ended(self, state: int) -> int:
        """The node at which a plan is over that ends in a state."""
        columns = list(self.exploration.nodes[state])
        columns[POINT] = OVER
        return self._at(self.exploration.number_of(columns), 0)

    def _never_holds(self, state: int) -> bool:
        if state not in self._never:
            self._never[state] = self.exploration.value(self.until, state).never
        return self._never[state]

    def _add_edges_from(self, state: int, moves: int) -> None:
        here, ended = self._at(state, moves), None
        if not self._never_holds(state):
            ended = self._ended(state)
            self.edges.append(Edge(here, ended, ENDING, (), ()))
        for edge in self.exploration.edges_from(state):
            after = moves if edge.move == SKIP else moves + 1
            if self.exploration.nodes[edge.target][POINT] == OVER and self._never_holds(edge.target):
                continue
            if after > self.most_moves:
                self.is_cut = True
                continue
            target = self._at(edge.target, after)
            # Where nothing is possible and play ends so, a plan may as well end before: no choice need be shown to be stuck.
            if not (edge.move == SKIP and target == ended and not edge.trail):
                self.edges.append(evolve(edge, source=here, target=target))

    def graph(self) -> AbstractStateGraph | None:
        """The nodes from which a plan can end, with levels."""
        kept = self._leading_to_an_end()
        if 0 not in kept:
            return None
        numbers = {node: number for number, node in enumerate(sorted(kept))}
        edges = [
            evolve(edge, source=numbers[edge.source], target=numbers[edge.target])
            for edge in self.edges
            if edge.source in kept and edge.target in kept
        ]
        nodes = [self.nodes[node] for node in numbers]
        return AbstractStateGraph(nodes, edges, self._levels(nodes, edges), self.exploration.tracked)

    def _leading_to_an_end(self) -> set[int]:
        before: dict[int, list[int]] = {}
        for edge in self.edges:
            before.setdefault(edge.target, []).append(edge.source)
        pending = [node for node, columns in enumerate(self.nodes) if columns[POINT] == OVER]
        kept = set(pending)
        while pending:
            new = [node for node in before.get(pending.pop(), ()) if node not in kept]
            kept.update(new)
            pending += new
        return kept

    def _levels(self, nodes: Sequence[tuple[Any, ...]], edges: Sequence[Edge]) -> list[int]:
        try:
            return levels_of(nodes, edges)
        except CycleError as error:
            point = nodes[error.args[1][0]][POINT]
            raise Refused(
                "choices that may all be without a legal action", self.exploration.engine.choices[point].span
            ) from None
