"""Answers a question for the least cost at which a condition holds, within limits.

Where the order of actions is free, CP-SAT works beside the search, as for other questions. Where it is not, it confirms the
fewest moves if it is asked to.
"""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.base.engines import Engines
from rulewright.rules.machine.machine_game import GameFault
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.process.co_solver import CoSolver, Disagreement
from rulewright.solver.result import Result, Status
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.shortest_plan import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.boosters import boosters_of
from rulewright.solver.shortest.search import NO_ROOM, ShortestSearch
from rulewright.subset.refusal import CannotCompile

from .second_opinion import NO_MOVES


def answer_least(problem: ShortestPlanProblem, limits: Limits, listener: Listener) -> Result:
    """A plan of least cost with a proof, or the best found in time and a lower bound; `IMPOSSIBLE` if there is no plan.

    Raises `Disagreement`, and any error of play.
    """
    began = time.monotonic()
    engine, root, question = problem.engine, problem.root, problem.question
    if limits.engines is Engines.CPSAT and not problem.reached(root) and not engine.over(root):
        from rulewright.solver.cpsat.process.standalone import solve

        return solve(engine, root, question, limits, listener)
    with CoSolver(engine, root, question, limits, sign=-1) as co_solver:
        combining = listener.finishing(lambda found: _combined(found, co_solver))
        beside = evolve(combining, is_settled=co_solver.settled, spare=co_solver.spare)
        found = _searched(problem, limits, beside, began)
        if NO_ROOM in found.remarks:
            co_solver.outlast()
        result = _combined(found, co_solver)
    if limits.second and result.proof == "search":
        listener.on_stop(lambda: result)
        result = _proved_again(problem, result, limits, limits.seconds - (time.monotonic() - began))
    return evolve(result, seconds=time.monotonic() - began)


def _searched(problem: ShortestPlanProblem, limits: Limits, listener: Listener, began: float) -> Result:
    deadline = began + limits.seconds
    try:
        search = ShortestSearch(problem, deadline, limits, listener, began)
        search.boosters = boosters_of(search)
        return search.answer()
    except (CannotCompile, GameFault):
        return UniformCostSearch(problem, deadline, limits, listener, began).run()


def _combined(found: Result, co_solver: CoSolver) -> Result:
    """Combine the result of the search with what CP-SAT has shown; CP-SAT counts costs as negative. Raises `Disagreement`."""
    bound = None if co_solver.bound is None else -co_solver.bound
    refuted = None if co_solver.refuted is None else -co_solver.refuted
    if found.score is not None and (
        (bound is not None and bound > found.score) or (refuted is not None and refuted >= found.score)
    ):
        raise Disagreement(f"the search has a plan for {found.score}, but CP-SAT proves that there is none")
    if found.status is Status.OPTIMAL:
        return evolve(found, proof="search+cpsat") if bound == found.score else found
    if found.status is Status.IMPOSSIBLE:
        if co_solver.plan is not None:
            raise Disagreement("the search proves that there is no plan, but CP-SAT has one")
        return found
    if co_solver.plan is not None and co_solver.best is not None and (found.score is None or -co_solver.best < found.score):
        found = evolve(found, status=Status.FEASIBLE, score=-co_solver.best, plan=co_solver.plan)
    known = [value for value in (found.bound, bound) if value is not None]
    if refuted is None:
        return evolve(found, bound=max(known, default=None), remarks=(*found.remarks, *co_solver.remarks))
    found = evolve(found, proof="cpsat+refuted", remarks=tuple(remark for remark in found.remarks if remark != NO_ROOM))
    if found.score is None:
        return evolve(found, status=Status.IMPOSSIBLE, bound=None)
    return evolve(found, status=Status.OPTIMAL, bound=found.score)


def _proved_again(problem: ShortestPlanProblem, result: Result, limits: Limits, seconds: float) -> Result:
    """Have CP-SAT confirm the search's proof that nothing costs less. Raises `Disagreement`."""
    from rulewright.solver.cpsat.process.job import ANY_PLAN
    from rulewright.solver.cpsat.process.standalone import refuted

    engine, root, question = problem.engine, problem.root, problem.question
    if problem.reached(root) or engine.over(root):
        return evolve(result, remarks=(*result.remarks, NO_MOVES))
    goal = ANY_PLAN if result.score is None else 1 - result.score
    agreed, remarks = refuted(engine, root, question, goal, seconds, limits)
    if agreed is False:
        raise Disagreement(f"the search proves that nothing is below {result.score}; {'; '.join(remarks)}")
    return evolve(result, proof="search+cpsat" if agreed else result.proof, remarks=(*result.remarks, *remarks))
