"""The entrance: a question about a position, answered by whichever engines there are, within limits."""

from __future__ import annotations

from ..rules.engine import Engine, State
from ..rules.questions import Question
from .exact import Progress, search
from .limits import Limits
from .result import Result


def answer(
    engine: Engine, state: State, question: Question, limits: Limits | None = None, progress: Progress | None = None
) -> Result:
    """The best plan with a proof, or the best found in time and what is known above it.

    `progress` is called with the best value, the bound and the number of states. `KeyboardInterrupt` ends the work early, as
    the time limit does; it is not passed on.
    """
    return search(engine, state, question, (limits or Limits()).seconds, progress)
