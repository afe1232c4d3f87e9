"""The next move of a best plan, from any state of a game in progress."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.solver.result import Status

from .verified_plan import verified_steps


@frozen
class Hint:
    """`move` begins the best plan found, None where there is none.

    `proved`: the plan is optimal, or without a move, no plan meets the question.
    """

    move: Move | None
    proved: bool


def hint_for(engine: Engine, state: State, question: Question, limits: Limits) -> Hint:
    """Search within limits. An interrupt ends the search early. Raises `RulesError` where the question has no answer."""
    result = answer(engine, state, question, limits)
    steps = verified_steps(engine, state, question, result)
    return Hint(steps[0].move if steps else None, result.status in (Status.OPTIMAL, Status.IMPOSSIBLE))
