"""The constraint models of a question: whole plays unrolled, or the final board alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis

from .abstract_graph import abstract_graph_of
from .circuit import MOST_VARIABLES, Circuit, LinearExpression
from .final_board import FinalBoard
from .guarded_values import Encoder, Guarded, Unsupported, Value, refusing_at
from .move_grounding import SymbolicEvaluator
from .symbolic_algebra import SymbolicAlgebra
from .symbolic_state import SymbolicState
from .unrolling import Unrolling


@frozen
class ConstraintModel:
    """A circuit with an objective to maximise; the negative of the value where the question asks for the least."""

    circuit: Circuit
    objective: LinearExpression
    unrolling: Unrolling | None = None

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """The plan that a solution stands for; None if the model has no plans."""
        return None if self.unrolling is None else self.unrolling.plan(solution)


def unrolled_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """All plays from a root, with the final-board relaxation as redundant constraints where there is one.

    Raises `Unsupported`, `TooManyCases`, `ModelTooLarge`.
    """
    analysis = DataflowAnalysis(engine, question.values)
    circuit = Circuit(most_variables)
    unrolling = Unrolling(engine, analysis, root, abstract_graph_of(engine, analysis, root), circuit)
    with suppress(Unsupported):
        final_board = FinalBoard.of(engine, analysis, question, root, circuit)
        if final_board is not None:
            final_board.link(unrolling.slots)
    sign = -1 if question.goal is Goal.MINIMISE else 1
    return ConstraintModel(circuit, _objective(question, unrolling.final_evaluator(), Encoder(circuit), sign), unrolling)


def final_board_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """The final board alone: an upper bound on a value that is maximised.

    Raises `Unsupported`, `TooManyCases`, `ModelTooLarge`.
    """
    circuit = Circuit(most_variables)
    final_board = FinalBoard.of(engine, DataflowAnalysis(engine, question.values), question, root, circuit)
    if final_board is None:
        raise Unsupported("a question that is not about one board on which tiles are only laid")
    encoder = Encoder(circuit)
    all_else = frozenset(engine.layout.columns) - {final_board.board}
    state = SymbolicState(engine.layout, root, all_else, _forgotten, encoder, final_board.slots())
    evaluator: SymbolicEvaluator = Evaluator(engine.instance, SymbolicAlgebra(encoder, state))
    return ConstraintModel(circuit, _objective(question, evaluator, encoder, 1))


def _objective(question: Question, evaluator: SymbolicEvaluator, encoder: Encoder, sign: int) -> LinearExpression:
    def value_of(term: Term) -> Value:
        with refusing_at(term.span):
            return evaluator.value(term, {})

    return encoder.add((sign, value_of(term)) for term in question.values)


def _forgotten(column: int) -> Guarded:
    raise Unsupported("a score that looks at more than the board")
