"""Why there is no second opinion: questions of which CP-SAT has no model, and answers with nothing to confirm."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.symbolic.circuit import Refused

PLAN_IS_PROOF = "no second opinion: a plan that the rules replay is its own proof"
NO_MOVES = "no second opinion: the answer takes no move"
NOTHING_PROVED = "no second opinion: there is no proof that CP-SAT could confirm"


def unread(question: Question) -> str:
    """A remark on why CP-SAT does not answer or confirm a question at all; empty if it may."""
    if question.in_expectation:
        asked = "in expectation"
    elif question.others is Others.AGAINST:
        asked = "against best play"
    else:
        return ""
    return str(Refused(f"CP-SAT does not read questions {asked}", question.span))
