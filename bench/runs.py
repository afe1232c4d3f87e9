"""Runs one solver on one position in a separate process with limits: its result and its times."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import clingo_beacon_patrol as clingo
import processes
from attrs import frozen
from instances import Instance

GRACE = 30.0
"""Seconds after the time limit at which a process is killed."""
LIMITED = ("sh", "-c", f'ulimit -v {4 << 20}; exec "$@"', "sh")
"""The prefix of a command that limits each of its processes to 4 GiB."""


@frozen
class Run:
    """`solve` are the seconds reported by the solver, `process` the wall-clock seconds of its process, `cpu` its processor
    seconds, including all children. A failed or killed run has only times."""

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


Answer = tuple[bool, int | None, int | None, float]
"""Whether it is proved, the score, the bound, and the seconds reported by the solver."""


@frozen
class Solver:
    """The command for a puzzle's file and a time limit in seconds, and the parser of its answer."""

    name: str
    command: Callable[[Path, float], list[str]]
    read: Callable[[str], Answer]


def _ours(answer: str) -> Answer:
    document = json.loads(answer)
    return document["status"] == "optimal", document["score"], document["bound"], document["seconds"]


def _clingo(answer: str) -> Answer:
    found = clingo.found(answer)
    return found.proved, found.score, found.score if found.proved else None, found.seconds


def _clingo_command(puzzle: Path, seconds: float) -> list[str]:
    return clingo.command(puzzle.with_suffix(".facts"), seconds)


def _solve_command(puzzle: Path, seconds: float) -> list[str]:
    return [sys.executable, "-m", "rulewright", "solve", str(puzzle), "--json", "--time", str(seconds), "--workers", "2"]


OURS = Solver("rulewright solve", _solve_command, _ours)
SOLVERS = {solver.name: solver for solver in (OURS, Solver("clingo", _clingo_command, _clingo))}


def run(solver: Solver, instance: Instance, folder: Path, seconds: float) -> Run:
    """One measured run; the position is written to the folder before timing starts."""
    puzzle = folder / f"{instance.name}.puzzle"
    puzzle.write_text(instance.text, "utf-8")
    puzzle.with_suffix(".facts").write_text(clingo.program(instance.position()), "utf-8")
    done = processes.run([*LIMITED, *solver.command(puzzle, seconds)], folder, seconds + GRACE)
    answer: Answer = (False, None, None, done.seconds)
    failure = "killed: it overran its time limit" if done.overran else ""
    if not failure:
        try:
            answer = solver.read(done.output)
        except (ValueError, KeyError):
            failure = (done.errors.strip().splitlines() or ["no answer"])[-1]
    return Run(solver.name, instance.kind.name, instance.name, seconds, *answer, done.seconds, done.cpu, failure)
