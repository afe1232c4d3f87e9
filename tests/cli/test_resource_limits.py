"""A search or a simulation as a process: memory and time are kept, and nothing is left of it when it is stopped."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.best.kernel_problem import KernelProblem
from rulewright.solver.best.problem import Problem
from rulewright.studies.simulation.playouts import NO_COMPILER
from rulewright.subset import program
from tests.paths import OPEN, PROVED
from tests.rules.playing import shipped

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

LONG = ("mid_k18_s1", "whole")
"""Neither has been proved in two minutes; the second is of the kind for which plans are improved turn by turn."""

LONG_ONCE = pytest.mark.parametrize("name", [pytest.param(LONG[0], marks=pytest.mark.campaign), LONG[1]])

FAST = PROVED / "begin_k12_s1.puzzle"
"""Of this one many states are looked at in a second."""

Running = subprocess.Popen[str]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with the puzzles and an empty cache."""
    shutil.copy(OPEN / "mid_k18_s1.puzzle", tmp_path)
    engine = Engine.of(shipped("beacon_patrol"), 1)
    ask = Ask(Goal.MAXIMISE, None, None, None)
    text = write_position(engine, engine.start(5), "whole", ["beacon_patrol"], ask=ask)
    (tmp_path / "whole.puzzle").write_text(text, encoding="utf-8")
    (tmp_path / "cache").mkdir(mode=0o700)
    return tmp_path


def solving(folder: Path, name: str, *options: str) -> AbstractContextManager[Running]:
    return running(folder, "solve", f"{name}.puzzle", *options)


@contextmanager
def running(folder: Path, *arguments: str, **variables: str) -> Iterator[Running]:
    environment = {**os.environ, "RULEWRIGHT_CACHE": str(folder / "cache"), **variables}
    command = [sys.executable, "-m", "rulewright", *arguments, "--json"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            yield run
        finally:
            run.kill()


def family(process: int) -> list[int]:
    """A process and all that it has started, and these."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        fields = read(path / "stat").rpartition(")")[2].split()
        if fields and fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(path.name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found


def read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def mebibytes(processes: list[int]) -> int:
    """What they hold in memory together."""
    lines = [line for process in processes for line in read(Path(f"/proc/{process}/status")).splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) >> 10


def most_memory(run: Running) -> int:
    most = 0
    while run.poll() is None:
        most = max(most, mebibytes(family(run.pid)))
        time.sleep(0.02)
    return most


def waiting_for(run: Running, command: str) -> list[int]:
    """The family as soon as there is a child that runs such a command."""
    while run.poll() is None:
        found = family(run.pid)
        if any(command in read(Path(f"/proc/{child}/cmdline")) for child in found[1:]):
            return found
        time.sleep(0.01)
    raise AssertionError("it has ended before")


def are_gone(processes: list[int]) -> bool:
    """Now, or soon: a child notices that its parent has gone."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if not any(
            read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()[:1] not in ([], ["Z"]) for process in processes
        ):
            return True
        time.sleep(0.05)
    return False


@LONG_ONCE
def test_memory_is_kept_while_it_is_compiled(name: str, here: Path) -> None:
    with solving(here, name, "--memory", "320", "--time", "6") as run:
        assert most_memory(run) <= 320


PEGS = """puzzle pegs:
    rules classics.peg_solitaire
    players 1

    ask: fewest moves until men_left = 1
"""


def test_memory_is_kept_and_used_by_shortest_plans(here: Path) -> None:
    """To 5 % of what is granted; when that is full, the search goes on without storing states."""
    (here / "pegs.puzzle").write_text(PEGS, encoding="utf-8")
    with solving(here, "pegs", "--memory", "340", "--time", "15", "--workers", "2") as run:
        most = most_memory(run)
        assert run.stdout is not None
        is_full = "without storing states" in run.stdout.read()
    assert most <= 1.05 * 340 and (most > 130 or not is_full)


def test_memory_is_kept_by_what_is_remembered(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine code is at hand, so that all of the time is for filling tables."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(here / "cache"))
    program._machine_code.cache_clear()
    shutil.copy(FAST, here)
    position = Catalogue(Project(here)).position(here / FAST.name)
    assert position.question is not None
    KernelProblem.of(Problem(position.asked, position.state, position.question)).game.program(program.as_machine_code)
    with solving(here, FAST.stem, "--memory", "320", "--time", "10") as run:
        assert most_memory(run) <= 320


@pytest.mark.parametrize("allowed", [320, pytest.param(464, marks=pytest.mark.campaign)])
def test_memory_is_kept_by_all_that_play(allowed: int, here: Path) -> None:
    """Without a compiler processes help, of which only a few fit: eight would take more than either."""
    (here / "without" / "llvmlite").mkdir(parents=True)
    (here / "without" / "llvmlite" / "__init__.py").write_text("raise ImportError")
    path = os.pathsep.join(filter(None, (str(here / "without"), os.environ.get("PYTHONPATH"))))
    options = ("--policy", "greedy", "--games", "400", "--workers", "8", "--memory", str(allowed))
    with running(here, "simulate", "beacon_patrol", *options, PYTHONPATH=path) as run:
        assert most_memory(run) <= allowed
        told = json.loads(run.communicate()[0])
    assert (told["games"], told["remarks"]) == (400, [NO_COMPILER])


def test_memory_is_kept_by_beams_in_machine_code(here: Path) -> None:
    with running(here, "simulate", "beacon_patrol", "--policy", "beam(200)", "--games", "4", "--memory", "320") as run:
        assert most_memory(run) <= 320
        assert json.loads(run.communicate()[0])["games"] == 4


@pytest.mark.campaign
@pytest.mark.parametrize("allowed", [320, 512, 1024, 2048])
@pytest.mark.parametrize("name", LONG)
def test_memory_is_kept_at_length(name: str, allowed: int, here: Path) -> None:
    with solving(here, name, "--memory", str(allowed), "--time", "60") as run:
        most = most_memory(run)
        print(f"\n{name}: {most} of {allowed} MiB")
        assert most <= allowed


@LONG_ONCE
def test_time_is_kept_though_it_is_too_short_to_compile(name: str, here: Path) -> None:
    began = time.monotonic()
    with solving(here, name, "--time", "4.5") as run:
        told = json.loads(run.communicate()[0])
    assert told["seconds"] < 20  # on a busy machine
    assert time.monotonic() - began < 50


def is_whole(cache: Path) -> bool:
    """Whether nothing in a cache folder, or in the folder of trees below it, is half written."""
    return all(len(path.name) == 64 for path in cache.rglob("*") if path.is_file())


def test_an_interrupt_need_not_wait_for_the_compiler(here: Path) -> None:
    with solving(here, "mid_k18_s1", "--time", "60") as run:
        processes = waiting_for(run, "subset.compile_process")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert json.loads(out)["status"] in ("feasible", "unknown")
    assert are_gone(processes)
    assert is_whole(here / "cache")


@pytest.mark.parametrize("command", ["subset.compile_process", "process.worker"])
def test_nothing_is_left_of_what_was_killed(command: str, here: Path) -> None:
    name = "mid_k18_s1" if command == "subset.compile_process" else "whole"
    before = set(here.iterdir())
    with solving(here, name, "--time", "60") as run:
        processes = waiting_for(run, command)
        assert len(processes) > 1
        run.send_signal(signal.SIGKILL)
    assert are_gone(processes)
    assert set(here.iterdir()) == before
    assert is_whole(here / "cache")
