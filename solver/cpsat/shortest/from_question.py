"""The model of a question for the fewest moves: plans of limited length, unrolled over the state graph by moves made."""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import define
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.cpsat.model.abstract_graph import Exploration, explored
from rulewright.solver.cpsat.model.abstract_store import CannotTrack
from rulewright.solver.cpsat.model.circuit import FALSE, MOST_VARIABLES, Circuit, LinearExpression
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.model.guarded_values import refusing_at
from rulewright.solver.cpsat.model.state_graph import ENDING, SKIP
from rulewright.solver.cpsat.model.unrolling import Unrolling

from .layers import Layers, layers


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
