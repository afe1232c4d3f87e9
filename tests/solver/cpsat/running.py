"""What the tests of the CP-SAT reading share: a model run to its end in a child of its own."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulewright.rules.engine import Engine, Move, State
from rulewright.rules.questions import Question
from rulewright.solver.cpsat.child import Bounded, Built, Child, Ended, Found
from rulewright.solver.cpsat.task import Model, task


@frozen
class Outcome:
    """The end of a child, the best value it found (more is better) with its plan, and the bound."""

    end: Ended
    value: int | None
    plan: tuple[Move, ...] | None
    bound: int | None
    variables: int | None


def run(model: Model, engine: Engine, state: State, question: Question, seconds: float = 120, **more: Any) -> Outcome:
    """Let a child work until it ends."""
    value, plan, bound, variables = None, None, None, None
    with Child(task(model, engine, state, question, seconds, **more)) as child:
        while True:
            match child.news(seconds + 30):
                case Found(value=value, plan=plan):
                    pass
                case Bounded(new):
                    bound = new if bound is None else min(bound, new)
                case Built(variables=variables):
                    pass
                case Ended() as end:
                    return Outcome(end, value, plan, bound, variables)
                case None:
                    raise AssertionError("the child keeps silent")


def worth(engine: Engine, state: State, question: Question, plan: tuple[Move, ...]) -> int:
    """What a plan comes to, every move of it legal and play over at its end."""
    for move in plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return sum(engine.value(value, state) for value in question.values)
