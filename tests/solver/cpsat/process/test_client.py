"""Children: what is not reached is refused by name, limits are kept, and nothing is left when a parent is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.cpsat.process.job import Job, ModelKind, WorkerProcess
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED
from tests.paths import ROOT
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.cpsat.running import run

PARENT = """
import sys, time
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED
from tests.rules.playing import shipped
from tests.solver.asking import engine_and_state
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.cpsat.process.job import Job, ModelKind, WorkerProcess
game = shipped("beacon_patrol")
engine, state = engine_and_state(PROVED[6][0][0], game)
question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
with WorkerProcess(Job(ModelKind.UNROLLED, engine, state, question, 300.0)) as child:
    print(child._child.process.pid, flush=True)
    time.sleep(300)
"""


def _asked(tiles: int = 2) -> tuple[object, object, Question]:
    text, _ = random_puzzle(random.Random(3), 1, tiles)
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(text, game)
    return engine, state, Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))


def test_a_model_over_the_limit_is_refused_with_its_size() -> None:
    engine, state, question = _asked()
    found = run(ModelKind.UNROLLED, engine, state, question, most_variables=50)  # type: ignore[arg-type]
    assert found.status == "too large"
    assert "50 variables" in found.message


def test_a_time_limit_is_kept() -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[6][2][0], game)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    began = time.monotonic()
    found = run(ModelKind.UNROLLED, engine, state, question, 2.0)
    assert found.status in ("unknown", "feasible", "too large")
    assert time.monotonic() - began < 60


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_child_outlives_a_killed_parent() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert Path(f"/proc/{child}").exists()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 30
    while _runs(child) and time.monotonic() < until:
        time.sleep(0.1)
    assert not _runs(child)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except OSError:
        return False


def test_a_child_is_ended_with_its_context() -> None:
    engine, state, question = _asked()
    with WorkerProcess(Job(ModelKind.UNROLLED, engine, state, question, 60.0)) as child:  # type: ignore[arg-type]
        assert child._child is not None
        process = child._child.process
        assert process.poll() is None
    assert process.poll() is not None


@pytest.mark.parametrize("niceness", [0, 7])
def test_who_is_nice_lets_others_go_first(niceness: int) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[3][0][0], game)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    with WorkerProcess(Job(ModelKind.UNROLLED, engine, state, question, 300.0, niceness=niceness)) as child:
        while (report := child.report()) is None or report.variables is None:
            time.sleep(0.05)
        assert child._child is not None
        found = os.getpriority(os.PRIO_PROCESS, child._child.process.pid)
        group = Path(f"/proc/{child._child.process.pid}/autogroup")
        share = group.read_text().strip() if group.exists() else None
    assert found == min(19, os.getpriority(os.PRIO_PROCESS, 0) + niceness)
    if share is not None:
        doublings = len(os.sched_getaffinity(0)).bit_length() - 1
        assert share.endswith(f"nice {min(19, niceness + 3 * doublings) if niceness else 0}")
