"""CP-SAT without a concurrent search: runs a job to its end, refutes a value, or answers a whole question."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import islice

from rulewright.base.choices import Engines
from rulewright.base.records import evolve
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import GivenUp, Lit, Refusal, Refused
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.order_free.from_question import SetPlans, may_be_sets
from rulewright.solver.result import CountedPlans, Incumbent, Limits, Listener, Result, Status

from .co_solver import BOUNDING
from .job import Job, ModelKind, Report, WorkerProcess, WorkerStatus, told
from .model_choice import ruled_out

FINAL_BOARD_SHARE = 0.25
"""The share of the time that the final board may take."""

ROUNDS_SHARE = 0.85
"""The share of the time for plans by rounds: the rest is for a bound if they are not settled."""

STATES_SHARE = 0.5
"""The share of the time that states may take where another model follows."""

TOLD = 20
"""The most counted plans that are kept."""

SETS = "CP-SAT read plans as sets of actions"
NOT_SETTLED = "CP-SAT did not settle it in time"

OVERTIME = 5.0
"""Most seconds after its time limit; then a worker is abandoned."""


def run(job: Job, tell: Callable[[Report], None] = lambda known: None, completed: Callable[[Job], Job] | None = None) -> Report:
    """Let a worker finish a job, which `completed` completes while it starts; gives its reports combined, with a status.

    `tell` is called with the combined reports at each new one.
    """
    until = time.monotonic() + job.seconds + OVERTIME
    late = Report(status=WorkerStatus.UNKNOWN, message="the time was up")
    known = Report()
    with WorkerProcess(job, completed) as worker:
        while known.status is None:
            known = known.followed_by(worker.report(until - time.monotonic()) or late)
            tell(known)
    return known


def refuted(
    engine: Engine, root: State, question: Question, goal: int, seconds: float, limits: Limits
) -> tuple[bool | None, str, tuple[str, ...]]:
    """Whether it is proved that a value (more is better) cannot be reached, by what, and remarks; None if not decided in time.

    The proof is by CP-SAT (`cpsat`) or, without it, by a list of all states that can be reached (`states`).

    To ask whether there is no plan at all, pass the goal that every plan reaches (`ANY_PLAN`).

    The next model is tried if the one before does not cover the rules, or is the final board and does not settle it. If none
    settles it, remarks say what became of each.
    """
    until = time.monotonic() + seconds
    workers, memory_mib = max(limits.workers, 1), limits.second_mib
    endings, found = ruled_out(engine, root, question), Report()
    kinds = [kind for kind in ModelKind if kind not in endings]
    for kind in kinds:
        left = until - time.monotonic()
        if left <= 0:
            break
        left *= STATES_SHARE if kind is ModelKind.STATES and kind is not kinds[-1] else 1.0
        found = run(Job(kind, engine, root, question, left, floor=goal, workers=workers, memory_mib=memory_mib))
        if found.status is WorkerStatus.INFEASIBLE:
            return True, prover(kind), ()
        if found.plan is not None:
            return False, prover(kind), (f"{kind.value} has a plan for {found.value}",)
        endings[kind] = found
        if kind is ModelKind.ORDER_FREE and found.status is not WorkerStatus.UNSUPPORTED:
            break
    return None, "", _unsettled(endings, bool(kinds) and not found.message)


def prover(kind: ModelKind) -> str:
    """What a proof rests on that the worker gives with a model."""
    return "states" if kind is ModelKind.STATES else "cpsat"


def _unsettled(endings: Mapping[ModelKind, Report], is_late: bool) -> tuple[str, ...]:
    """Remarks on what became of each model, if none settles a question."""
    return (*told(endings), *((NOT_SETTLED,) if is_late else ()))


def solve(
    engine: Engine,
    root: State,
    question: Question,
    limits: Limits,
    listener: Listener = Listener(),  # noqa: B008
    first_plan: Callable[[], Incumbent] = Incumbent,
) -> Result:
    """The answer of the worker alone: no other engine has confirmed its proof.

    If the order of actions is free, plans are sets; if markers lay tiles, rounds. Otherwise the final board first bounds a
    greatest value. Then, if few states can be reached, they are listed; else the fewest moves are found by
    allowing one more at a time, and for another value the whole model is solved below that bound. Where nothing is settled,
    remarks say what became of each model. Rounds begin with a plan found elsewhere (`first_plan`), to be improved or proved
    best.
    """
    began = time.monotonic()

    plans: dict[tuple[Move, ...], int] = {}
    found = Report(status=WorkerStatus.UNSUPPORTED)

    def tell(known: Report) -> None:
        nonlocal found
        found = known
        if known.plan is not None and known.value is not None:
            plans[known.plan] = known.value
        best, bound = (None if value is None else question.sign * value for value in (known.value, known.bound))
        listener.progress(best, bound, 0)

    first = Incumbent()

    def with_first_plan(job: Job) -> Job:
        nonlocal first
        first = first_plan()
        tell(Report(first.value, first.plan))
        return evolve(job, best=first.value)

    ceiling: int | None = None
    last_kind = ModelKind.UNROLLED
    endings = ruled_out(engine, root, question)
    kinds = [kind for kind in ModelKind if kind not in endings]

    def result(found: Report) -> Result:
        unsettled = _unsettled(endings, bool(kinds) and not found.message)
        read_as = [SETS] if found.is_of_sets else []
        if found.value is None and first.value is not None:
            found = evolve(found, value=first.value, plan=first.plan)
        known = Report(bound=ceiling).followed_by(found)
        status = _status(found)
        best = tuple(plan for plan, value in plans.items() if value == found.value)
        return Result(
            status=status,
            counted=None if found.count is None else CountedPlans(found.count, best[:TOLD], found.is_forced),
            score=None if found.value is None else question.sign * found.value,
            bound=None if known.bound is None else question.sign * known.bound,
            plan=found.plan or (),
            states=0,
            seconds=time.monotonic() - began,
            proof=prover(last_kind) if status in (Status.OPTIMAL, Status.IMPOSSIBLE) else "",
            remarks=(*read_as, *(unsettled if status in (Status.UNKNOWN, Status.FEASIBLE) else ())),
        )

    listener.on_stop(lambda: result(found))
    for kind in kinds:
        if kind is ModelKind.FINAL_BOARD and question.goal is not Goal.MAXIMISE:
            refusal = Refusal("a question that a bound does not answer", question.span)
            endings[kind] = Report(status=WorkerStatus.UNSUPPORTED, message=str(refusal))
            continue
        left = limits.seconds - (time.monotonic() - began)
        is_settled = found.status not in (WorkerStatus.UNSUPPORTED, WorkerStatus.UNKNOWN)
        is_late = found.status is WorkerStatus.UNKNOWN and last_kind is not ModelKind.STATES
        if is_settled or left <= 0 or (is_late and kind is not ModelKind.FINAL_BOARD):
            break
        workers = max(limits.workers, 1)
        counts = kind is ModelKind.ORDER_FREE and question.counts_plans and question.goal is not Goal.REACH
        job = Job(kind, engine, root, question, left, workers=workers, memory_mib=limits.second_mib, counts=counts, told=TOLD)
        if kind is ModelKind.FINAL_BOARD:
            bounding = {**BOUNDING, "num_workers": workers}
            share = FINAL_BOARD_SHARE if found.status is WorkerStatus.UNSUPPORTED else 1.0
            bounded = run(evolve(job, seconds=share * left, parameters=bounding))
            ceiling = bounded.bound
            endings[kind] = bounded
            continue
        if kind is ModelKind.ROUNDS and question.goal is Goal.MAXIMISE:
            found = run(evolve(job, seconds=ROUNDS_SHARE * left), tell, with_first_plan)
        else:
            floor = question.threshold if question.goal is Goal.REACH else None
            share = STATES_SHARE if kind is ModelKind.STATES and kind is not kinds[-1] else 1.0
            found = run(evolve(job, seconds=share * left, floor=floor, ceiling=ceiling), tell)
            last_kind = kind
        endings[kind] = found
    return result(found)


def _status(found: Report) -> Status:
    match found.status:
        case WorkerStatus.OPTIMAL:
            return Status.OPTIMAL
        case WorkerStatus.INFEASIBLE:
            return Status.IMPOSSIBLE
        case _:
            return Status.UNKNOWN if found.value is None else Status.FEASIBLE


# Counts the best plans as sets of actions -----------------------------------------------------------------------------
# A worker process enumerates the order-free model.


def counted_sets(engine: Engine, root: State, question: Question, goal: int, most: int, limits: Limits) -> CountedPlans | None:
    """The number of plans worth a goal that none exceeds (as the question counts), with at most `most` of the plans.

    None if the order of actions is not free, plans may be of any length, or the time is up.
    """
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
