"""Which models may cover a question, by its flow, its actions and its words alone: no model is built for that."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import POINT, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import Refusal, Refused, refusing_at
from rulewright.rules.symbolic.move_grounding import check_no_afterwards
from rulewright.solver.best.problem import Problem
from rulewright.solver.cpsat.model.final_board import NO_SUM, movement_of
from rulewright.solver.cpsat.order_free.from_question import check_first_moves

from .job import ModelKind, Report, WorkerStatus

LEAST = (Goal.LEAST, Goal.MINIMISE)


def ruled_out(
    engine: Engine, root: State, question: Question, among: Iterable[ModelKind] = ModelKind
) -> dict[ModelKind, Report]:
    """The models that `supports` refuses, and how they end without a worker: a process would take half a second to refuse."""
    refusals = {kind: supports(kind, engine, root, question) for kind in among}
    return {
        kind: Report(status=WorkerStatus.UNSUPPORTED, message=str(refusal)) for kind, refusal in refusals.items() if refusal
    }


def place_of(engine: Engine, root: State) -> Span:
    """The place of what has none of its own: the choice at the root."""
    return NO_SPAN if engine.over(root) else engine.choices[root[POINT]].span


def supports(kind: ModelKind, engine: Engine, root: State, question: Question) -> Refusal | None:
    """Why a model does not cover a question; None if it may."""
    wanted = "the least" if question.goal in LEAST else f"`{question.goal.value}`"
    asked = Refusal(f"a question for {wanted}", question.span)
    try:
        with refusing_at(place_of(engine, root)):
            check_no_afterwards(engine.game.actions.values())
            match kind:
                case ModelKind.ORDER_FREE:
                    check_first_moves(engine, root, question)
                case ModelKind.ROUNDS if question.goal not in (Goal.MAXIMISE, Goal.REACH):
                    return asked
                case ModelKind.ROUNDS:
                    movement_of(Problem(engine, root, question))
                case ModelKind.FINAL_BOARD if question.goal not in LEAST:
                    return None if question.sums_over_a_board else Refusal(NO_SUM, question.span)
                case ModelKind.STATES:
                    return Refusal("a question that counts turns", question.span) if question.counts_turns else None
                case ModelKind.SHORTEST:
                    return None if question.counts_moves else Refusal("a question that does not count moves", question.span)
                case ModelKind.UNROLLED if question.goal is not Goal.LEAST:
                    return None
                case ModelKind.FINAL_BOARD | ModelKind.UNROLLED:
                    return asked
    except Refused as error:
        return error.refusal
    return None
