"""Chooses the models to try for a question, from its rules alone, without building a model."""

from __future__ import annotations

from collections.abc import Collection

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.final_board import sums_over_a_board
from rulewright.solver.cpsat.order_free.from_question import may_be_sets
from rulewright.solver.cpsat.rounds.movement import movement_of
from rulewright.solver.search.problem import Problem

from .job import ModelKind


def kinds_for(
    engine: Engine, root: State, question: Question, among: Collection[ModelKind] = tuple(ModelKind)
) -> tuple[ModelKind, ...]:
    """The models to try, each if the one before does not cover the rules.

    What a glance at flow, actions and question rules out is left out: a worker process would take half a second to refuse it.
    """
    return tuple(kind for kind in ModelKind if kind in among and _may_cover(kind, engine, root, question))


def _may_cover(kind: ModelKind, engine: Engine, root: State, question: Question) -> bool:
    match kind:
        case ModelKind.ORDER_FREE:
            return may_be_sets(engine, root, question)
        case ModelKind.SHORTEST:
            return question.counts_moves
        case ModelKind.ROUNDS:
            return question.until is None and movement_of(Problem(engine, root, question)) is not None
        case ModelKind.FINAL_BOARD:
            return question.goal not in (Goal.LEAST, Goal.MINIMISE) and sums_over_a_board(question)
        case ModelKind.STATES:
            return not question.counts_turns
        case ModelKind.UNROLLED:
            return question.goal is not Goal.LEAST
