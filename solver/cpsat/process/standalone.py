"""CP-SAT without a search beside it: a job run to its end, a value refuted, a whole question answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.budget import Limits
from rulewright.solver.result import Result, Status
from rulewright.solver.search.incumbent import Listener

from .client import WorkerProcess
from .co_solver import BOUNDING
from .job import Job, ModelKind
from .report import Report, WorkerStatus

FINAL_BOARD_SHARE = 0.25
"""The share of the time that the final board may take."""

OVERTIME = 5.0
"""Seconds after its time limit when a worker is given up."""


def run(job: Job, tell: Callable[[Report], None] = lambda known: None) -> Report:
    """Let a worker finish its job; gives all that it has reported, with a status.

    `tell` is called with what is known whenever that is more. `KeyboardInterrupt` ends the job early.
    """
    until = time.monotonic() + job.seconds + OVERTIME
    late = Report(status=WorkerStatus.UNKNOWN, message="the time was up")
    known = Report()
    try:
        with WorkerProcess(job) as worker:
            while known.status is None:
                known = known.followed_by(worker.report(until - time.monotonic()) or late)
                tell(known)
    except KeyboardInterrupt:
        known = known.followed_by(Report(status=WorkerStatus.UNKNOWN, message="interrupted"))
    return known


def refuted(
    engine: Engine, root: State, question: Question, goal: int, seconds: float, limits: Limits
) -> tuple[bool | None, str]:
    """Whether CP-SAT proves that a value (more is better) cannot be reached, with a remark; None if it does not tell in time.

    The final board is tried first, then the whole model.
    """
    until = time.monotonic() + seconds
    workers, memory_mib = max(limits.workers, 1), limits.second_mib
    for kind in (ModelKind.FINAL_BOARD, ModelKind.UNROLLED):
        left = until - time.monotonic()
        if left <= 0:
            break
        found = run(Job(kind, engine, root, question, left, floor=goal, workers=workers, memory_mib=memory_mib))
        if found.status is WorkerStatus.INFEASIBLE:
            return True, ""
        if found.plan is not None:
            return False, f"CP-SAT has a plan for {found.value}"
        if kind is ModelKind.UNROLLED and found.message:
            return None, f"CP-SAT: {found.ending}"
    return None, "CP-SAT did not settle it in time"


def solve(engine: Engine, root: State, question: Question, limits: Limits, listener: Listener = Listener()) -> Result:  # noqa: B008
    """The answer of CP-SAT alone: no other engine has confirmed its proof.

    A greatest value is bounded by the final board first; the whole model is then solved below that bound. What no model takes
    is named in a remark. `KeyboardInterrupt` ends the work early.
    """
    began = time.monotonic()
    sign = -1 if question.goal is Goal.MINIMISE else 1
    workers, memory_mib = max(limits.workers, 1), limits.second_mib
    ceiling: int | None = None

    def tell(known: Report) -> None:
        best, bound = (None if value is None else sign * value for value in (known.value, known.bound))
        listener.progress(best, bound, 0)

    def job(kind: ModelKind, seconds: float, **more: Any) -> Job:
        return Job(kind, engine, root, question, seconds, workers=workers, memory_mib=memory_mib, **more)

    if question.goal is Goal.MAXIMISE:
        bounding = {**BOUNDING, "num_workers": workers}
        ceiling = run(job(ModelKind.FINAL_BOARD, FINAL_BOARD_SHARE * limits.seconds, parameters=bounding)).bound
    left = limits.seconds - (time.monotonic() - began)
    floor = question.threshold if question.goal is Goal.REACH else None
    found = run(job(ModelKind.UNROLLED, left, floor=floor, ceiling=ceiling), tell)
    known = Report(bound=ceiling).followed_by(found)
    match found.status:
        case WorkerStatus.OPTIMAL:
            status = Status.OPTIMAL
        case WorkerStatus.INFEASIBLE:
            status = Status.IMPOSSIBLE
        case _:
            status = Status.UNKNOWN if found.value is None else Status.FEASIBLE
    return Result(
        status=status,
        score=None if found.value is None else sign * found.value,
        bound=None if known.bound is None else sign * known.bound,
        plan=found.plan or (),
        states=0,
        seconds=time.monotonic() - began,
        proof="cpsat" if status in (Status.OPTIMAL, Status.IMPOSSIBLE) else "",
        remarks=(f"CP-SAT: {found.ending}",) if found.message else (),
    )
