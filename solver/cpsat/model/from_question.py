"""The constraint models of a question: whole plays unrolled, or the final board alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import MOST_VARIABLES, Circuit, LinearExpression, Lit, Refused, refusing_at
from rulewright.rules.symbolic.guarded_values import Encoder, Guarded, Value
from rulewright.rules.symbolic.move_grounding import SymbolicEvaluator
from rulewright.rules.symbolic.symbolic_algebra import SymbolicAlgebra
from rulewright.rules.symbolic.symbolic_state import SymbolicState

from .abstract_graph import abstract_graph_of
from .final_board import FinalBoard
from .unrolling import Unrolling


class PlanReader(Protocol):
    """Reads the plan off a solution of a model."""

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """The plan that a solution encodes; None if it encodes none."""


@frozen
class ConstraintModel:
    """A circuit with an objective to maximise: the value asked for, negated if the question asks for the least.

    Without a `reader` there are no plans. If a solution may encode no plan, `exclude` posts constraints against it. `reaching`
    gives a literal that holds if the objective reaches a value. A search in a fixed order decides the literals `decisions`
    first, each as true.
    """

    circuit: Circuit
    objective: LinearExpression
    reader: PlanReader | None = None
    exclude: Callable[[Sequence[int]], None] | None = None
    reaching: Callable[[int], Lit] | None = None
    decisions: tuple[Lit, ...] = ()

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """The plan that a solution encodes; None if it encodes none."""
        return None if self.reader is None else self.reader.plan(solution)


def unrolled_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """All plays from a root, with the final-board relaxation, if there is one, as redundant constraints.

    Raises `Refused`.
    """
    analysis = DataflowAnalysis(engine, question.values, root)
    circuit = Circuit(most_variables)
    unrolling = Unrolling(engine, analysis, root, abstract_graph_of(engine, analysis, root), circuit)
    with suppress(Refused):
        final_board = FinalBoard.of(engine, analysis, question, root, circuit)
        if final_board is not None:
            final_board.link(unrolling.slots)
    return ConstraintModel(circuit, objective_of(question, unrolling.final_evaluator(), Encoder(circuit)), unrolling)


def final_board_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """The final board alone: an upper bound on a value that is maximised.

    Raises `Refused`.
    """
    circuit = Circuit(most_variables)
    final_board = FinalBoard.of(engine, DataflowAnalysis(engine, question.values, root), question, root, circuit)
    if final_board is None:
        raise Refused("a question that is not about one board on which tiles are only laid")
    return ConstraintModel(circuit, board_objective(final_board, question))


def board_objective(final_board: FinalBoard, question: Question) -> LinearExpression:
    """The value that a question asks for, read off the final board alone. Raises `Refused` if it depends on more."""
    engine, encoder = final_board.engine, Encoder(final_board.circuit)
    all_else = frozenset(engine.layout.columns) - {final_board.board}
    state = SymbolicState(engine.layout, final_board.root, all_else, _forgotten, encoder, final_board.slots())
    evaluator: SymbolicEvaluator = Evaluator(engine.instance, SymbolicAlgebra(encoder, state))
    return objective_of(question, evaluator, encoder)


def objective_of(question: Question, evaluator: SymbolicEvaluator, encoder: Encoder) -> LinearExpression:
    """The value that a question asks for, negated if less is better. Raises `Refused`."""
    return encoder.add((question.sign, value_of(evaluator, term)) for term in question.values)


def value_of(evaluator: SymbolicEvaluator, term: Term) -> Value:
    """The value of a term without free names. Raises `Refused`, at the term, for what the model does not cover."""
    with refusing_at(term.span):
        return evaluator.value(term, {})


def _forgotten(column: int) -> Guarded:
    raise Refused("a score that depends on more than the board")
