"""Questions of which CP-SAT has no model."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.linking.questions import Question
from rulewright.solver.cpsat.model.circuit import Refused


def unread(question: Question) -> str:
    """A remark on why CP-SAT does not answer or confirm a question at all; empty if it may."""
    if question.in_expectation:
        asked = "in expectation"
    elif question.others is Others.AGAINST:
        asked = "against best play"
    else:
        return ""
    return str(Refused(f"CP-SAT does not read questions {asked}", question.span))
