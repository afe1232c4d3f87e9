"""What the tests of CP-SAT share: a model solved in a worker process."""

from __future__ import annotations

from functools import reduce
from typing import Any

from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.process import standalone, worker
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report


def run(kind: ModelKind, engine: Engine, state: State, question: Question, seconds: float = 120, **more: Any) -> Report:
    """Let a worker finish its job."""
    return standalone.run(Job(kind, engine, state, question, seconds, **more))


def worth(engine: Engine, state: State, question: Question, plan: tuple[Move, ...]) -> int:
    """What a plan comes to, every move of it legal and play over at its end."""
    for move in plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return sum(engine.value(value, state) for value in question.values)


def solved_here(
    model: ConstraintModel,
    engine: Engine,
    state: State,
    question: Question,
    floor: int | None = None,
    seconds: float = 20.0,
    kind: ModelKind = ModelKind.ORDER_FREE,
) -> Report:
    """A model solved in this process, as a worker does it; gives all that is reported."""
    heard = [Report()]
    job = Job(kind, engine, state, question, seconds, floor=floor)
    heard.append(worker.solve_model(job, model, seconds, heard.append))
    return reduce(Report.followed_by, heard)
