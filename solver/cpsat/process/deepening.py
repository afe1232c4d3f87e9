"""Shortest plans by CP-SAT alone: each number of moves is refuted before one more is allowed (iterative deepening)."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

from attrs import evolve

from rulewright.base.spans import NO_SPAN
from rulewright.rules.model.state import POINT
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.model.guarded_values import refusing_at
from rulewright.solver.cpsat.shortest.from_question import ShortestPlans

from .job import Job
from .report import Report, WorkerStatus

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
