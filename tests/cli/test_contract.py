"""What scripts rely on: exit statuses, the keys of every document, one document and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

PLAY = "play saved:\n    from narrows\n\n    1: lay plain south\n    2: lay twins west = 6\n"
ILLEGAL = "play bad:\n    from narrows\n\n    1: lay bay north\n"
LYING = "play lying:\n    from narrows\n\n    1: lay plain south = 9\n"

WITH_JSON = {
    "check": (("check", "shoals", "narrows"), {"errors", "warnings", "checked"}),
    "solve": (
        ("solve", "narrows"),
        {"puzzle", "rules", "status", "score", "bound", "verified", "plan", "expected", "seconds"},
    ),
    "score": (("score", "narrows"), {"score", "items"}),
    "actions": (("actions", "narrows"), {"legal"}),
    "show": (("show", "narrows"), {"name", "rules", "player", "over", "score", "boards", "state"}),
    "play": (("play", "narrows"), {"name", "rules", "players", "over", "score", "rank", "actions"}),
    "replay": (("replay", "saved.play"), {"file", "legal", "over", "score", "rank", "actions"}),
    "simulate": (
        ("simulate", "shoals", "--games", "5"),
        {"games", "seed", "mean", "quantiles", "histogram", "games_per_second", "ranks", "lengths", "policy"},
    ),
    "make": (
        ("make", "shoals", "--tiles", "2..4", "--count", "1", "--gap", "0", "--unique", "nothing", "--workers", "1"),
        {"commission", "puzzles", "attempts", "faults"},
    ),
    "tree": (("tree", "worth", "--of", "bright"), {"name", "rules", "clauses"}),
    "diff": (("diff", "shoals", "bright"), {"a", "b", "changes"}),
    "list": (("list",), {"modules", "puzzles", "left_out"}),
    "fmt": (("fmt", "shoals.rules"), {"files"}),
    "explain": (("explain", "RW012"), {"code", "title", "text"}),
    "codes": (("explain", "--list"), {"codes"}),
    "new": (("new", "mine", "--of", "shoals"), {"folder", "files"}),
}


@pytest.mark.parametrize("name", WITH_JSON)
def test_json_is_one_document_with_the_keys_of_the_contract(name, call, folder):
    Path("saved.play").write_text(PLAY)
    arguments, keys = WITH_JSON[name]
    done = call(*arguments, "--json")
    assert done.status == 0, done
    assert keys <= set(done.json)
    assert "\x1b" not in done.out


WANTING = {
    "why": (("actions", "narrows", "--why", "lay bay north"), {"schema", "legal", "failed"}),
    "trace": (("trace", "combs"), {"schema", "modules", "left_out"}),
    "mutate": (("mutate", "bright", "--workers", "1"), {"schema", "modules"}),
    "review": (("review",), {"schema", "groups", "uncorrected", "undecided", "errors"}),
}


@pytest.mark.parametrize("name", WANTING)
def test_something_wanting_is_a_one_with_a_document(name, call, folder):
    arguments, keys = WANTING[name]
    done = call(*arguments, "--json")
    assert done.status == 1, done
    assert keys == set(done.json)


REFUSED = {
    "no file": ("check", "nothing.rules"),
    "no name": ("check", "nothing"),
    "no module": ("show", "shoals+nothing"),
    "no puzzle": ("score", "nothing"),
    "no puzzle file": ("solve", "nothing.puzzle"),
    "a module for a puzzle": ("actions", "shoals"),
    "a rules file for a puzzle": ("actions", "shoals.rules"),
    "syntax": ("check", "ill.rules"),
    "link": ("check", "broken"),
    "position": ("show", "impossible"),
    "no question": ("solve", "mute"),
    "no such action": ("actions", "narrows", "--why", "fly"),
    "no such tile": ("actions", "narrows", "--why", "lay whale south"),
    "players of a puzzle": ("show", "narrows", "--players", "1"),
    "too many players": ("show", "shoals", "--players", "9"),
    "no play": ("replay", "nothing.play"),
    "not a play": ("replay", "shoals.rules"),
    "no such code": ("explain", "RW999"),
    "no such variant": ("solve", "narrows", "--variant", "nothing"),
    "folder exists": ("new", "."),
    "no parent folder": ("new", "a/b/c"),
    "no module to vary": ("new", "mine", "--of", "nothing"),
    "format of another file": ("fmt", "notes.txt"),
    "format of no file": ("fmt", "nothing.rules"),
    "format of a wrong file": ("fmt", "ill.rules"),
    "no tiles to make puzzles of": ("make", "shoals", "--tiles", "few"),
    "a goal that is no question": ("make", "shoals", "--goal", "win"),
    "nothing of that name to use": ("make", "shoals", "--uses", "lamps"),
    "no module to trace": ("trace", "nothing"),
    "no evidence": ("mutate", "shoals", "--on", "nothing"),
    "neither module nor puzzle": ("check", "./notes.txt"),
}

MISUSED = {
    "no such command": ("frobnicate",),
    "no such option": ("list", "--frobnicate"),
    "no argument": ("solve",),
    "no number": ("simulate", "shoals", "--games", "many"),
    "a number too small": ("simulate", "shoals", "--games", "0"),
    "next to no memory": ("solve", "narrows", "--memory", "10"),
    "next to no memory for games": ("simulate", "narrows", "--memory", "10"),
    "no such policy": ("simulate", "shoals", "--policy", "wise"),
}


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_said_and_the_status_is_2(name, call, broken, snapshot):
    done = call(*REFUSED[name])
    assert done.status == 2
    assert done.out == ""
    assert done.err.replace(str(broken), "FOLDER") == snapshot


@pytest.mark.parametrize("name", MISUSED)
def test_a_wrong_call_has_status_2_and_is_pointed_to_the_help(name, call):
    done = call(*MISUSED[name])
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert "--help`" in done.err


def test_no_command_at_all_shows_the_help(call):
    done = call()
    assert (done.status, done.out) == (2, "")
    assert "Commands:" in done.err


@pytest.mark.parametrize("name", REFUSED | MISUSED)
def test_errors_with_json_are_one_document(name, call, broken):
    done = call(*(REFUSED | MISUSED)[name], "--json")
    assert done.status == 2
    assert done.err == ""
    assert done.json.keys() == {"schema", "errors"} and done.json["schema"] == "rulewright/errors/1"
    assert done.json["errors"]
    for error in done.json["errors"]:
        assert list(error) == ["code", "message", "file", "line", "column", "hint"]
        assert error["code"]
        assert error["message"]


NO = {
    "another answer": ("solve", "wrong_answer"),
    "impossible": ("solve", "too_far"),
    "illegal game": ("replay", "illegal.play"),
    "another score": ("replay", "lying.play"),
    "would change": ("fmt", "--check", "untidy.rules"),
    "a difference": ("diff", "shoals", "bright", "--exit-code"),
}


@pytest.mark.parametrize("name", NO)
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_question_with_the_answer_no_has_status_1(name, form, call, folder):
    Path("illegal.play").write_text(ILLEGAL)
    Path("lying.play").write_text(LYING)
    Path("untidy.rules").write_text('module untidy:\n  "Two spaces."\n')
    done = call(*NO[name], *(["--json"] if form == "json" else []))
    assert done.status == 1
    if form == "json":
        assert done.json


def test_a_bug_has_status_3_and_asks_for_a_report(call, monkeypatch):
    monkeypatch.setattr("rulewright.cli.commands.score.score_items", lambda *_: 1 / 0)
    done = call("score", "narrows")
    assert done.status == 3
    assert "please report it" in done.err
    assert "Traceback" not in done.err
    assert call("score", "narrows", "--json").json["errors"][0]["code"] == "internal"
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert "Traceback" in call("score", "narrows").err


class Interrupting:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "interrupted",
    [lambda *_: Interrupting().__set_name__(int, ""), lambda *_: type("Made", (), {"late": Interrupting()})],
    ids=["anywhere", "while a class is made"],
)
def test_an_interrupt_has_status_130(interrupted, call, monkeypatch):
    monkeypatch.setattr("rulewright.cli.commands.score.score_items", interrupted)
    assert call("score", "narrows").status == 130


def test_solve_document_is_that_of_the_contract(call):
    document = call("solve", "narrows", "--json").json
    assert document["puzzle"] == "narrows"
    assert document["rules"] == ["shoals"]
    assert (document["status"], document["score"], document["bound"]) == ("optimal", 8, 8)
    assert document["verified"] is True
    assert document["expected"] == 8
    first = document["plan"][0]
    assert first["player"] == 1
    assert first["text"] == "lay plain south"
    assert first["action"] == "lay"
    assert first["arguments"] == {"tile": "plain", "to": [1, 2]}


def test_a_variant_is_solved_without_the_expectation(call):
    document = call("solve", "narrows", "--variant", "bright.rules", "--json").json
    assert document["rules"] == ["shoals", "bright"]
    assert document["score"] == 14
    assert document["expected"] is None


def test_a_variant_is_taken_by_path_wherever_it_and_the_puzzle_are(call, folder):
    (folder / "variants").mkdir()
    (folder / "bright.rules").rename(folder / "variants" / "bright.rules")
    (folder / "puzzles").mkdir()
    for name in ("narrows.puzzle", "shoals.rules"):
        (folder / name).rename(folder / "puzzles" / name)
    os.chdir(folder / "variants")
    for command in ("solve", "score", "actions", "show"):
        assert call(command, "../puzzles/narrows.puzzle", "--variant", "bright.rules").status == 0, command
    os.chdir(folder / "puzzles")
    assert call("solve", "narrows", "--variant", "../variants/bright.rules", "--json").json["score"] == 14
    assert "RW106" in call("solve", "narrows", "--variant", "../variants/night.rules").err


def test_a_hint_shows_the_first_actions_only(call):
    assert len(call("solve", "narrows", "--hint", "1", "--json").json["plan"]) == 1
    assert "lay bay" not in call("solve", "narrows", "--hint", "2").out


def test_all_best_plans_up_to_a_number(call):
    document = call("solve", "narrows", "--all", "50", "--json").json
    assert document["all_plans"] is True
    assert len(document["plans"]) == 6
    assert all(plan[-1]["score"] == 8 for plan in document["plans"])
    assert document["count"] == 6
    some = call("solve", "narrows", "--all", "2", "--json").json
    assert some["plans"] == document["plans"][:2]
    assert some["all_plans"] is False


def test_best_plans_are_counted(call):
    document = call("solve", "narrows_counted", "--json").json
    assert (document["status"], document["score"], document["count"], document["expected"]) == ("optimal", 8, 6, 6)
    Path("narrows_counted.puzzle").write_text(Path("narrows_counted.puzzle").read_text().replace("answer: 6", "answer: 8"))
    assert call("solve", "narrows_counted").status == 1
    late = call("solve", "narrows_counted", "--time", "0", "--json")
    assert late.status == 10 and late.json["count"] is None
    assert "which was not checked" in call("solve", "narrows_counted", "--time", "0").out


def test_an_expected_answer_that_was_not_proved_is_said(call):
    late = call("solve", "narrows", "--time", "0")
    assert late.status == 10
    assert "the puzzle expects 8, which was not checked" in late.out


@pytest.mark.parametrize(("answer", "status"), [("no", 0), ("impossible", 0), ("yes", 1)])
def test_an_expected_answer_may_be_a_word(call, answer: str, status: int):
    Path("too_far.puzzle").write_text(f"{Path('too_far.puzzle').read_text().rstrip()}\n    answer: {answer}\n")
    document = call("solve", "too_far", "--json")
    assert (document.status, document.json["status"], document.json["expected"]) == (status, "impossible", answer)
    assert ("the puzzle expects yes" in call("solve", "too_far").out) == bool(status)
    assert answer in [puzzle["answer"] for puzzle in call("list", "--json").json["puzzles"]]


def test_why_best_plans_are_not_counted(call):
    late = call("solve", "narrows_counted", "--time", "0", "--json").json
    assert late["uncounted"] is None and late["counted_as"] is None
    found = call("solve", "narrows_counted", "--json").json
    assert found["uncounted"] is None and found["counted_as"] in ("sequences", "sets", "up to order")


def test_key_cooks_and_duals(call):
    found = call("solve", "narrows", "--unique", "--json").json["unique"]
    assert found == {
        "plan": False,
        "key": "lay plain south",
        "cooks": ["lay bay south"],
        "duals": [],
        "up_to_order": True,
    }
    alone = call("solve", "wrong_answer", "--unique", "--json").json["unique"]
    assert alone["cooks"] == ["lay plain east", "lay plain south", "lay plain west"]
    assert call("solve", "narrows", "--unique", "--time", "0", "--json").json["unique"] is None


WITHOUT_AN_ANSWER = {
    "a position that cannot be": ("hand 1: plain x4", "ask: maximise score until end", "RW320"),
    "no such point": ("", "ask: maximise score for 2 rounds", "RW330"),
    "no turns": ("", "ask: maximise score for 0 turns", "RW330"),
    "no such score": ("", "ask: maximise scores until end", "RW110"),
    "no number": ("", "ask: reach lit >= 2 until end", "RW110"),
}


@pytest.mark.parametrize("name", WITHOUT_AN_ANSWER)
def test_questions_and_positions_that_make_no_sense(name, call, folder):
    line, ask, code = WITHOUT_AN_ANSWER[name]
    Path("odd.puzzle").write_text(
        f"puzzle odd:\n    rules shoals\n    players 1\n    sea:\n        rock@1\n    {line}\n    {ask}\n"
    )
    done = call("solve", "odd", "--json")
    assert done.status == 2
    error, *_ = done.json["errors"]
    assert error["code"] == code and error["line"] and error["message"]


LARGE_HAND = """puzzle large_hand:
    rules beacon_patrol
    players 1
    sea:
        hq@1
    hand 1: open x4
    ask: maximise score until end
