"""No plan is printed that has not been played again by the rules."""

from __future__ import annotations

from ..grammar.diagnostics import RulesError
from ..puzzles.plans import replay
from ..rules.engine import Engine, State
from ..rules.questions import Question
from ..solver.result import Result
from .plan_lines import Step, steps_of


def verified(engine: Engine, state: State, question: Question, result: Result) -> tuple[Step, ...]:
    """The steps of the plan found, replayed. An error in us when a step is not legal or the score is another."""
    if result.score is None:
        return ()
    steps = tuple(steps_of(engine, state, result.plan, question))
    try:
        end = [state, *(step.state for step in replay(engine, state, [step.text for step in steps]))][-1]
    except RulesError as error:
        raise AssertionError("the plan found cannot be replayed") from error
    worth = sum(engine.value(value, end) for value in question.values)
    if not engine.over(end) or worth != result.score:
        raise AssertionError(f"the plan found for {result.score} is worth {worth} when replayed")
    return steps
