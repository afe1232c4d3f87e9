"""Counts the best plans as sets of actions: a worker process enumerates the order-free model."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from rulewright.base.choices import Engines
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import GivenUp, Lit, Refused
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.order_free.from_question import SetPlans, may_be_sets
from rulewright.solver.result import CountedPlans, Limits

from .job import Job, ModelKind, Report, WorkerStatus


def counted_sets(engine: Engine, root: State, question: Question, goal: int, most: int, limits: Limits) -> CountedPlans | None:
    """The number of plans worth a goal that none exceeds (as the question counts), with at most `most` of the plans.

    None if the order of actions is not free, plans may be of any length, or the time is up.
    """
    from .standalone import run

    if limits.engines is Engines.SEARCH or not may_be_sets(engine, root, question):
        return None
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
        floor=question.sign * goal,
        memory_mib=limits.second_mib,
        counts=True,
        told=most,
    )
    found = run(job, hear)
    if found.count is None or found.status is not WorkerStatus.OPTIMAL:
        return None
    return CountedPlans(found.count, tuple(plans), found.is_forced)


def count_plans(job: Job, model: ConstraintModel, seconds: float, tell: Callable[[Report], None]) -> Report:
    """Report plans worth the floor of a job, as many as it asks for; the last report has the number of all.

    If not every set can be played, the playable ones are counted, provided each has only one order; the search then decides
    the actions in theirs. Raises `Refused` if sets and plans do not match: sets may be playable in some orders but not in
    all, an action may be repeated for ever, or plans of equal cost may contain each other.
    """
    from ortools.sat.python import cp_model

    from .to_ortools import IN_ORDER, build, solver_with

    question, reader = job.question, model.reader
    assert isinstance(reader, SetPlans) and job.floor is not None
    actions, plans_of = reader.actions, reader.plans
    if any(actions.commuting.most_uses(number) is None for number in range(len(actions.uses))):
        raise Refused("plans of any length")
    if question.goal is Goal.LEAST and question.values:
        raise Refused("plans of one cost of which one contains another")
    built, variables = build(model, job.floor)
    orders: dict[tuple[Lit, ...], int] = {}
    given_up = False

    class Reporter(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            nonlocal given_up
            solution = (0, *(int(self.boolean_value(variable)) for variable in variables))
            key = actions.excluding(solution)
            if key in orders:
                return
            try:
                plans = list(islice(plans_of(solution), 1 if actions.is_exact else 2))
            except GivenUp:  # it must not pass through OR-Tools
                plans, given_up = [], True
            orders[key] = len(plans)
            if given_up or len(plans) > 1:
                self.stop_search()
            elif plans and sum(orders.values()) <= job.told:
                tell(Report(value=model.objective.value(solution), plan=plans[0]))

    limits = {"max_time_in_seconds": max(seconds, 0.05), "random_seed": job.seed}
    how = {"num_workers": 1, "linearization_level": 0} if actions.is_exact else IN_ORDER
    solver = solver_with({**how, **limits, "enumerate_all_solutions": True})
    status = WorkerStatus(solver.status_name(solver.solve(built, Reporter())).lower())
    if given_up or max(orders.values(), default=0) > 1:
        raise Refused("plans that may be playable in some orders only")
    if status not in (WorkerStatus.OPTIMAL, WorkerStatus.INFEASIBLE):
        return Report(status=status)
    return Report(count=sum(orders.values()), is_forced=not actions.is_exact, status=WorkerStatus.OPTIMAL)
