"""Chooses the models to try for a question, from its rules alone, without building a model."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.guarded_values import Unsupported
from rulewright.solver.cpsat.order_free.play_loop import PlayLoop
from rulewright.solver.cpsat.rounds.movement import movement_of
from rulewright.solver.search.problem import Problem

from .job import ModelKind


def kinds_for(
    engine: Engine, root: State, question: Question, among: Collection[ModelKind] = tuple(ModelKind)
) -> tuple[ModelKind, ...]:
    """The models to try, each if the one before does not cover the rules.

    The order-free model is left out if the flow shows that actions have an order; this needs no worker process.
    """
    return tuple(kind for kind in ModelKind if kind in among and _may_cover(kind, engine, root, question))


def _may_cover(kind: ModelKind, engine: Engine, root: State, question: Question) -> bool:
    match kind:
        case ModelKind.ORDER_FREE:
            with suppress(Unsupported):
                PlayLoop.of(engine, root)
                return True
            return False
        case ModelKind.SHORTEST:
            return question.counts_moves
        case ModelKind.ROUNDS:
            return question.until is None and movement_of(Problem(engine, root, question)) is not None
        case ModelKind.FINAL_BOARD:
            return question.goal not in (Goal.LEAST, Goal.MINIMISE)
        case ModelKind.STATES:
            return question.until is None or bool(question.values)
        case ModelKind.UNROLLED:
            return question.goal is not Goal.LEAST
