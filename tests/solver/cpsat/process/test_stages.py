"""Stages in which the best value of an order-free model is found."""

from __future__ import annotations

import time

import pytest

from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.order_free.from_question import order_free_model
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report, WorkerStatus
from rulewright.solver.cpsat.process.stages import GREATEST_VALUE, STAGES, Tell, solved_in_stages
from rulewright.solver.cpsat.process.worker import solve_model
from tests.solver.cpsat.order_free.test_packings import packing


def job_and_model(width: int, height: int, bars: int) -> tuple[Job, ConstraintModel]:
    position = packing(width, height, bars, "maximise score until end")
    asked = position.asked, position.root, position.question
    assert position.question is not None
    return Job(ModelKind.ORDER_FREE, *asked, seconds=120.0), order_free_model(*asked)


def staged(width: int, height: int, bars: int, *, give_up: bool = False) -> tuple[Report, list[Job]]:
    """The last report on a packing, and the jobs of its stages; those with a limit of their own may give up."""
    job, model = job_and_model(width, height, bars)
    asked: list[Job] = []

    def solve(stage: Job, of: ConstraintModel, seconds: float, tell: Tell) -> Report:
        asked.append(stage)
        if give_up and "max_deterministic_time" in stage.parameters:
            return Report(status=WorkerStatus.UNKNOWN)
        return solve_model(stage, of, seconds, tell)

    return solved_in_stages(job, model, time.monotonic() + job.seconds, lambda report: None, solve), asked


def test_the_greatest_value_that_the_objective_may_have_is_asked_for_first() -> None:
    report, asked = staged(4, 3, 2)
    assert (report.status, report.bound) == (WorkerStatus.OPTIMAL, 12)
    assert [stage.floor for stage in asked] == [12]


def test_when_it_is_refuted_the_next_stage_looks_below_it() -> None:
    report, asked = staged(5, 2, 2)
    assert (report.status, report.bound) == (WorkerStatus.OPTIMAL, 9)
    assert [(stage.floor, stage.ceiling) for stage in asked] == [(10, 10), (None, 9)]


@pytest.mark.parametrize(("width", "height", "best"), [(4, 3, 12), (5, 2, 9)])
def test_where_the_first_stages_give_up_the_last_one_answers(width: int, height: int, best: int) -> None:
    report, asked = staged(width, height, 2, give_up=True)
    assert (report.status, report.bound) == (WorkerStatus.OPTIMAL, best)
    cells = width * height
    assert [(stage.floor, stage.ceiling) for stage in asked] == [(cells, cells), (None, cells), (None, cells), (None, cells)]


def test_a_packing_of_thirty_cells_is_proved_by_its_linear_relaxation() -> None:
    """Within the limit of that stage, which no clock measures; cores of conflicts leave it open for many times as long."""
    report, asked = staged(6, 5, 2)
    assert (report.status, report.bound) == (WorkerStatus.OPTIMAL, 12)
    assert [dict(stage.parameters) for stage in asked] == [dict(GREATEST_VALUE), dict(STAGES[0])]
