"""`--time` holds on rules of which one list of moves takes longer than any limit."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.cli.commands import make, solve
from rulewright.studies import verified_plan

TOUR = """module tour:
    "A choice with 390,625 combinations of its parameters, most of which are looked at for nothing."

space board: square grid 5 x 5

state:
    knight:           cell of board = origin of board
    visited of board: truth

action leap(to in board, other in board, third in board, fourth in board):
    require fresh: not visited of to and distance(knight, to) = 3
    require after: visited of other or visited of third or visited of fourth
    effect leap: knight := to
    effect visit: visited of to := yes

flow:
    repeat:
        turn:
            choose leap{stop}

score cells_visited: count c in board where visited of c
"""

MOST = 6.0
"""Processor seconds: well above what each command takes here, and well below what it took without a limit."""

SOON = 0.3


@pytest.fixture(autouse=True)
def tour(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game, and puzzles about it; the commands take no more than `MOST` seconds of processor time."""
    (folder / "tour.rules").write_text(TOUR.format(stop=", or stop"))
    puzzle = 'puzzle toured:\n    "How far?"\n    rules tour\n    players 1\n\n    ask: {}\n'
    (folder / "toured.puzzle").write_text(puzzle.format("maximise score until end"))
    began = time.process_time()
    yield
    assert time.process_time() - began < MOST


@pytest.mark.parametrize("stage", ["PREPARING", "LATE"])
def test_solve_ends_in_every_stage(stage: str, call, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(solve, "PREPARING", 0.0 if stage == "PREPARING" else 1000.0)
    done = call("solve", "toured", "--time", "0.01", "--json")
    if stage == "PREPARING":
        assert done.json["errors"][0]["code"] == "time"
        assert done.status == 10
    else:
        assert done.json["status"] in ("unknown", "feasible", "optimal")  # a loaded machine may be late to interrupt


def test_a_plan_that_takes_too_long_to_replay_is_not_shown(call, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def replay(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(verified_plan, "verified_steps", replay)
    monkeypatch.setattr(solve, "LATE", 0.0)
    done = call("solve", "narrows", "--time", "1", "--json")
    assert done.json["status"] == "unknown" and not done.json["plan"]
    assert verified_plan.NOT_REPLAYED in done.json["remarks"]


@pytest.mark.campaign
def test_solve_many_and_folders(call, folder: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    other = tmp_path / "other"
    other.mkdir()
    for name in ("tour.rules", "toured.puzzle"):
        (folder / name).rename(other / name)
    call("solve", str(other), "--time", "0.01", "--json")
    call("solve", "--many", str(other), "--time", "0.01", "--workers", "1", "--json")
    (answer,) = map(json.loads, (other / "answers.jsonl").read_text().splitlines())
    assert answer["status"] in ("unknown", "error")


@pytest.mark.campaign
def test_make(call, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(make, "LATE", 0.05)
    call("make", "tour", "--time", "0.05", "--workers", "1", "--json")


@pytest.mark.campaign
def test_diff(call, folder: Path) -> None:  # type: ignore[no-untyped-def]
    (folder / "longer.rules").write_text(TOUR.format(stop="").replace("module tour", "module longer"))
    call("diff", "tour", "longer", "--on", "toured", "--time", "0.01", "--workers", "1", "--json")
