"""All plans worth the optimum: recorded by the kernels, or searched for in Python with all bounds and refutations."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from operator import itemgetter

from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.analysis.state_symmetries import automorphisms_of
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.dual import dual_bound
from rulewright.solver.best.dual.arena import UNUSED
from rulewright.solver.best.kernel_problem import KernelProblem, Worker
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import SOON, Limits
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.program import as_machine_code_by
from rulewright.subset.refusal import CannotCompile

from .optimal_plans import BestPlans, Order, paths_by_length, sets_among
from .plan_graph import Node, PlanGraph, Uncounted, never, plan_graph
from .plan_order import Neighbours
from .plan_recorder import PlanRecorder

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


@define(eq=False)
class Refuter:
    """Tests, for states reached from the root of a problem, whether anything above a goal can be reached: not SOON, before
    anything is compiled, since a search that ends by then needs no refutation."""

    problem: Problem
    deadline: float
    _known: dict[object, bool] = field(factory=dict)
    _began: float = field(factory=time.monotonic)

    def refutes(self, state: State, goal: int) -> bool:
        """Whether it is proved that no end is worth more than the goal."""
        if time.monotonic() < self._began + SOON or self._worker is None:
            return False
        key = goal, self._read(state)
        known = self._known.get(key)
        if known is None:
            self._worker.stand_at(state)
            bound = self._worker.machine.program.bound_by_branching(self._worker.state_bound, goal, dual_bound.SWEEPS, UNUSED)
            known = self._known[key] = bound <= goal
        return known

    @cached_property
    def _worker(self) -> Worker | None:
        """The kernels in machine code; None without a compiler, or if the problem has no dual bound."""
        with suppress(CannotCompile, ImportError):
            kernels = KernelProblem.of(self.problem)
            if kernels.has_dual_bound:
                return kernels.worker(kernels.game.machine(kernels.game.program(as_machine_code_by(self.deadline))))
        return None

    @cached_property
    def _read(self) -> Callable[[State], object]:
        """What the bound depends on: the board, the tiles to come, and the markers' cells."""
        states, objective = self.problem.reachable, self.problem.board_sums
        assert objective is not None
        markers = () if self.problem.movement is None else self.problem.movement.markers
        return itemgetter(states.engine.layout.columns[objective.board].start, *states.supplies, *markers)
