"""The child process that runs CP-SAT: a task comes in, JSON lines with what is found go out.

Run as `python -m rulewright.solver.cpsat.process.worker`. It ends when its input is closed, so that nothing is left when
the parent
is killed; memory is limited by the operating system.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rulewright.base.child_process import exit_with_parent
from rulewright.rules.model.moves import Move
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.cpsat.model.circuit import Circuit, Linear, ModelTooLarge
from rulewright.solver.cpsat.model.final_board import master_of
from rulewright.solver.cpsat.model.from_question import read
from rulewright.solver.cpsat.model.guarded_values import TooWide
from rulewright.solver.cpsat.model.symbolic_algebra import Unsupported

from .job import Model, Task

MEBIBYTE = 1 << 20

SMALL = 100_000
"""Models of fewer variables are solved sooner than they are simplified: of five with 38,000 to 71,000 one thread solves four
that way (in 13 to 59 s), and none in 60 s after more."""

QUICK = {
    "linearization_level": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "max_presolve_iterations": 1,
}

GRACE = 0.5
"""Seconds beyond the limit in which the solver may end by itself."""

Say = Callable[[dict[str, Any]], None]
Plan = Callable[[Sequence[int]], tuple[Move, ...] | None]


def main() -> None:
    """Read, limit, solve, report."""
    began = time.monotonic()
    source = sys.stdin.buffer
    asked: Task = pickle.loads(source.read(int.from_bytes(source.read(8), "big")))  # from our own parent, nobody else
    _limit_memory(asked.memory_mib)
    exit_with_parent()
    if asked.niceness:
        _give_way(asked.niceness)
    out = sys.stdout

    def say(what: dict[str, Any]) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    def give_up() -> None:
        say({"status": "unknown"})
        os._exit(0)

    clock = threading.Timer(asked.seconds + GRACE, give_up)
    clock.daemon = True
    clock.start()
    try:
        _work(asked, began, say)
    except (Unsupported, TooWide) as error:
        say({"status": "unsupported", "message": str(error)})
    except ModelTooLarge as error:
        say({"status": "too large", "message": str(error)})
    except MemoryError:
        say({"status": "memory", "message": f"more than {asked.memory_mib} MiB"})
    except Exception as error:  # whatever it is, the parent is told before this process ends
        say({"status": "died", "message": f"{type(error).__name__}: {error}"})
    os._exit(0)


def _limit_memory(mebibytes: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system
        return
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE))


def _give_way(niceness: int) -> None:
    """Let others go first, in the eyes of schedulers that share out by process, or by session (Linux's autogroups)."""
    with suppress(AttributeError, OSError):
        os.nice(niceness)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness))


def _work(asked: Task, began: float, say: Say) -> None:
    sys.setrecursionlimit(20_000)
    circuit, objective, plan = _model(asked)
    say({"size": circuit.size, "clauses": len(circuit.clauses), "rows": len(circuit.rows)})
    _solve(asked, circuit, objective, plan, asked.seconds - (time.monotonic() - began), say)


def _model(asked: Task) -> tuple[Circuit, Linear, Plan]:
    engine = asked.engine()
    match asked.model:
        case Model.READING:
            reading = read(engine, asked.root, asked.question, asked.most_variables)
            return reading.circuit, reading.objective, lambda solution: reading.plan(tuple(solution))
        case Model.MASTER:
            master = master_of(
                engine, DataflowAnalysis(engine, asked.question.values), asked.question, asked.root, asked.most_variables
            )
            if master is None:
                raise Unsupported("a question that is not about one board on which tiles are only laid")
            return master.circuit, master.objective, lambda solution: None


def _solve(asked: Task, circuit: Circuit, objective: Linear, plan: Plan, seconds: float, say: Say) -> None:
    from ortools.sat.python import cp_model

    from .to_ortools import build, solver_with

    model, variables = build(circuit, objective, asked.floor, asked.ceiling)
    solver = solver_with(
        {
            "max_time_in_seconds": max(seconds, 0.05),
            "num_workers": asked.workers,
            "random_seed": asked.seed,
            **(QUICK if circuit.size < SMALL else {}),
            **asked.parameters,
        }
    )

    class Report(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            solution = (0, *(int(self.boolean_value(v)) for v in variables))
            value = objective.constant + sum(c for lit, c in objective.terms.items() if circuit.value_of(lit, solution))
            say({"value": value, "plan": plan(solution)})

    if asked.floor is None:
        solver.best_bound_callback = lambda bound: say({"bound": int((bound + 1e-6) // 1)})
    status = solver.status_name(solver.solve(model, Report())).lower()
    end: dict[str, Any] = {"status": status, "seconds": solver.wall_time}
    if asked.floor is None and status in ("optimal", "feasible", "unknown") and abs(solver.best_objective_bound) < 1e9:
        end["bound"] = int((solver.best_objective_bound + 1e-6) // 1)
    say(end)


if __name__ == "__main__":
    main()
