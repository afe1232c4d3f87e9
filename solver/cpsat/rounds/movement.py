"""Decides whether plans can be modelled as rounds, before a worker is started and without building the model."""

from __future__ import annotations

from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.best.bounds.movement_rules import MovementRules, movement_rules
from rulewright.solver.best.problem import Problem

NO_SUM = "a question that is not about one board on which tiles are only laid"


def movement_of(problem: Problem) -> MovementRules:
    """How markers move on the one board that a question sums over. Raises `Refused`."""
    if problem.board_sums is None:
        raise Refused(NO_SUM, problem.question.span)
    found = movement_rules(problem.reachable, problem.board_sums.board)
    if found is None:
        raise Refused(f"tiles of `{problem.board_sums.board}` that may be laid away from every marker")
    return found
