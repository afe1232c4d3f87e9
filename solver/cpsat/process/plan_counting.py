"""Every best plan as a set of actions: the model without time, enumerated in a worker process."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.engines import Engines
from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.budget import Limits
from rulewright.solver.cpsat.model.circuit import Lit
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.model.guarded_values import Unsupported
from rulewright.solver.cpsat.order_free.from_question import SetPlans

from .job import Job, ModelKind
from .model_choice import kinds_for
from .report import Report, WorkerStatus


@frozen
class CountedPlans:
    """How many sets of actions are best plans, and some of them, each in one order."""

    number: int
    plans: tuple[tuple[Move, ...], ...]


def counted_sets(engine: Engine, root: State, question: Question, goal: int, most: int, limits: Limits) -> CountedPlans | None:
    """The plans worth a goal that none exceeds (as the question counts); `most` of them are listed.

    None where the order of actions is not free, where plans may be of any length, or where time is up.
    """
    from .standalone import run

    if limits.engines is Engines.SEARCH or ModelKind.ORDER_FREE not in kinds_for(engine, root, question):
        return None
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    plans: dict[tuple[Move, ...], None] = {}

    def hear(known: Report) -> None:
        if known.plan is not None and len(plans) < most:
            plans[known.plan] = None

    job = Job(
        ModelKind.ORDER_FREE,
        engine,
        root,
        question,
        limits.seconds,
        floor=sign * goal,
        memory_mib=limits.second_mib,
        counts=True,
        told=most,
    )
    found = run(job, hear)
    if found.count is None or found.status is not WorkerStatus.OPTIMAL:
        return None
    return CountedPlans(found.count, tuple(plans))


def count_plans(job: Job, model: ConstraintModel, seconds: float, tell: Callable[[Report], None]) -> Report:
    """Tell of plans worth the floor of a job, as many as are asked for; the last report has the number of all.

    Raises `Unsupported` where sets and plans are not the same: where order is free but for the end of play, where an action may
    be repeated for ever, and where plans of one cost may contain each other.
    """
    from ortools.sat.python import cp_model

    from .to_ortools import build, solver_with

    question, reader = job.question, model.reader
    assert isinstance(reader, SetPlans) and job.floor is not None
    actions = reader.actions
    if not actions.is_exact:
        raise Unsupported("plans that can be played in some orders only")
    if any(actions.commuting.most_uses(number) is None for number in range(len(actions.uses))):
        raise Unsupported("plans of any length")
    if question.goal is Goal.LEAST and question.values:
        raise Unsupported("plans of one cost that contain each other")
    built, variables = build(model.circuit, model.objective, job.floor)
    seen: set[tuple[Lit, ...]] = set()

    class Reporter(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solution = (0, *(int(self.boolean_value(variable)) for variable in variables))
            key = actions.excluding(solution)
            if key not in seen:
                seen.add(key)
                if len(seen) <= job.told:
                    tell(Report(value=model.objective.value(solution), plan=model.plan(solution)))

    limits = {"max_time_in_seconds": max(seconds, 0.05), "num_workers": 1, "random_seed": job.seed}
    solver = solver_with({**limits, "linearization_level": 1, "enumerate_all_solutions": True})
    status = WorkerStatus(solver.status_name(solver.solve(built, Reporter())).lower())
    is_complete = status in (WorkerStatus.OPTIMAL, WorkerStatus.INFEASIBLE)
    return Report(count=len(seen) if is_complete else None, status=WorkerStatus.OPTIMAL if is_complete else status)
