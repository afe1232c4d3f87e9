"""Decides whether plans can be modelled as rounds, before a worker is started and without building the model."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Goal
from rulewright.solver.bounds.movement_rules import MovementRules, movement_rules
from rulewright.solver.search.problem import Problem


def movement_of(problem: Problem) -> MovementRules | None:
    """How markers move on the one board that a question sums over; None if this model does not cover the question."""
    if problem.question.goal not in (Goal.MAXIMISE, Goal.REACH) or problem.board_sums is None:
        return None
    return movement_rules(problem.reachable, problem.board_sums.board)
