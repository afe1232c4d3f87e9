"""The entrance: a question about a position, answered by whichever engines there are, within limits."""

from __future__ import annotations

from ..grammar.scenarios import Goal
from ..rules.analysis import Analysis
from ..rules.engine import Engine, State
from ..rules.questions import Question
from .endings import may_end, no_end
from .exact import Progress, search
from .growth import no_best, round_that_pays
from .limits import Limits
from .result import Result


def check_question(engine: Engine, state: State, question: Question) -> None:
    """Refuse a question that has no answer, where that can be seen without a search.

    Raises `RulesError`: RW331 (play never comes to the end that is asked about), RW332 (the value grows for ever).
    """
    if engine.over(state):
        return
    analysis = Analysis(engine, question.values)
    if not may_end(engine, analysis, state):
        raise no_end(question)
    growing = () if question.goal is Goal.REACH else round_that_pays(engine, analysis, state, question)
    if growing:
        raise no_best(question, growing)


def answer(
    engine: Engine, state: State, question: Question, limits: Limits | None = None, progress: Progress | None = None
) -> Result:
    """The best plan with a proof, or the best found in time and what is known above it.

    `progress` is called with the best value, the bound and the number of states. `KeyboardInterrupt` ends the work early, as
    the time limit does; it is not passed on. Raises `RulesError` as `check_question` does, and what stops a game (RW360-RW364).
    """
    check_question(engine, state, question)
    return search(engine, state, question, (limits or Limits()).seconds, progress)
