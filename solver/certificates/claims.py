"""What a certificate claims: the answer to a question; and the questions that have none."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.result import Result, Status


class Claimed(Enum):
    """How a question is answered."""

    OPTIMAL = "optimal"
    REACHED = "reached"
    NOT_REACHED = "not reached"
    IMPOSSIBLE = "impossible"


@frozen
class Claim:
    """An answer; `count` is the number of best plans, if it was counted."""

    status: Claimed
    value: int | Fraction | None
    count: int | None = None


class Uncertified(Exception):
    """There is no certificate. The message says why, as part of a sentence."""


def check_certifiable(question: Question) -> None:
    """Refuse a question that has no certificate, whatever its answer. Raises `Uncertified`."""
    if question.replies is not None:
        raise Uncertified("the policy of the other players is no part of it")
    if question.before is not None and question.in_expectation:
        raise Uncertified("what chance does before the first choice is no part of it")
    if question.secret_state:
        raise Uncertified("a value of mixed strategies has none yet")


def claim_of(question: Question, result: Result, count: int | None) -> Claim:
    """The claim of a proved answer. Raises `Uncertified` if it is not proved."""
    check_certifiable(question)
    if not result.proof or result.status not in (Status.OPTIMAL, Status.IMPOSSIBLE):
        raise Uncertified("the answer is not proved")
    if result.expectation is not None:
        return Claim(Claimed.OPTIMAL, result.expectation.value)
    is_found = result.status is Status.OPTIMAL
    match question.goal:
        case Goal.REACH:
            return Claim(Claimed.REACHED if is_found else Claimed.NOT_REACHED, None)
        case Goal.LEAST | Goal.MAXIMISE | Goal.MINIMISE | Goal.WIN | Goal.COUNT_BEST:
            counted = count if question.counts_plans else None
            return Claim(Claimed.OPTIMAL, result.score, counted) if is_found else Claim(Claimed.IMPOSSIBLE, None)
