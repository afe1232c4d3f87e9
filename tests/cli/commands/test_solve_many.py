"""`solve --many`: each puzzle answered once, however often the run is killed; what stands in the journal is not asked again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextvars import copy_context
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.names import is_folder
from rulewright.cli.option_types import SAID
from rulewright.studies.batch_solving import PuzzleAnswer
from rulewright.studies.journal import Journal
from tests.cli.conftest import Call

HANDS = ("bay", "plain", "bay, plain", "twins", "twins, cape", "spit, plain")
PUZZLE = """\
puzzle p{number}:
    rules shoals
    players 1

    sea:
        .         .         .
        .         rock@1    .
        .         .         .

    hand 1: {hand}

    ask: maximise score for 1 turn
"""


def write_puzzles(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        text = PUZZLE.format(number=number, hand=HANDS[number % len(HANDS)])
        (folder / f"p{number}.puzzle").write_text(text)


def killed_after(lines: int, folder: str) -> None:
    """Begin to answer, and kill the run once so many new answers were printed."""
    command = [sys.executable, "-m", "rulewright", "solve", "--many", folder, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        fresh = (line for line in process.stdout if not json.loads(line)["known"])
        assert len(list(islice(fresh, lines))) == lines
        os.kill(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("count", [90, pytest.param(10_000, marks=pytest.mark.campaign)])
def test_killed_three_times_and_continued_each_is_answered_once(count: int, folder: Path) -> None:
    write_puzzles(folder / "set", count)
    for _ in range(3):
        killed_after(count // 5, "set")
    command = [sys.executable, "-m", "rulewright", "solve", "--many", "set", "--json"]
    last = subprocess.run(command, capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in last.stdout.splitlines()]
    assert sorted(one["puzzle"] for one in told) == sorted(f"p{number}" for number in range(count))
    assert sum(one["known"] for one in told) >= 3 * (count // 5)
    written = [json.loads(line) for line in (folder / "set" / "answers.jsonl").read_text().splitlines()]
    assert len(written) == len({one["key"] for one in written}) == count
    assert all(one["status"] == "optimal" for one in written)
    assert len({(HANDS[int(one["puzzle"][1:]) % len(HANDS)], one["answer"]) for one in written}) == len(HANDS)


def test_a_folder_may_hold_more_puzzles_than_a_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_puzzles(folder / "set", 401)
    monkeypatch.chdir(folder)
    context = copy_context()
    context.run(SAID.set, "files=400")
    assert context.run(is_folder, "set")


Asked = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def asked(call: Callable[..., Call]) -> Asked:
    """The documents of a run in this process."""

    def asking(*arguments: str) -> list[dict[str, Any]]:
        answer = call("solve", "--many", *arguments, "--workers", "1", "--json")
        return [json.loads(line) for line in answer.out.splitlines()]

    return asking


def known(told: list[dict[str, Any]]) -> dict[str, bool]:
    return {one["puzzle"]: one["known"] for one in told}


def test_the_answers_are_those_of_solve(asked: Asked, call: Callable[..., Call]) -> None:
    told = {one["puzzle"]: one for one in asked("narrows", "narrows_counted.puzzle", "too_far", "mute")}
    assert told["mute"]["status"] == "silent"
    for name in ("narrows", "narrows_counted", "too_far"):
        alone = call("solve", name, "--json").json
        assert {key: told[name][key] for key in ("status", "score", "bound", "expected")} == {
            key: alone[key] for key in ("status", "score", "bound", "expected")
        }
        assert told[name]["plan"] == [step["text"] for step in alone["plan"]]
    assert told["narrows_counted"]["answer"] == call("solve", "narrows_counted", "--json").json["count"]


def test_asked_again_where_question_or_rules_changed_or_by_again(folder: Path, asked: Asked) -> None:
    write_puzzles(folder / "set", 3)
    assert set(known(asked("set")).values()) == {False}
    path = folder / "set" / "p1.puzzle"
    path.write_text(path.read_text().replace("hand 1: plain", "hand 1: plain, cape"))
    other = folder / "set" / "p2.puzzle"
    other.write_text("# a remark\n" + other.read_text())
    assert known(asked("set")) == {"p0": True, "p1": False, "p2": True}
    assert set(known(asked("set", "--again")).values()) == {False}
    rules = folder / "shoals.rules"
    rules.write_text(rules.read_text().replace("= 1\n", "= 2\n"))
    assert set(known(asked("set")).values()) == {False}


def test_an_answer_without_proof_is_asked_again_where_more_is_allowed(folder: Path, asked: Asked) -> None:
    write_puzzles(folder / "set", 1)
    asked("set")
    path = folder / "set" / "answers.jsonl"
    line = json.loads(path.read_text()) | {"status": "feasible", "allowed_seconds": 5.0}
    path.write_text(json.dumps(line) + "\n")
    assert known(asked("set", "--time", "5")) == {"p0": True}
    assert known(asked("set", "--time", "6")) == {"p0": False}


def test_errors_are_told_beside_the_answers_and_not_kept(folder: Path, call: Callable[..., Call]) -> None:
    write_puzzles(folder / "set", 2)
    (folder / "set" / "wrong.puzzle").write_text("puzzle wrong:\n    rules nowhere\n")
    (folder / "set" / "torn.puzzle").write_text("puzzle torn\n")
    answer = call("solve", "--many", "set", "--workers", "1")
    assert answer.status == 2
    assert "p0  optimal" in answer.out
    assert "wrong  error" in answer.out and "RW106" in answer.out
    assert "answered 2 puzzles: 2 optimal; 2 with errors" in answer.err
    assert len((folder / "set" / "answers.jsonl").read_text().splitlines()) == 2


def test_a_torn_line_is_dropped_and_a_foreign_file_is_left_alone(folder: Path, asked: Asked, call: Callable[..., Call]) -> None:
    write_puzzles(folder / "set", 2)
    asked("set")
    path = folder / "set" / "answers.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:40])
    assert sorted(known(asked("set")).values()) == [False, True]
    assert sorted(path.read_bytes().splitlines(keepends=True))[0][:7] == b'{"key":'
    assert len(path.read_bytes().splitlines()) == 2
    notes = folder / "notes.txt"
    notes.write_text("my notes\nunfinished")
    answer = call("solve", "--many", "set", "--journal", "notes.txt")
    assert (answer.status, notes.read_text()) == (2, "my notes\nunfinished")
    assert "`notes.txt` is not a journal of answers" in answer.err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_limits_hold_where_the_work_is_done(workers: str, folder: Path, call: Callable[..., Call]) -> None:
    answer = call("solve", "--many", "overboard", "fifteen_swapped", "--time", "0", "--workers", workers, "--json")
    told = [json.loads(line) for line in answer.out.splitlines()]
    assert len(told) == 2
    assert all(one["status"] in ("unknown", "feasible") and one["answer"] is None for one in told)
    assert all((one["allowed_seconds"], one["allowed_mib"]) == (0, 2048 // int(workers)) for one in told)


def test_two_runs_do_not_share_a_journal(folder: Path, call: Callable[..., Call]) -> None:
    pytest.importorskip("fcntl")
    write_puzzles(folder / "set", 1)
    with Journal(folder / "set" / "answers.jsonl", PuzzleAnswer.from_json):
        answer = call("solve", "--many", "set")
    assert answer.status == 2
    assert "another run is writing to" in answer.err


@pytest.mark.parametrize(
    "options", [["--many", "set", "--hint", "1"], ["narrows", "mute"], ["narrows", "--again"], ["--many", "set", "--seed", "2"]]
)
def test_what_does_not_go_together(options: list[str], folder: Path, call: Callable[..., Call]) -> None:
    write_puzzles(folder / "set", 1)
    answer = call("solve", *options)
    assert answer.status == 2
    assert "--many" in answer.err
