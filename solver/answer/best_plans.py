"""All plans worth the optimum: recorded by the kernels, or searched for in Python with all bounds and refutations."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.budget import SOON, Limits
from rulewright.solver.native.host.refutation import Refuter
from rulewright.solver.plans.plan_recorder import PlanRecorder
from rulewright.solver.search.optimal_dag import Node, PlanGraph, Uncounted, never, plan_graph
from rulewright.solver.search.optimal_plans import BestPlans
from rulewright.solver.search.problem import Problem
from rulewright.solver.search.shortest_plan import ShortestPlanProblem
from rulewright.subset.refusal import CannotCompile

RECORDING_SHARE, RECORDING_SHARE_BOUNDED = 0.9, 0.3
"""Shares of the remaining time for the kernels, which record every state; the search in Python prunes by bounds. A bound on
sums over a board prunes most states, other bounds few."""


def best_plans_of(engine: Engine, state: State, question: Question, goal: int, limits: Limits) -> BestPlans:
    """The plans whose value reaches `goal`, which must be the optimum (for `reach`: the threshold)."""
    deadline = time.monotonic() + limits.seconds
    if question.goal is Goal.LEAST:
        graph = _recorded(ShortestPlanProblem(engine, state, question, limits.hash_key), goal, limits)
    else:
        graph = _graph(Problem(engine, state, question, hash_key=limits.hash_key), goal, limits, deadline)
    return BestPlans.of(graph, deadline, limits)


def _graph(problem: Problem, goal: int, limits: Limits, deadline: float) -> PlanGraph:
    signed = problem.sign * goal
    soon = evolve(limits, seconds=min(SOON, limits.seconds))
    if PlanRecorder(problem, goal, soon).is_kept:
        found = _recorded(problem, goal, soon)
        if found.gap is None:
            return found
    found = plan_graph(problem, signed, soon, never)
    if found.gap is Uncounted.TIME_UP and (left := deadline - time.monotonic()) > 0:
        share = RECORDING_SHARE if problem.board_sums is None else RECORDING_SHARE_BOUNDED
        found = _recorded(problem, goal, evolve(limits, seconds=share * left))
    if found.gap is not None and (left := deadline - time.monotonic()) > 0:
        refuter, is_full = Refuter(problem, deadline), found.gap is Uncounted.NO_ROOM
        found = plan_graph(problem, signed, evolve(limits, seconds=left), refuter.refutes)
        if is_full and found.gap is Uncounted.TIME_UP:
            return evolve(found, gap=Uncounted.NO_ROOM)  # the kernels are far faster, so memory is worth more than time
    return found


def _recorded(problem: Problem | ShortestPlanProblem, goal: int, limits: Limits) -> PlanGraph:
    try:
        return PlanRecorder(problem, goal, limits).graph()
    except (CannotCompile, GameFault):
        return PlanGraph.of(Node(None), (), Uncounted.UNREAD)
