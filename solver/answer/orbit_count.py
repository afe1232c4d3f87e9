"""Counts optimal plans by the orbits of the states that they pass through, which are fewer than the states.

An automorphism maps the moves of a state one to one to those of its image, and so the plans from there. The number of plans is
therefore the number of paths through the graph of orbits, in which each move of an orbit's representative is a separate edge.
If some adjacent actions commute and some do not, nothing is counted: equality of plans up to order depends on moves, and those
of the images have other names.
"""

from __future__ import annotations

import time

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.budget import Limits
from rulewright.solver.native.kernels.plan_order import Neighbours
from rulewright.solver.plans.plan_recorder import PlanRecorder
from rulewright.solver.search.optimal_plans import Order, paths_by_length, sets_among
from rulewright.solver.search.problem import Problem
from rulewright.solver.search.shortest_plan import ShortestPlanProblem
from rulewright.solver.symmetry.state_symmetries import automorphisms_of
from rulewright.subset.refusal import CannotCompile


@frozen
class PlanCount:
    """The number of plans, what the order of their actions means for it, and the number of representative states."""

    number: int
    order: Order
    orbits: int


def counted_by_orbits(engine: Engine, state: State, question: Question, goal: int, limits: Limits) -> PlanCount | None:
    """The number of plans worth `goal`, the optimum. None if no automorphism is found, the limits are too short, or the order
    of actions matters for some plans only."""
    problem: Problem | ShortestPlanProblem
    if question.goal is Goal.LEAST:
        problem = ShortestPlanProblem(engine, state, question, limits.hash_key)
    else:
        problem = Problem(engine, state, question, hash_key=limits.hash_key)
    deadline = time.monotonic() + limits.seconds
    automorphisms = automorphisms_of(engine, state, problem.analysis, question.terms, deadline)
    if not automorphisms:
        return None
    recorder = PlanRecorder(problem, goal, limits, automorphisms)
    try:
        graph = recorder.graph()
    except (CannotCompile, GameFault):
        return None
    if graph.gap is not None or graph.endless or not graph.root.ways:
        return None
    paths = paths_by_length(graph)
    match recorder.neighbours:
        case Neighbours.ALL:
            return None
        case Neighbours.COMMUTE:
            return PlanCount(sets_among(paths), Order.FREE, len(graph.ordered))
        case _:
            return PlanCount(sum(paths.values()), Order.MATTERS, len(graph.ordered))
