"""One solver on one position, as a process of its own with limits: what it found and what it took."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import clingo_beacon_patrol as clingo
from alone import ENGINES
from attrs import asdict, frozen
from instances import Instance

HERE = Path(__file__).parent
GRACE = 30.0
"""Seconds after the time limit at which a process is killed."""
LIMITED = ("sh", "-c", f'ulimit -v {4 << 20}; exec "$@"', "sh")
"""What stands before a command so that each of its processes has 4 GiB at most."""


@frozen
class Run:
    """`solve` are the seconds that the solver itself tells, `process` those from start to end of its process, `cpu` those of
    processors, all children included. Of a run that was killed, or that failed, nothing is known but the time."""

    solver: str
    kind: str
    name: str
    limit: float
    proved: bool
    score: int | None
    bound: int | None
    solve: float
    process: float
    cpu: float
    failure: str = ""


@frozen
class Told:
    """What a solver told of itself."""

    proved: bool
    score: int | None
    bound: int | None
    solve: float


@frozen
class Solver:
    """How it is called for a puzzle's file and so many seconds, and how its answer is read."""

    name: str
    command: Callable[[Path, float], list[str]]
    read: Callable[[str], Told]


def _ours(answer: str) -> Told:
    told = json.loads(answer)
    return Told(told["status"] == "optimal", told["score"], told["bound"], told["seconds"])


def _clingo(answer: str) -> Told:
    found = clingo.found(answer)
    return Told(found.proved, found.score, found.score if found.proved else None, found.seconds)


def _clingo_command(puzzle: Path, seconds: float) -> list[str]:
    return clingo.command(puzzle.with_suffix(".facts"), seconds)


def _solve_command(puzzle: Path, seconds: float) -> list[str]:
    return [sys.executable, "-m", "rulewright", "solve", str(puzzle), "--json", "--time", str(seconds), "--workers", "2"]


def _alone(engine: str) -> Solver:
    def command(puzzle: Path, seconds: float) -> list[str]:
        return [sys.executable, str(HERE / "alone.py"), engine, str(puzzle), str(seconds)]

    return Solver(engine, command, _ours)


SOLVERS = {
    solver.name: solver
    for solver in (
        Solver("rulewright solve", _solve_command, _ours),
        *map(_alone, ENGINES),
        Solver("clingo", _clingo_command, _clingo),
    )
}


def run(solver: Solver, instance: Instance, folder: Path, seconds: float) -> Run:
    """One measured run; the position is written to the folder before the time begins."""
    puzzle = folder / f"{instance.name}.puzzle"
    puzzle.write_text(instance.text, "utf-8")
    puzzle.with_suffix(".facts").write_text(clingo.program(instance.position()), "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    child = subprocess.Popen(
        [*LIMITED, *solver.command(puzzle, seconds)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    failure = ""
    try:
        answer, errors = child.communicate(timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        answer, errors = child.communicate()
        failure = "killed: it overran its time limit"
    process = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = Told(False, None, None, process)
    if not failure:
        try:
            told = solver.read(answer)
        except (ValueError, KeyError):
            failure = (errors.strip().splitlines() or ["no answer"])[-1]
    return Run(
        solver.name, instance.kind.name, instance.name, seconds, **asdict(told), process=process, cpu=cpu, failure=failure
    )