"""


def test_a_hand_larger_than_the_rules_allow(call, folder):
    Path("large_hand.puzzle").write_text(LARGE_HAND)
    done = call("solve", "large_hand")
    assert done.status == 2
    assert "a hand is larger than the rules allow" in done.err and "hand 1: open x4" in done.err


ENDLESS = """module endless:
    "A lamp."
state:
    lit: truth
    blinks: 0..999999
action blink:
    effect change: lit := not lit
    effect note: blinks += 1
flow:
    repeat: turn: choose blink{}
score blinks: blinks
"""


@pytest.mark.parametrize(("choice", "code"), [("", "RW331"), (", or stop", "RW332")])
def test_play_without_an_end_and_a_score_without_a_bound(choice, code, call, folder):
    rules = ENDLESS.format(choice).replace("repeat: turn: choose", "repeat:\n        turn: choose")
    Path("endless.rules").write_text(rules)
    Path("odd.puzzle").write_text("puzzle odd:\n    rules endless\n    ask: maximise score until end\n")
    done = call("solve", "odd")
    assert done.status == 2
    assert f"error[{code}]" in done.err and "odd.puzzle:3:10" in done.err


def test_an_impossible_question_is_proved(call):
    document = call("solve", "too_far", "--json").json
    assert (document["status"], document["score"], document["plan"]) == ("impossible", None, [])


def test_score_items_add_up(call):
    document = call("score", "narrows", "--json").json
    assert document["score"] == sum(item["points"] for item in document["items"]) == 4
    lamp = document["items"][1]
    assert (lamp["rule"], lamp["cell"], lamp["tile"], lamp["case"]) == ("tiles_laid", [1, 1], "rock", "worth.lamp")


def test_why_names_rule_file_line_module_and_clause(call):
    document = call("actions", "narrows", "--why", "lay bay north", "--json").json
    assert document["legal"] is False
    assert [failure["requirement"] for failure in document["failed"]] == ["lay.vacant", "lay.by_water"]
    failure = document["failed"][1]
    assert failure["message"] == "a boat cannot cross land"
    assert (failure["file"], failure["module"], failure["cite"]) == ("shoals.rules", "shoals", "sh.water")
    source = (Path(__file__).parent / "project" / "shoals.rules").read_text().splitlines()
    assert "by_water" in source[failure["line"] - 1]
    legal = call("actions", "narrows", "--why", "lay bay south", "--json").json
    assert (legal["legal"], legal["failed"]) == (True, [])


def test_hidden_zones_stay_hidden_in_json(call):
    state = call("show", "narrows", "--json").json["state"]
    assert state["hand"] == {"1": ["plain", "bay"], "2": {"hidden": 1}}
    assert state["draw"] == {"hidden": 1}
    text = Path("narrows.puzzle").read_text().replace("draw: cape", "draw: cape open")
    Path("narrows.puzzle").write_text(text)
    assert call("show", "narrows", "--json").json["state"]["draw"] == ["cape"]


def test_the_order_of_arguments_of_json_does_not_matter(call):
    assert call("actions", "--json", "narrows").json == call("actions", "narrows", "--json").json


def test_errors_keep_to_text_when_nobody_asks_for_json(call):
    done = call("check", "nothing")
    with pytest.raises(json.JSONDecodeError):
        json.loads(done.err)
