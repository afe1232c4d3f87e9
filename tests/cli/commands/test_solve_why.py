"""`solve --why`: each change is one that an author could make, and comes to what `solve` says under it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

KEYS = {"name", "change", "rules", "score", "gain", "proved", "problem", "message", "module", "file", "line"}


def why(call, puzzle, *more):
    done = call("solve", puzzle, "--why", "--json", *more)
    return {(reason["name"], reason["change"]): reason for reason in done.json["why"]}


def test_what_is_tried(call):
    found = why(call, "narrows")
    assert set(found) == {
        ("lay.vacant", "dropped"),
        ("lay.by_water", "dropped"),
        ("hand 1", "one more bay"),
        ("hand 1", "one more plain"),
        ("hand 2", "one more twins"),
        ("draw", "one more cape"),
    }
    assert all(set(reason) == KEYS for reason in found.values())
    by_water = found["lay.by_water", "dropped"]
    assert (by_water["message"], by_water["module"]) == ("a boat cannot cross land", "shoals")
    assert Path(by_water["file"]).name == "shoals.rules"
    line = Path("shoals.rules").read_text().splitlines()[by_water["line"] - 1]
    assert line.strip() == "require by_water:"
    assert found["lay.vacant", "dropped"]["problem"] == "RW362"


def test_numbers_that_no_table_of_the_text_gives_are_left_alone(call):
    Path("counted.rules").write_text("module counted:\n    extends shoals\n\nscore bays: copies(bay)\n")
    assert set(why(call, "narrows", "--variant", "counted.rules")) == set(why(call, "narrows"))


def test_gains_come_first_and_what_is_open_last(call):
    gains = [reason["gain"] for reason in why(call, "narrows").values()]
    known = [gain for gain in gains if gain is not None]
    assert known == sorted(known, reverse=True) and known[0] > 0 and gains[-1] is None


def test_a_change_of_the_rules_is_a_variant(call):
    for reason in why(call, "narrows").values():
        if reason["rules"] and not reason["problem"]:
            text = f"module otherwise:\n    extends shoals\n\n{reason['rules']}"
            Path("otherwise.rules").write_text(text)
            under = call("solve", "narrows", "--variant", "otherwise.rules", "--json").json
            assert (under["score"], under["status"]) == (reason["score"], "optimal")
            assert reason["proved"] and reason["gain"] == under["score"] - 8


def test_a_change_of_the_position_is_a_line_of_the_puzzle(call):
    reason = why(call, "narrows")["hand 1", "one more bay"]
    text = Path("narrows.puzzle").read_text()
    line = text.splitlines()[reason["line"] - 1]
    assert line.strip() == "hand 1: bay, plain"
    more = text.replace("hand 1: bay, plain", "hand 1: bay x2, plain").replace("puzzle narrows:", "puzzle more:")
    Path("more.puzzle").write_text(more + "    allow impossible position\n")
    assert call("solve", "more", "--json").json["score"] == reason["score"] == 9


def test_limits_of_a_table_and_numbers_of_a_position(call, folder):
    Path("ferry.rules").write_text(FERRY)
    Path("crossing.puzzle").write_text(CROSSING)
    found = why(call, "crossing")
    assert found["purse.coins[1]", "1 -> 2"]["gain"] == 1
    assert found["purse.coins[1]", "1 -> 0"]["gain"] == 0
    assert found["coins 1", "2 -> 3"]["gain"] == 1
    assert found["days", "0 -> 1"]["gain"] == 0
    assert ("purse.coins[2]", "5 -> 6") not in found
    assert ("ink", "3 -> 4") not in found
    assert Path("ferry.rules").read_text().splitlines()[found["purse.coins[1]", "1 -> 2"]["line"] - 1].strip() == "1:       1"
    assert found["cross.paid", "dropped"]["problem"] == "RW361"


def test_the_least_and_what_cannot_be_reached(call, folder):
    Path("ferry.rules").write_text(FERRY)
    least = CROSSING.replace("maximise crossings", "minimise 9 - crossings")
    Path("crossing.puzzle").write_text(least)
    assert why(call, "crossing")["coins 1", "2 -> 3"]["gain"] == 1
    assert "coins 1 2 -> 3         5, -1  crossing.puzzle:4" in call("solve", "crossing", "--why").out
    Path("crossing.puzzle").write_text(CROSSING.replace("maximise crossings", "reach crossings >= 4"))
    reached = why(call, "crossing")
    assert reached["coins 1", "2 -> 3"]["gain"] == 1 and reached["days", "0 -> 1"]["gain"] == 0
    assert "reached" in call("solve", "crossing", "--why").out


def test_without_time_nothing_is_claimed(call, monkeypatch):
    monkeypatch.setattr("rulewright.studies.sensitivity.answer", lambda *_: pytest.fail("no time is left"))
    done = call("solve", "narrows", "--why", "--time", "0", "--json")
    assert done.json["status"] != "optimal" or all(reason["gain"] is None for reason in done.json["why"])


def test_in_words(call, snapshot):
    said = re.sub(r"\d+\.\d\d s\b", "TIME s", call("solve", "narrows", "--why", "--hint", "1").out)
    assert said == snapshot


FERRY = """module ferry:
    "Two days of crossings; each costs a coin."
players 1..2
table purse by players:
    players: coins
    1:       1
    2:       5
state:
    coins of player: 0..9
    days: 0..9
    ink: 0..9 = 3
    crossings: 0..9
action cross:
    require paid: coins of player >= 1 else "no coin is left"
    effect pay: coins of player -= 1
    effect count_it: crossings += 1
procedure night:
    pay: coins of player := purse.coins(player_count)
    pass: days += 1
    scribble: ink := 3
flow:
    repeat until days >= 2:
        for player in players:
            turn:
                repeat: choose cross, or stop
                night
score crossings: crossings
"""

CROSSING = """puzzle crossing:
    rules ferry
    players 1
    coins 1: 2
    start: turn of 1
    ask: maximise crossings until end
"""
