"""Answers a question for the least cost at which a condition holds, within limits.

Where the order of actions is free, CP-SAT works beside the search, as for other questions. Where it is not, it confirms the
fewest moves if it is asked to.
"""

from __future__ import annotations

import time

from rulewright.base.choices import Engines
from rulewright.rules.machine.machine_game import GameFault
from rulewright.solver.cpsat.process.co_solver import CoSolver
from rulewright.solver.result import Limits, Listener, Result
from rulewright.solver.shortest.boosters import boosters_of
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.subset.refusal import CannotCompile

from .combination import Combination


def answer_least(problem: ShortestPlanProblem, limits: Limits, listener: Listener) -> Result:
    """A plan of least cost with a proof, or the best found in time and a lower bound; `IMPOSSIBLE` if there is no plan.

    Raises `Disagreement`, and any error of play.
    """
    began = time.monotonic()
    engine, root, question = problem.engine, problem.root, problem.question
    if limits.engines is Engines.CPSAT and not problem.reached(root) and not engine.over(root):
        from rulewright.solver.cpsat.process.standalone import solve

        return solve(engine, root, question, limits, listener)

    def searched(limits: Limits, listener: Listener, _: CoSolver) -> Result:
        deadline = began + limits.seconds
        try:
            search = ShortestSearch(problem, deadline, limits, listener, began)
            search.boosters = boosters_of(search)
            return search.answer()
        except (CannotCompile, GameFault):
            return UniformCostSearch(problem, deadline, limits, listener, began).run()

    return Combination(engine, root, question, limits).answer(listener, searched)
