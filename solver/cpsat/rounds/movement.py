"""Whether plans can be read as rounds: seen before a worker is started, so without the model."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Goal
from rulewright.solver.bounds.movement_rules import MovementRules, movement_rules
from rulewright.solver.search.problem import Problem


def movement_of(problem: Problem) -> MovementRules | None:
    """How markers move on the one board that a question sums over; None where this model does not read the question."""
    if problem.question.goal not in (Goal.MAXIMISE, Goal.REACH) or problem.board_sums is None:
        return None
    return movement_rules(problem.reachable, problem.board_sums.board)
