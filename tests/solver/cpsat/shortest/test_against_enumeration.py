"""Shortest plans by CP-SAT against enumeration: instances of ten games, and the same under mutated rules."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.position import Position
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.process import worker
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report, WorkerStatus
from rulewright.solver.cpsat.process.stages import deepen
from tests.campaigns.mutated_rules import checked
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, instances
from tests.solver.shortest.questions import least

SECONDS = 20.0


def job_of(position: Position, floor: int | None = None) -> Job:
    assert position.question is not None
    return Job(ModelKind.SHORTEST, position.asked, position.root, position.question, SECONDS, floor=floor, workers=2)


def solved(job: Job) -> Report:
    """The last report of a job done in this process, with the last plan told."""
    heard = Report()

    def tell(report: Report) -> None:
        nonlocal heard
        heard = heard.followed_by(report)

    tell(
        deepen(job, time.monotonic() + SECONDS, tell, worker.solve_model)
        if job.floor is None
        else worker.solve_model(job, worker.model_of(job), SECONDS, tell)
    )
    return heard


def agreement(position: Position, most_moves: int = 8) -> str:
    """What came of a position; raises `AssertionError` where CP-SAT and enumeration differ."""
    engine, root, question = position.asked, position.root, position.question
    assert question is not None and question.until is not None
    if engine.over(root) or engine.value(question.until, root):
        return "nothing to do"
    try:
        expected = least(engine, root, question, 3_000)
    except (PlayError, RulesError):
        return "stops"
    except AssertionError:
        return "large"
    try:
        if expected is None or expected > most_moves:
            found = solved(job_of(position, -min(expected or most_moves, most_moves) + 1))
            assert found.status is WorkerStatus.INFEASIBLE, (expected, found)
            return "refuted"
        found = solved(job_of(position))
    except Refused:
        return "refused"
    assert (found.status, found.value, found.bound) == (WorkerStatus.OPTIMAL, -expected, -expected), (expected, found)
    assert found.plan is not None and len(found.plan) == expected
    for move in found.plan:
        assert move in engine.legal(root)
        root = engine.apply(root, move)
    assert engine.value(question.until, root)
    return "solved"


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_instances(make: Instance) -> None:
    came = Counter(agreement(position) for name, position in instances(range(3)) if name.startswith(make.__name__))
    assert came["solved"] + came["refuted"], came


@pytest.mark.campaign
@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_mutated_rules(make: Instance) -> None:
    came = sum((checked(make, seed, lambda one: Counter([agreement(one)])) for seed in range(60)), Counter[str]())
    print(make.__name__, dict(came))
    assert came["solved"] + came["refuted"] >= 5, came
