"""Shortest plans by CP-SAT alone: each number of moves is refuted before one more is allowed (iterative deepening)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from rulewright.base.records import evolve
from rulewright.base.spans import NO_SPAN
from rulewright.rules.model.state import POINT
from rulewright.rules.symbolic.circuit import refusing_at
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.shortest.from_question import ShortestPlans

from .job import Job, Report, WorkerStatus
from .to_ortools import IN_ORDER

Tell = Callable[[Report], None]

Solve = Callable[[Job, ConstraintModel, float, Tell], Report]


def deepen(job: Job, deadline: float, tell: Tell, solve: Solve) -> Report:
    """The last report on a job without a floor; there is no plan if none is left out and the last model has no solution.

    Raises `Refused`.
    """
    engine = job.engine
    plans = ShortestPlans(engine, job.root, job.question, job.most_variables)
    with refusing_at(engine.choices[job.root[POINT]].span if not engine.over(job.root) else NO_SPAN):
        for most_moves in count(1):
            model, is_cut = plans.within(most_moves)
            tell(Report(variables=model.circuit.size))
            found = solve(evolve(job, floor=-most_moves), model, deadline - time.monotonic(), tell)
            if found.status in (WorkerStatus.OPTIMAL, WorkerStatus.FEASIBLE):
                return Report(bound=-most_moves, status=WorkerStatus.OPTIMAL)
            if found.status is not WorkerStatus.INFEASIBLE or not is_cut:
                return found
            tell(Report(bound=-most_moves - 1))
    raise AssertionError("counting ends")


GREATEST_VALUE: Mapping[str, Any] = {**IN_ORDER, "max_deterministic_time": 1.0}
"""The limit is in the deterministic time of OR-Tools: about a third of a second."""

CORES: Mapping[str, Any] = {
    "num_workers": 1,
    "optimize_with_core": True,
    "linearization_level": 1,
    "cp_model_probing_level": 0,
    "max_deterministic_time": 3.0,
}

RELAXATION_AND_CORES: Mapping[str, Any] = {"num_workers": 2, "subsolvers": ["max_lp", "core"]}

STAGES = ({**RELAXATION_AND_CORES, "max_deterministic_time": 1.0}, CORES, RELAXATION_AND_CORES)
"""After the greatest value: parameters of each stage."""


def solved_in_stages(job: Job, model: ConstraintModel, deadline: float, tell: Tell, solve: Solve) -> Report:
    """The last report of a job that ends at `deadline`, a time of the monotonic clock."""

    def run(parameters: Mapping[str, Any], floor: int | None = None) -> Report:
        asked = evolve(job, floor=floor, ceiling=ceiling, parameters={**parameters, **job.parameters})
        return solve(asked, model, deadline - time.monotonic(), tell)

    highest = model.objective.high
    ceiling = highest if job.ceiling is None else min(highest, job.ceiling)
    greatest = run(GREATEST_VALUE, ceiling)
    if greatest.status is WorkerStatus.OPTIMAL:
        return Report(bound=ceiling, status=WorkerStatus.OPTIMAL)
    if greatest.status is WorkerStatus.INFEASIBLE:
        ceiling -= 1
    known = Report()
    for parameters in STAGES:
        known = known.followed_by(run(parameters))
        if known.status in (WorkerStatus.OPTIMAL, WorkerStatus.INFEASIBLE):
            break
    return known
