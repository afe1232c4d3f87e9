"""CP-SAT by itself: the whole reading solved, or asked whether more than a value can be reached."""

from __future__ import annotations

import time

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.budget import Limits
from rulewright.solver.result import Result, Status

from .client import Bounded, Built, Child, Ended, Found
from .co_solver import BOUNDING
from .job import Model, Task, task

CEILING_PART = 0.25
"""Of the time, for the last board at most."""


@frozen
class Outcome:
    """How a child ended, the best value it found (more is better) with the plan for it, and the bound."""

    end: Ended
    value: int | None = None
    plan: tuple[Move, ...] | None = None
    bound: int | None = None
    variables: int | None = None


def run(asked: Task) -> Outcome:
    """Let a child work until it ends, or is a little late."""
    value: int | None = None
    plan: tuple[Move, ...] | None = None
    bound: int | None = None
    variables: int | None = None
    until = time.monotonic() + asked.seconds + 5
    with Child(asked) as child:
        while True:
            match child.news(until - time.monotonic()):
                case Found() as found:
                    value, plan = found.value, found.plan
                case Bounded(new):
                    bound = new if bound is None else min(bound, new)
                case Built() as built:
                    variables = built.variables
                case Ended() as end:
                    return Outcome(end, value, plan, bound, variables)
                case None:
                    return Outcome(Ended("unknown", "the time was up"), value, plan, bound, variables)


def refuted(
    engine: Engine, root: State, question: Question, goal: int, seconds: float, limits: Limits
) -> tuple[bool | None, str]:
    """Whether CP-SAT shows that a value (more is better) cannot be reached, and what else it says.

    First by the last board alone, then by the whole reading; None when it does not settle the question in time.
    """
    began = time.monotonic()
    for model in (Model.MASTER, Model.READING):
        left = seconds - (time.monotonic() - began)
        if left <= 0:
            break
        asked = task(
            model, engine, root, question, left, floor=goal, workers=max(limits.workers, 1), memory_mib=limits.second_mib
        )
        found = run(asked)
        if found.end.status == "infeasible":
            return True, ""
        if model is Model.READING and found.plan is not None:
            return False, f"CP-SAT has a plan for {found.value}"
        if model is Model.READING and found.end.message:
            return None, f"CP-SAT: {found.end.status}: {found.end.message}"
    return None, "CP-SAT did not settle it in time"


def solve(engine: Engine, root: State, question: Question, seconds: float, workers: int = 2) -> Result:
    """The answer of CP-SAT, not yet looked at by anybody else: for measuring. The last board bounds what is then looked for."""
    began = time.monotonic()
    sign = -1 if question.goal is Goal.MINIMISE else 1
    floor = question.threshold if question.goal is Goal.REACH else None
    ceiling: int | None = None
    if question.goal is Goal.MAXIMISE:
        bounding = {**BOUNDING, "num_workers": workers}
        ceiling = run(task(Model.MASTER, engine, root, question, CEILING_PART * seconds, parameters=bounding)).bound
    left = seconds - (time.monotonic() - began)
    found = run(task(Model.READING, engine, root, question, left, floor=floor, ceiling=ceiling, workers=workers))
    status = {
        "optimal": Status.OPTIMAL,
        "feasible": Status.FEASIBLE,
        "infeasible": Status.IMPOSSIBLE,
    }.get(found.end.status, Status.UNKNOWN if found.value is None else Status.FEASIBLE)
    score = None if found.value is None else sign * found.value
    bounds = [bound for bound in (found.bound, ceiling) if bound is not None]
    remarks = (f"{found.end.status}: {found.end.message}",) if found.end.message else ()
    proof = "cpsat" if status in (Status.OPTIMAL, Status.IMPOSSIBLE) else ""
    bound = sign * min(bounds) if bounds else None
    return Result(status, score, bound, found.plan or (), 0, time.monotonic() - began, proof, remarks)
