"""What the tests of the CP-SAT reading share: a model run to its end in a child of its own."""

from __future__ import annotations

from typing import Any

from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.cpsat.process import standalone
from rulewright.solver.cpsat.process.job import Model, task


def run(
    model: Model, engine: Engine, state: State, question: Question, seconds: float = 120, **more: Any
) -> standalone.Outcome:
    """Let a child work until it ends."""
    return standalone.run(task(model, engine, state, question, seconds, **more))


def worth(engine: Engine, state: State, question: Question, plan: tuple[Move, ...]) -> int:
    """What a plan comes to, every move of it legal and play over at its end."""
    for move in plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return sum(engine.value(value, state) for value in question.values)
