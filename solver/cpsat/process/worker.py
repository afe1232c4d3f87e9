"""The worker process that runs CP-SAT: a job comes in, reports go out as lines of JSON.

Run as `python -m rulewright.solver.cpsat.process.worker`. It ends when its input is closed, so that it does not outlive a
parent that is killed; its memory is limited by the operating system.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from rulewright.base.child_process import exit_with_parent
from rulewright.solver.cpsat.model.circuit import ModelTooLarge
from rulewright.solver.cpsat.model.from_question import ConstraintModel, final_board_model, unrolled_model
from rulewright.solver.cpsat.model.guarded_values import TooManyCases, Unsupported

from .job import Job, ModelKind
from .report import Report, WorkerStatus

MEBIBYTE = 1 << 20

SMALL = 100_000
"""Models of fewer variables are solved sooner than they are presolved."""

QUICK_PRESOLVE = {
    "linearization_level": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "max_presolve_iterations": 1,
}

GRACE = 0.5
"""Seconds after the time limit in which the solver may end by itself."""

NO_BOUND = 1e9
"""OR-Tools gives a bound beyond this where it has none."""

ROUNDING = 1e-6


def main() -> None:
    """Read the job, limit the process, solve, report."""
    began = time.monotonic()
    source = sys.stdin.buffer
    job: Job = pickle.loads(source.read(int.from_bytes(source.read(8), "big")))  # from our own parent, nobody else
    _limit_memory(job.memory_mib)
    exit_with_parent()
    if job.niceness:
        _lower_priority(job.niceness)
    clock = threading.Timer(job.seconds + GRACE, _give_up)
    clock.daemon = True
    clock.start()
    sys.setrecursionlimit(20_000)
    try:
        model = _model(job)
        _tell(Report(variables=model.circuit.size))
        _tell(_solve(job, model, job.seconds - (time.monotonic() - began)))
    except (Unsupported, TooManyCases) as error:
        _tell(Report(status=WorkerStatus.UNSUPPORTED, message=str(error)))
    except ModelTooLarge as error:
        _tell(Report(status=WorkerStatus.TOO_LARGE, message=str(error)))
    except MemoryError:
        _tell(Report(status=WorkerStatus.MEMORY, message=f"more than {job.memory_mib} MiB"))
    except Exception as error:  # whatever it is, the parent is told before this process ends
        _tell(Report(status=WorkerStatus.DIED, message=f"{type(error).__name__}: {error}"))
    os._exit(0)


def _tell(report: Report) -> None:
    print(report.to_json(), flush=True)


def _give_up() -> None:
    _tell(Report(status=WorkerStatus.UNKNOWN))
    os._exit(0)


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))


def _lower_priority(niceness: int) -> None:
    """For schedulers that share out by process, and for those that do by session (autogroups of Linux)."""
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness))


def _model(job: Job) -> ConstraintModel:
    match job.kind:
        case ModelKind.UNROLLED:
            return unrolled_model(job.engine, job.root, job.question, job.most_variables)
        case ModelKind.FINAL_BOARD:
            return final_board_model(job.engine, job.root, job.question, job.most_variables)


def _solve(job: Job, model: ConstraintModel, seconds: float) -> Report:
    """Solve a model, telling of plans and bounds as they are found; gives the last report."""
    from ortools.sat.python import cp_model

    from .to_ortools import build, solver_with

    built, variables = build(model.circuit, model.objective, job.floor, job.ceiling)
    limits = {"max_time_in_seconds": max(seconds, 0.05), "num_workers": job.workers, "random_seed": job.seed}
    presolve = QUICK_PRESOLVE if model.circuit.size < SMALL else {}
    solver = solver_with({**limits, **presolve, **job.parameters})

    class Reporter(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solution = (0, *(int(self.boolean_value(variable)) for variable in variables))
            _tell(Report(value=model.objective.value(solution), plan=model.plan(solution)))

    def whole(bound: float) -> int:
        return int((bound + ROUNDING) // 1)

    if job.floor is None:
        solver.best_bound_callback = lambda bound: _tell(Report(bound=whole(bound)))
    status = WorkerStatus(solver.status_name(solver.solve(built, Reporter())).lower())
    bounded = job.floor is None and status in (WorkerStatus.OPTIMAL, WorkerStatus.FEASIBLE, WorkerStatus.UNKNOWN)
    known = bounded and abs(solver.best_objective_bound) < NO_BOUND
    return Report(bound=whole(solver.best_objective_bound) if known else None, status=status)


if __name__ == "__main__":
    main()
