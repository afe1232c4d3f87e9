"""A question for the least cost at which a condition holds, answered within limits."""

from __future__ import annotations

import time

from attrs import evolve

from rulewright.rules.machine.machine_game import GameFault
from rulewright.solver.budget import Limits
from rulewright.solver.native.host.shortest_search import ShortestPlanKernel, ShortestSearch
from rulewright.solver.result import Result
from rulewright.solver.search.incumbent import Listener
from rulewright.solver.search.shortest_plan import ShortestPlanProblem, UniformCostSearch
from rulewright.subset.refusal import CannotCompile

from .schedule import COMPILING, SOON

NO_SECOND_PROOF = "CP-SAT does not read questions for the fewest or the least `until` a condition holds"


def answer_least(problem: ShortestPlanProblem, limits: Limits, listener: Listener) -> Result:
    """The plan of least cost with a proof, or the best found in time and a bound below it; `IMPOSSIBLE` when there is no plan.

    `KeyboardInterrupt` ends the search early. Raises what stops a game.
    """
    began = time.monotonic()
    deadline = began + limits.seconds
    try:
        search = ShortestSearch(ShortestPlanKernel(problem), deadline, limits, listener, began)
        result = search.run(SOON, COMPILING)
    except (CannotCompile, GameFault):
        result = UniformCostSearch(problem, deadline, limits, listener, began).run()
    return evolve(result, remarks=(*result.remarks, NO_SECOND_PROOF)) if limits.second else result
