"""The command as a process of its own: start-up, pipes, signals."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.paths import OPEN

COMMAND = [sys.executable, "-m", "rulewright"]
TOO_LONG = OPEN / "mid_k18_s1.puzzle"
"""A puzzle that has not been solved in two minutes."""

HEAVY = ("attrs", "ortools", "rich", "numpy", "pandas", "llvmlite", "numba")

NOT_FOR = {
    ("--help",): ("lark", "pydantic", "rulewright.grammar.from_text", "rulewright.rules", "rulewright.puzzles"),
    ("--version",): ("lark", "rulewright.grammar.from_text", "rulewright.rules", "rulewright.puzzles"),
    ("explain", "RW110"): ("lark", "rulewright.rules", "rulewright.puzzles"),
    ("check", "beacon_patrol"): (
        "rulewright.grammar.tree.puzzles",
        "rulewright.solver",
        "rulewright.rules.machine",
    ),
    ("solve", "narrows", "--engine", "search"): (
        "rulewright.solver.cpsat.process.worker",
        "rulewright.solver.cpsat.model.from_question",
        "rulewright.solver.versus",
        "rulewright.solver.shortest.search",
        "rulewright.solver.versus.expectimax",
        "rulewright.solver.cpsat.rounds.from_question",
        "rulewright.solver.plans.optimal_plans",
        "rulewright.studies.sensitivity",
        "rulewright.grammar.parsing.syntax_errors",
        "rulewright.cli.documents.answers",
        "rulewright.solver.best.fallback",
        "rulewright.solver.best.prefix_search",
        "rulewright.rules.semantics.cost_bounds",
    ),
    ("check", "shoals.rules"): (
        "rulewright.grammar.tree.puzzles",
        "rulewright.puzzles",
        "rulewright.solver",
        "rulewright.rules.machine",
    ),
}
"""What a command can do without: who only wants a word should not wait for it."""


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "RULEWRIGHT_DEBUG")}
    return {**kept, **more}


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, env=environment(), check=False)


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command loads."""
    probe = "import sys; from rulewright.cli.main import run; run(sys.argv[1:]); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe, *arguments], capture_output=True, text=True, env=environment(), check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", [*NOT_FOR, ("list",), ("score", "narrows")], ids=" ".join)
def test_the_solver_and_drawing_are_not_loaded_for_nothing(arguments, folder):
    loaded_by(*arguments)  # compiles code, and keeps it
    assert not loaded_by(*arguments) & set(HEAVY)


MOST_LOADED = {("--version",): 24, ("show", "narrows"): 119, ("actions", "narrows"): 101, ("solve", "narrows"): 163}
"""Modules of ours that a command may load which ran before."""


@pytest.mark.parametrize(
    ("arguments", "most"), MOST_LOADED.items(), ids=lambda value: value[0] if isinstance(value, tuple) else ""
)
def test_no_more_is_loaded_than_was(arguments, most, folder):
    loaded_by(*arguments)
    loaded = [name for name in loaded_by(*arguments) if name.startswith("rulewright.")]
    assert len(loaded) <= most


@pytest.mark.parametrize(("arguments", "unneeded"), NOT_FOR.items(), ids=lambda words: words[0])
def test_a_command_loads_what_it_needs(arguments, unneeded, folder):
    loaded_by(*arguments)
    assert not loaded_by(*arguments) & set(unneeded)


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("check", "shoals.rules")])
def test_start_up_times(arguments, folder, capsys):
    times = []
    for _ in range(3):
        began = time.perf_counter()
        assert started(*arguments).returncode == 0
        times.append(time.perf_counter() - began)
    with capsys.disabled():
        print(f"\nrulewright {' '.join(arguments)}: {min(times):.2f} s")


def test_no_colour_without_a_terminal(folder):
    assert "\x1b" not in started("show", "narrows").stdout


SAYING = (("show", "narrows"), ("solve", "narrows", "--json"), ("solve", "nowhere", "--json"), ("explain", "--list"))
"""Calls that write to standard output."""


@pytest.mark.parametrize("arguments", SAYING, ids=" ".join)
def test_a_reader_that_has_gone_is_one_line(arguments, folder):
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read().decode() == "error: `standard output`: broken pipe\n"
    assert process.wait() == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", SAYING, ids=" ".join)
def test_a_full_disk_is_one_line(arguments, folder):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)
        assert (done.returncode, done.stderr.decode()) == (2, "error: `standard output`: no space left on device\n")
        done = subprocess.run([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=full, env=environment(), check=False)
        assert done.returncode == (2 if "nowhere" in arguments else 0)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process always has them")
def test_closed_streams_are_one_line(folder):
    closed = subprocess.run(
        f'"{sys.executable}" -m rulewright list >&- <&-', shell=True, stderr=subprocess.PIPE, env=environment(), check=False
    )
    assert (closed.returncode, closed.stderr.decode()) == (2, "error: `standard output`: bad file descriptor\n")


def test_text_where_only_ascii_is_known(folder):
    done = subprocess.run(
        [*COMMAND, "show", "narrows"], capture_output=True, env=environment(PYTHONIOENCODING="ascii"), check=True
    )
    assert b"+-------+" in done.stdout
    assert b"?" not in done.stdout


def processor_seconds(pid: int) -> int:
    """What a process has used, as POSIX's `ps` tells it: on a busy machine more time has passed."""
    told = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    *_, minutes, seconds = map(int, ("0:" + (told.strip() or "0")).split(":"))
    return minutes * 60 + seconds


def test_an_interrupted_search_says_what_it_found(folder):
    shutil.copy(TOO_LONG, folder)
    command = [*COMMAND, "solve", TOO_LONG.name, "--time", "600"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    while process.poll() is None and processor_seconds(process.pid) < 2:  # it has begun to search by then
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert TOO_LONG.stem.encode() in out
    assert b"Traceback" not in err


def test_python_runs_the_package(folder):
    assert started("--version").stdout.startswith("rulewright ")
