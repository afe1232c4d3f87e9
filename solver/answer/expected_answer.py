"""Answers a question about an expected value within limits."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.solver.budget import Limits
from rulewright.solver.result import Result, Status
from rulewright.solver.search.expectimax import ExpectationProblem, Expectimax
from rulewright.solver.search.incumbent import Listener

from .second_opinion import unread

TOO_LARGE = "an expected value has no bounds until all states have been examined"


def answer_expected(problem: ExpectationProblem, limits: Limits, listener: Listener) -> Result:
    """The best expected value and the value of each first move; `UNKNOWN` if time or memory runs out."""

    def remarked(result: Result) -> Result:
        remarks = [*result.remarks]
        if result.status is Status.UNKNOWN:
            remarks.append(TOO_LARGE)
        elif limits.second:
            remarks.append(unread(problem.question))
        return evolve(result, remarks=tuple(remarks))

    deadline = time.monotonic() + limits.seconds
    return remarked(Expectimax(problem, deadline, limits, listener.finishing(remarked)).run())
