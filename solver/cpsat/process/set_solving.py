"""The best value of an order-free model, by one method after the other; all but the last have a limit.

First the greatest value that the objective may have is asked for, by a search in the order of the actions, which finds exact
covers soonest. Then a linear relaxation of all constraints and unsatisfiable cores bound the objective at once: packings,
placements and lights take tenths of a second each. Then come cores alone, since a relaxation beside them leaves exact covers
open; at last both again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve

from rulewright.solver.cpsat.model.from_question import ConstraintModel

from .job import Job
from .report import Report, WorkerStatus
from .to_ortools import IN_ORDER

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

Tell = Callable[[Report], None]
Solve = Callable[[Job, ConstraintModel, float, Tell], Report]


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
