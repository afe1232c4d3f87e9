"""Chooses the models to try for a question, from its rules alone, without building a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import POINT, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.guarded_values import refusing_at
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.model.final_board import NO_SUM, movement_of, sums_over_a_board
from rulewright.solver.cpsat.order_free.from_question import check_first_moves

from .job import ModelKind, Report, WorkerStatus

LEAST = (Goal.LEAST, Goal.MINIMISE)


@frozen
class ModelChoice:
    """The models to try, each if the one before does not cover the rules, and how the others end without a worker.

    What a glance at flow, actions and question rules out is not tried: a worker process would take half a second to refuse it.
    """

    kinds: tuple[ModelKind, ...]
    ruled_out: Mapping[ModelKind, Report]

    @classmethod
    def of(
        cls, engine: Engine, root: State, question: Question, among: Collection[ModelKind] = tuple(ModelKind)
    ) -> ModelChoice:
        ruled_out = dict[ModelKind, Report]()
        considered = [kind for kind in ModelKind if kind in among]
        for kind in considered:
            try:
                with refusing_at(place_of(engine, root)):
                    _check(kind, engine, root, question)
            except Refused as refusal:
                ruled_out[kind] = Report(status=WorkerStatus.UNSUPPORTED, message=str(refusal))
        return cls(tuple(kind for kind in considered if kind not in ruled_out), ruled_out)


def place_of(engine: Engine, root: State) -> Span:
    """The place of what has none of its own: the choice at the root."""
    return NO_SPAN if engine.over(root) else engine.choices[root[POINT]].span


def _check(kind: ModelKind, engine: Engine, root: State, question: Question) -> None:
    """Raises `Refused` for what is seen without building the model."""
    wanted = "the least" if question.goal in LEAST else f"`{question.goal.value}`"
    asked = Refused(f"a question for {wanted}", question.span)
    match kind:
        case ModelKind.ORDER_FREE:
            check_first_moves(engine, root, question)
        case ModelKind.ROUNDS:
            if question.goal not in (Goal.MAXIMISE, Goal.REACH):
                raise asked
            movement_of(Problem(engine, root, question))
        case ModelKind.FINAL_BOARD:
            if question.goal in LEAST:
                raise asked
            if not sums_over_a_board(question):
                raise Refused(NO_SUM, question.span)
        case ModelKind.STATES:
            if question.counts_turns:
                raise Refused("a question that counts turns", question.span)
        case ModelKind.SHORTEST:
            if not question.counts_moves:
                raise Refused("a question that does not count moves", question.span)
        case ModelKind.UNROLLED:
            if question.goal is Goal.LEAST:
                raise asked
