"""`solve` of a game from its set-up, and of folders; `check`, `show` and `list` of folders."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest


def test_a_game_is_asked_for_its_highest_score_from_the_set_up(call) -> None:
    done = call("solve", "shoals", "--players", "1", "--seed", "3")
    assert done.out.splitlines()[0] == "Get the highest score you can. From the set-up for 1 player, seed 3."
    assert done.out.splitlines()[1].startswith("shoals  optimal, score ")
    found = [call("solve", "shoals", "--seed", str(seed), "--json").json for seed in range(4)]
    assert {document["status"] for document in found} == {"optimal"}
    assert len({(document["score"], *(step["text"] for step in document["plan"])) for document in found}) > 1
    assert all(document["puzzle"] == "shoals" and document["expected"] is None for document in found)


@pytest.mark.parametrize(
    ("module", "asked", "answer"),
    [
        (
            "classics.missionaries",
            "With as few moves as you can, bring this about: all six are on the far bank.",
            "optimal, moves 11  (",
        ),
        ("classics.noughts_and_crosses", "Win as player 1.", "optimal, win for 1 draw  ("),
    ],
)
def test_a_game_is_asked_what_its_rules_ask(call, module: str, asked: str, answer: str) -> None:
    first, second, *_ = call("solve", module).out.splitlines()
    assert first.startswith(f"{asked} From the set-up for ")
    assert second.startswith(f"{module}  {answer}")


def test_a_game_under_a_variant(call) -> None:
    one, other = (call("solve", "shoals", *more, "--json").json for more in ((), ("--variant", "bright.rules")))
    assert other["rules"] == ["bright", "shoals"] and other["score"] > one["score"]


def test_a_game_without_a_score_says_so(call, folder: Path) -> None:
    (folder / "plain.rules").write_text(
        "module plain:\n\nstate:\n    steps: 0..9\n\naction go:\n    effect on: steps += 1\n\nflow:\n    choose go\n"
    )
    done = call("solve", "plain")
    assert done.status == 2 and "`plain` has no score to maximise" in done.err


def test_a_condition_that_is_to_be_reached(call, folder: Path) -> None:
    narrows = next(folder.rglob("narrows.puzzle"))
    text = re.sub(r"    (ask|answer|plan):.*\n", "", narrows.read_text()).replace("narrows", "asked")
    asked = narrows.with_name("asked.puzzle")
    asked.write_text(text + "    ask: reach score = 8 for 3 turns\n")
    done = call("solve", "asked")
    assert done.out.startswith("asked  optimal, reached  (") and "   score" not in done.out
    asked.write_text(text + "    ask: reach score = 9 for 3 turns\n    answer: no\n")
    done = call("solve", "asked")
    assert done.out.startswith("asked  impossible, proved  (") and done.status == 0


def test_a_puzzle_has_its_own_players(call) -> None:
    assert "is a puzzle for 2 players" in call("solve", "narrows", "--players", "1").err


def test_all_puzzles_of_a_folder(call, folder: Path) -> None:
    done = call("solve", ".")
    rows = {row.split()[0]: row for row in done.out.splitlines()}
    assert rows["narrows"].startswith("narrows  optimal, score 8  (")
    assert "the puzzle expects" in rows["wrong_answer"] and done.status == 1
    assert "not 3 puzzles without a question" in done.err
    document = call("solve", ".", "--json").json
    assert {found["puzzle"] for found in document["puzzles"]} == set(rows) and document["errors"] == []
    os.chdir(folder.parent)
    assert {row.split()[0] for row in call("solve", "project").out.splitlines()} == set(rows)


def test_one_misspelt_name_is_said_once(call, folder: Path) -> None:
    text = (folder / "shoals.rules").read_text()
    (folder / "shoals.rules").write_text(text.replace("not occupied(to) else", "not ocupied(to) else"))
    for command in ("solve", "check"):
        done = call(command, ".")
        assert (done.status, done.err.count("did you mean `occupied`?")) == (2, 1), command
    assert "puzzles with errors" in call("solve", ".").err


def test_a_folder_is_checked_shown_and_listed(call, folder: Path) -> None:
    (folder / "below").mkdir()
    for name in ("narrows.puzzle", "bright.rules"):
        (folder / name).rename(folder / "below" / name)
    assert call("check", "below", "--json").json["checked"] == ["below/bright.rules", "below/narrows.puzzle"]
    assert call("show", "below").out.startswith("narrows\nTwo boats between the capes.\n")
    assert [shown["name"] for shown in call("show", "below", "--json").json["positions"]] == ["narrows"]
    listed = call("list", "below", "--json").json
    assert [[found["name"] for found in listed[kind]] for kind in ("modules", "puzzles")] == [["bright"], ["narrows"]]
    (folder / "empty").mkdir()
    for command in ("check", "solve", "show", "list"):
        assert call(command, "empty").status == 2, command


@pytest.mark.parametrize("command", ["solve", "check", "show", "share"])
def test_a_folder_of_the_same_name_hides_a_puzzle_only_with_rules_or_puzzles_in_it(call, folder: Path, command: str) -> None:
    plain = call(command, "narrows")
    (folder / "narrows").mkdir()
    (folder / "narrows" / "notes.txt").write_text("nothing of ours")
    beside = call(command, "narrows")
    assert (beside.status, beside.err) == (plain.status, plain.err)
    assert plain.status == 0
    assert beside.out.split("(")[0] == plain.out.split("(")[0]
    (folder / "nothing").mkdir()
    assert call(command, "nothing").status == 2


def test_a_plan_that_the_rules_judge_otherwise_is_told_with_the_answer(call, folder: Path) -> None:
    text = (folder / "narrows.puzzle").read_text()
    (folder / "narrows.puzzle").write_text(text.replace("refuse: lay plain north", "refuse: lay plain west"))
    done, found = call("solve", "narrows"), call("solve", "narrows", "--json")
    assert done.status == found.status == 1
    (told,) = found.json["misjudged"]
    assert told == f"line {len(text.splitlines())}: this plan must be refused, but it is legal"
    assert told in done.out and found.json["status"] == "optimal"
    everything = call("solve", ".").out.splitlines()
    below = next(number for number, row in enumerate(everything, 1) if row.startswith("narrows  optimal"))
    assert everything[below] == f"  {told}"
    assert "misjudged" not in call("solve", "narrows", "--variant", "bright.rules", "--json").json


def test_an_accepted_plan_that_the_rules_cannot_carry_out_does_not_keep_the_answer_back(call, folder: Path) -> None:
    (folder / "steps.rules").write_text(
        "module steps:\n\nplayers 1\n\nstate:\n    steps: 0..2\n\naction go:\n    effect on: steps += 1\n\n"
        "flow:\n    repeat: choose go, or stop\n\nscore steps: steps\n"
    )
    (folder / "climb.puzzle").write_text(
        "puzzle climb:\n    rules steps\n\n    ask: fewest moves until steps = 2\n    answer: 2\n    accept: go, go, go\n"
    )
    done = call("solve", "climb", "--json")
    assert (done.status, done.json["status"], len(done.json["plan"])) == (1, "optimal", 2)
    (told,) = done.json["misjudged"]
    assert told == "line 6: `go.on` sets `steps` to 3, which is not in 0..2"
