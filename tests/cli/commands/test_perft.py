"""`rulewright perft`: counts by length, by first move and by first turn."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _in_folder(folder: object) -> None:
    """Calls are made in the folder of small games."""


def test_lines_are_counted_by_length(call) -> None:
    done = call("perft", "classics.noughts_and_crosses", "5")
    assert done.status == 0
    assert [row.split() for row in done.out.splitlines()] == [
        ["0", "moves", "1"], ["1", "move", "9"], ["2", "moves", "72"], ["3", "moves", "504"], ["4", "moves", "3024"],
        ["5", "moves", "15120"],
    ]  # fmt: skip


def test_lines_are_divided_by_first_move(call) -> None:
    done = call("perft", "narrows", "2", "--divide")
    first = [row.rpartition("  ") for row in done.out.partition("\n\n")[0].splitlines()]
    assert [text.strip() for text, _, _ in first] == call("actions", "narrows").out.splitlines()
    assert sum(int(count) for _, _, count in first) == call("perft", "narrows", "2", "--json").json["counts"][2]


def test_whole_turns_are_divided_as_players_write_them(call) -> None:
    shots = call("perft", "amazons_last", "1", "--divide", "--turns").out.splitlines()
    assert shots[0].split() == ["e4-e5xe6", "1"]
    houses = call("perft", "classics.kalah", "2", "--divide", "--turns").out.splitlines()
    assert "sow (1,1), sow (0,1)  6" in houses


def test_a_puzzle_is_counted_beyond_its_question(call, folder) -> None:
    text = (folder / "narrows.puzzle").read_text()
    counts = call("perft", "narrows", "3", "--json").json["counts"]
    (folder / "narrows.puzzle").write_text(f"{text.rstrip()}\n    positions: {', '.join(map(str, counts))}\n")
    assert call("check", "narrows").status == 0


def test_chance_is_told_to_be_that_of_the_seed(call) -> None:
    done = call("perft", "classics.pig", "3", "--seed", "1", "--json").json
    assert done["remarks"] == ["chance was drawn as seed 1 has it: other seeds may have other lines"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("classics.worker_placement", "1", "--turns"), "no point `turn`"),
        (("narrows", "2", "--players", "7"), "is a puzzle for"),
        (("classics.go", "-1"), "-1"),
        (("nothing", "1"), "no module or puzzle"),
    ],
)
def test_a_wrong_call_is_explained(arguments: tuple[str, ...], words: str, call) -> None:
    done = call("perft", *arguments)
    assert done.status == 2 and words in done.err and "Traceback" not in done.err


def test_an_interrupt_keeps_what_was_counted(call, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.solver.perft.count import LineCounter

    honest = LineCounter.rows

    def stopped(counter: LineCounter):
        for row in honest(counter):
            yield row
            raise KeyboardInterrupt

    monkeypatch.setattr(LineCounter, "rows", stopped)
    done = call("perft", "narrows", "2", "--divide")
    assert done.status == 130
    assert "not all: of 1 move, 1 of 3 first moves" in done.out and "0 moves  1" in done.out
