"""The catalogue: modules, and puzzles by game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def names(document: dict, kind: str) -> list[str]:
    return [entry["name"] for entry in document[kind]]


def test_the_folder_and_what_ships(call):
    document = call("list", "--json").json
    assert {"name": "shoals", "file": "shoals.rules", "text": "Lay tiles along the shore, by turns."} in document["modules"]
    narrows = {"name": "narrows", "file": "narrows.puzzle", "rules": ["shoals"], "answer": 8}
    narrows |= {"game": "shoals", "text": "Two boats between the capes.", "asks": True}
    narrows |= {"grade": None, "length": {"count": 3, "of": "turn"}, "themes": []}
    assert narrows in document["puzzles"]
    assert any(Path(module["file"]).is_absolute() for module in document["modules"])


def test_puzzles_are_listed_below_their_game(call):
    rows = call("list").out.splitlines()
    headings = [row for row in rows if row and not row.startswith(" ")]
    assert headings[0] == "modules" and "puzzles of shoals" in headings
    assert headings[1:-1] == sorted(headings[1:-1])
    shoals = rows[rows.index("puzzles of shoals") + 1 :]
    own = shoals[: shoals.index("")]
    assert [row.split()[0] for row in own] == ["narrows", "narrows_counted", "too_far", "wrong_answer"]
    assert own[0].endswith("Two boats between the capes.  (narrows.puzzle)")
    german = next(row for row in rows if "german_tokens_for_tiles" in row)
    assert rows.index(german) > rows.index("puzzles of beacon_patrol") and german.endswith("spent.")


def test_puzzles_without_a_question_are_listed_when_asked_for(call):
    few, every = call("list", "shoals", "--json").json, call("list", "shoals", "--all", "--json").json
    assert "mute" not in names(few, "puzzles") and few["left_out"] == 1
    assert "mute" in names(every, "puzzles") and every["left_out"] == 0
    assert "not listed: 1 puzzle without a question; `--all` lists them" in call("list", "shoals").out
    assert "not listed" not in call("list", "shoals", "--all").out
    assert call("list", "mute").out == "not listed: 1 puzzle without a question; `--all` lists them\n"


def test_a_word_selects_by_name_text_and_module(call):
    assert names(call("list", "NARROWS", "--json").json, "puzzles") == ["narrows", "narrows_counted"]
    assert names(call("list", "between the capes", "--json").json, "puzzles") == ["narrows"]
    piers = call("list", "piers", "--json").json
    assert names(piers, "modules") == ["beacon_patrol.piers", "beacon_patrol.ships.ferry"]
    assert "ferry_long_haul" not in names(piers, "puzzles") and "piers_two_coasts" in names(piers, "puzzles")
    assert set(names(call("list", "house.", "--json").json, "modules")) >= {"house.tide", "house.fog"}


@pytest.mark.usefixtures("no_library")
def test_a_word_that_nothing_has(call):
    done = call("list", "narows")
    assert (done.status, done.out) == (2, "")
    assert "nothing matches `narows`" in done.err and "did you mean `narrows`?" in done.err
    assert call("list", "xyzzy", "--json").json["errors"][0]["hint"] == "`rulewright list` shows everything"


def test_what_is_there_for_tests_is_not_listed_but_known(call, folder):
    (folder / "tests" / "deep").mkdir(parents=True)
    for name in ("shoals.rules", "narrows.puzzle"):
        text = (folder / name).read_text().replace("shoals", "trial").replace("narrows", "attempt")
        (folder / "tests" / "deep" / name).write_text(text)

    def listed(*arguments: str) -> set[str]:
        document = call("list", *arguments, "--json").json
        return {*names(document, "modules"), *names(document, "puzzles")}

    assert "shoals" in listed() and not {"trial", "attempt"} & listed()
    assert {"trial", "attempt"} <= listed("--all")
    assert "not listed: 2 files in folders called `tests`, " in call("list").out
    assert call("score", "attempt", "--json").json["score"] == call("score", "narrows", "--json").json["score"]


def test_another_copy_of_the_library_is_left_out_with_a_word(call, folder):
    for room in ("rules", "puzzles"):
        (folder / "clone" / room / "library").mkdir(parents=True)
        (folder / "clone" / room / "__init__.py").touch()
    for name in ("one", "other"):
        (folder / "clone" / "puzzles" / "library" / f"{name}.puzzle").write_text("puzzle twice:\n    rules shoals\n")
    said = "left out: `clone` is another copy of Rulewright and its library\n"
    found = call("list", "--all", "--json")
    assert found.err == said and "twice" not in names(found.json, "puzzles")
    assert call("check", ".").err.startswith(said)


def test_grade_length_and_themes_stand_beside_the_name(call, folder):
    text = (folder / "narrows.puzzle").read_text().replace("puzzle narrows:", "puzzle graded:")
    about = "    rules shoals\n    grade 2\n    themes detour,\n        quiet_move\n"
    (folder / "graded.puzzle").write_text(text.replace("    rules shoals\n", about))
    found = {one["name"]: one for one in call("list", "shoals", "--json").json["puzzles"]}
    assert [found["graded"][key] for key in ("grade", "themes", "length")] == [
        2,
        ["detour", "quiet_move"],
        {"count": 3, "of": "turn"},
    ]
    rows = call("list", "shoals").out.splitlines()
    facts = {row.split()[0]: row for row in rows if "capes." in row}
    assert "  grade 2, 3 turns, detour, quiet_move  Two boats" in facts["graded"]
    assert facts["graded"].index("Two boats") == facts["narrows"].index("Two boats") and "  3 turns  " in facts["narrows"]
    assert "  127 moves  " in call("list", "hanoi_seven").out  # by its answer


def test_a_terminal_gets_the_list_in_a_pager(call, folder, monkeypatch: pytest.MonkeyPatch):
    expected = call("list", "shoals").out
    monkeypatch.setattr("rulewright.cli.views.output.is_interactive", lambda stream: True)
    monkeypatch.setenv("PAGER", "cat > paged")
    assert call("list", "shoals").out == ""
    assert re.sub(r"\x1b\[[0-9]*m", "", (folder / "paged").read_text("utf-8")) == expected
    assert call("list", "shoals", "--json").out.startswith("{")
