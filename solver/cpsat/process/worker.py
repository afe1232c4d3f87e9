"""The worker process that runs CP-SAT: a job comes in, reports go out.

Run as `python -P -m rulewright.solver.cpsat.process.worker`. It ends when its input is closed, so it does not outlive a killed
parent; the operating system limits its memory. OR-Tools is imported once there is a model: what refuses a question does without
the quarter of a second that this takes. With the argument `EARLY` it is imported before the job comes in.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.symbolic.circuit import GivenUp, ModelTooLarge, Refused, refusing_at
from rulewright.solver.cpsat.model.from_question import ConstraintModel, final_board_model, unrolled_model
from rulewright.solver.cpsat.order_free.from_question import order_free_model
from rulewright.solver.cpsat.rounds.from_question import rounds_model
from rulewright.solver.cpsat.shortest.from_question import ShortestPlans
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.kernel.run import POLL
from rulewright.solver.shortest.all_states import AllStates
from rulewright.workers.child_process import Parent, exit_with_parent, limit_memory, lower_priority

from .job import ANY_PLAN, EARLY, Job, ModelKind, Report, WorkerStatus, refutation
from .model_choice import place_of
from .stages import deepen
from .standalone import count_plans

SMALL = 100_000
"""Models with fewer variables take less time to solve than to presolve."""

QUICK_PRESOLVE = {
    "linearization_level": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "max_presolve_iterations": 1,
}

SET_ASKED_FOR = {"linearization_level": 1}
"""For order-free models with a floor: a linear relaxation of all constraints costs ten times what it saves."""

OF_ROUNDS = {
    "num_workers": 1,
    "linearization_level": 0,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "inprocessing_dtime_ratio": 0.0,
    "inprocessing_minimization_dtime": 0.0,
    "use_phase_saving": False,
}
"""On models of rounds conflicts prove sooner than linear relaxations, and in less time than presolving, probing and symmetries
take, before the search or within it. With default parameters two workers are an order of magnitude slower than one; without
linear relaxations they are as fast."""

FIRST_LOOK = 4.0
"""The first search for good plans by rounds, in the deterministic time of OR-Tools: about three seconds."""

GRACE = 0.5
"""Most seconds after the time limit in which the solver may still end by itself."""

NO_BOUND = 1e9
"""Stands for no bound: OR-Tools returns one beyond this if it has none."""

ROUNDING = 1e-6
"""Stands for the difference between a bound of OR-Tools and the integer that it means."""

MOST_CUTS = 200
"""How often a model may be solved again after excluding a solution that encodes no plan."""


Tell = Callable[[Report], None]


def main() -> None:
    """Read the job, limit the process, solve, report."""
    began = time.monotonic()
    gc.set_threshold(200_000, 20, 20)  # a model lives to the end: collecting it takes a tenth of building it
    if EARLY in sys.argv:
        importlib.import_module("ortools.sat.python.cp_model")
    parent = Parent.found()
    job: Job = parent.hear()
    tell: Tell = parent.say
    limit_memory(job.memory_mib)
    exit_with_parent()
    if job.niceness:
        lower_priority(job.niceness)
    clock = threading.Timer(job.seconds + GRACE, _give_up, [tell])
    clock.daemon = True
    clock.start()
    sys.setrecursionlimit(20_000)
    try:
        if job.kind is ModelKind.STATES:
            report = listed(job)
        elif job.kind is ModelKind.SHORTEST and job.floor is None:
            report = deepen(job, began + job.seconds, tell, solve_model)
        else:
            report = _solved(job, model_of(job), began, tell)
        tell(report)
    except Refused as error:
        is_large = isinstance(error, ModelTooLarge)
        tell(Report(status=WorkerStatus.TOO_LARGE if is_large else WorkerStatus.UNSUPPORTED, message=str(error)))
    except GivenUp:
        tell(Report(status=WorkerStatus.UNKNOWN, message="no order was found for a set of actions"))
    except MemoryError:
        tell(Report(status=WorkerStatus.MEMORY, message=f"more than {job.memory_mib} MiB"))
    except Exception as error:  # whatever it is, the parent is told before this process ends
        tell(Report(status=WorkerStatus.DIED, message=f"{type(error).__name__}: {error}"))
    os._exit(0)


def _solved(job: Job, model: ConstraintModel, began: float, tell: Tell) -> Report:
    """The last report on a job that began at a time."""
    tell(Report(variables=model.circuit.size, is_of_sets=job.kind is ModelKind.ORDER_FREE))
    report = answering(job)(job, model, job.seconds - (time.monotonic() - began), tell)
    if job.proves_twice:
        report = prove_again(job, model, report, job.seconds - (time.monotonic() - began), tell)
    return report


def _give_up(tell: Tell) -> None:
    tell(Report(status=WorkerStatus.UNKNOWN))
    os._exit(0)


def model_of(job: Job) -> ConstraintModel:
    """The model of a job. Errors without a place of their own get that of the choice at the root.

    Raises `Refused`.
    """
    engine, asked = job.engine, (job.engine, job.root, job.question, job.most_variables)
    with refusing_at(place_of(engine, job.root)):
        match job.kind:
            case ModelKind.ORDER_FREE:
                return order_free_model(*asked)
            case ModelKind.SHORTEST:
                assert job.floor is not None, "without a limit on the moves there is a model for each"
                return ShortestPlans(*asked).within(-job.floor)[0]
            case ModelKind.ROUNDS:
                return rounds_model(*asked)
            case ModelKind.UNROLLED:
                return unrolled_model(*asked)
            case ModelKind.FINAL_BOARD:
                return final_board_model(*asked)
            case ModelKind.STATES:
                raise AssertionError("listing states takes no model")


def _parameters(job: Job, model: ConstraintModel) -> Mapping[str, Any]:
    """The parameters that suit a model."""
    match job.kind:
        case ModelKind.ORDER_FREE:
            return {} if job.floor is None else SET_ASKED_FOR
        case ModelKind.ROUNDS:
            return OF_ROUNDS
        case ModelKind.SHORTEST | ModelKind.STATES:
            return {}
        case ModelKind.FINAL_BOARD | ModelKind.UNROLLED:
            return QUICK_PRESOLVE if model.circuit.size < SMALL else {}


def answering(job: Job) -> Callable[[Job, ConstraintModel, float, Tell], Report]:
    """The function that does a job."""
    if job.counts:
        return solve_and_count if job.floor is None else count_plans
    match job.kind:
        case ModelKind.ORDER_FREE if job.floor is None:
            return solve_sets
        case ModelKind.ROUNDS if job.floor is None:
            return climb
        case _:
            return solve_model


@define(eq=False)
class Solvers:
    """Solvers of one model. What any of them refuses all exclude when they begin again; `lock` is held while the model is read
    or changed, and while a report is given."""

    lock: threading.Lock = field(factory=threading.Lock)
    running: set[Any] = field(factory=set)
    is_settled: bool = False

    def stop(self) -> None:
        """Stop those that run."""
        with self.lock:
            self.is_settled = True
            for solver in self.running:
                solver.stop_search()


def solve_model(job: Job, model: ConstraintModel, seconds: float, tell: Tell) -> Report:
    """Solve a model, reporting plans and bounds as they are found; gives the last report.

    While the last solution encodes no plan, it is excluded and the model solved again. Whether a model of rounds reaches a
    value is asked by each worker in this way, with a seed of its own: other seeds find other solutions, which are refused for
    other reasons. The first worker to settle it stops all, and only that one tells a plan.
    """
    until, solvers = time.monotonic() + seconds, Solvers()
    number = job.workers if job.kind is ModelKind.ROUNDS and job.floor is not None else 1
    if number == 1:
        return _solve_again(job, model, until, tell, solvers)
    with ThreadPoolExecutor(number) as pool:
        tasks = [
            pool.submit(_solve_again, evolve(job, seed=job.seed + at), model, until, tell, solvers) for at in range(number)
        ]
        while wait(tasks, POLL).not_done:
            if any(task.done() and (task.exception() or _settles(task.result())) for task in tasks):
                solvers.stop()
    ended = [task.result() for task in tasks]
    return next(filter(_settles, ended), ended[0])


def _settles(report: Report) -> bool:
    return report.status is not WorkerStatus.UNKNOWN


def _solve_again(job: Job, model: ConstraintModel, until: float, tell: Tell, solvers: Solvers) -> Report:
    """Solve a model until a solution encodes a plan, or there is none; `until` is a time of the monotonic clock."""
    for _ in range(MOST_CUTS):
        report, refused = _solve_once(job, model, until - time.monotonic(), tell, solvers)
        if refused is None or model.exclude is None or not _settles(report):
            return report
        if time.monotonic() > until:
            return Report(bound=report.bound, status=WorkerStatus.UNKNOWN)
        with solvers.lock:
            model.exclude(refused)
            tell(Report(bound=report.bound))
    return Report(status=WorkerStatus.UNKNOWN, message=f"more than {MOST_CUTS} solutions that no order of actions leads to")


def climb(job: Job, model: ConstraintModel, seconds: float, tell: Tell) -> Report:
    """Maximise by asking for one more than the best known plan until there is none; without one, a short search comes first.

    If solutions need not be plans, and conflicts refute what exceeds the best one, a goal prunes more than a bound.
    """
    deadline = time.monotonic() + seconds
    best = job.best

    def hear(report: Report) -> None:
        nonlocal best
        if report.plan is not None and report.value is not None:
            best = report.value if best is None else max(best, report.value)
        tell(Report(report.value, report.plan))

    if best is None:
        look = evolve(job, parameters={**job.parameters, "max_deterministic_time": FIRST_LOOK})
        report, refused = _solve_once(look, model, seconds, hear, Solvers())
        if report.status is WorkerStatus.INFEASIBLE or (report.status is WorkerStatus.OPTIMAL and refused is None):
            return report
    while True:
        goal = ANY_PLAN if best is None else best + 1
        report = solve_model(evolve(job, floor=goal), model, deadline - time.monotonic(), hear)
        if report.status is WorkerStatus.INFEASIBLE:
            return report if best is None else Report(bound=best, status=WorkerStatus.OPTIMAL)
        if best is None or best < goal:
            return Report(status=WorkerStatus.UNKNOWN, message=report.message)


def solve_sets(job: Job, model: ConstraintModel, seconds: float, tell: Tell) -> Report:
    """Find the best value of an order-free model by one method after the other."""
    from .stages import solved_in_stages

    return solved_in_stages(job, model, time.monotonic() + seconds, tell, solve_model)


def solve_and_count(job: Job, model: ConstraintModel, seconds: float, tell: Tell) -> Report:
    """Solve an order-free model, and count the best sets if the time left suffices."""
    deadline = time.monotonic() + seconds
    report = solve_sets(job, model, seconds, tell)
    if report.status is WorkerStatus.OPTIMAL and report.bound is not None:
        tell(Report(bound=report.bound))
        with suppress(Refused):
            counted = count_plans(evolve(job, floor=report.bound), model, deadline - time.monotonic(), tell)
            return evolve(report, count=counted.count, is_forced=counted.is_forced)
    return report


def prove_again(job: Job, model: ConstraintModel, known: Report, seconds: float, tell: Tell) -> Report:
    """The last report of a job, with what a second run refuted: values beyond the bound, or any plan at all."""
    question = job.question
    match known.status:
        case WorkerStatus.INFEASIBLE if question.goal is Goal.LEAST:
            floor = ANY_PLAN
        case WorkerStatus.OPTIMAL if known.bound is not None and question.goal is not Goal.REACH:
            floor = known.bound + 1
        case WorkerStatus.OPTIMAL if known.bound is not None and known.bound < question.threshold:
            floor = question.threshold
        case _:
            return known
    tell(Report(bound=known.bound))
    again = solve_model(refutation(job, floor), model, seconds, tell)
    return evolve(known, refuted=floor) if again.status is WorkerStatus.INFEASIBLE else known


def _solve_once(
    job: Job, model: ConstraintModel, seconds: float, tell: Tell, solvers: Solvers
) -> tuple[Report, tuple[int, ...] | None]:
    """Solve a model once; gives the last report, and the last solution if it encodes no plan."""
    from ortools.sat.python import cp_model

    from .to_ortools import build, solver_with

    refused: tuple[int, ...] | None = None
    given_up = is_last = False
    limits = {"max_time_in_seconds": max(seconds, 0.05), "num_workers": job.workers, "random_seed": job.seed}
    solver = solver_with({**limits, **_parameters(job, model), **job.parameters})
    with solvers.lock:
        built, variables = build(model, job.floor, job.ceiling)
        solvers.running.add(solver)

    class Reporter(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            nonlocal refused, given_up, is_last
            solution = (0, *(int(self.boolean_value(variable)) for variable in variables))
            with solvers.lock:
                if solvers.is_settled:
                    self.stop_search()
                    return
                try:
                    plan = model.plan(solution)
                except GivenUp:  # it must not pass through OR-Tools
                    given_up = True
                    self.stop_search()
                    return
                refused = solution if plan is None and model.exclude is not None else None
                if refused is None:
                    is_last = solvers.is_settled = job.floor is not None
                    tell(Report(value=model.objective.value(solution), plan=plan))

    def whole(bound: float) -> int:
        return int((bound + ROUNDING) // 1)

    if job.floor is None:
        solver.best_bound_callback = lambda bound: tell(Report(bound=whole(bound)))
    status = WorkerStatus(solver.status_name(solver.solve(built, Reporter())).lower())
    with solvers.lock:
        solvers.running.discard(solver)
        is_cut = solvers.is_settled and not is_last
    if given_up:
        raise GivenUp
    if is_cut:
        return Report(status=WorkerStatus.UNKNOWN), None
    bounded = job.floor is None and status in (WorkerStatus.OPTIMAL, WorkerStatus.FEASIBLE, WorkerStatus.UNKNOWN)
    known = bounded and abs(solver.best_objective_bound) < NO_BOUND
    return Report(bound=whole(solver.best_objective_bound) if known else None, status=status), refused


MOST_STATES, MOST_MOVES = 60_000, 250_000
"""So many states of the puzzles that ship take at most 3.3 s of processor time to list."""


def listed(job: Job) -> Report:
    """The last report on a job. Raises `Refused` if there are too many states, and errors of play."""
    engine, question, floor = job.engine, job.question, job.floor
    is_end = engine.over if question.until is None else engine.compile_value(question.until)
    states = AllStates(
        engine,
        job.root,
        is_end,
        Inquiry(engine, job.root, question).value,
        step=int(question.counts_moves),
        most=MOST_STATES,
        most_moves=MOST_MOVES,
        stops_early=question.counts_moves,
    )
    if not states.complete:
        raise Refused(f"more than {MOST_STATES:,} states or {MOST_MOVES:,} moves", place_of(engine, job.root))
    best = states.of(job.root)
    if best is None or (floor is not None and best < floor):
        return Report(status=WorkerStatus.INFEASIBLE)
    return Report(value=best, plan=states.plan, bound=best if floor is None else None, status=WorkerStatus.OPTIMAL)


if __name__ == "__main__":
    main()
