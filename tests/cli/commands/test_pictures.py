"""Commands draw what they print: refusals, histograms, clauses, and pages of what a change does."""

from __future__ import annotations

from pathlib import Path

import pytest

LOUD = """module loud:
    extends shoals

change worth:
    replace lamp: 5
"""


def drawn(name: str) -> str:
    return Path(name).read_text("utf-8")


def test_a_refusal_is_drawn(call):
    (first, *_) = call("actions", "narrows", "--json").json["legal"]
    done = call("actions", "narrows", "--why", first, "--svg", "why.svg", "--dark")
    assert (done.status, done.err) == (0, "wrote why.svg\n")
    assert f"`{first}` is legal" in drawn("why.svg")


def test_a_list_of_actions_is_no_picture(call):
    done = call("actions", "narrows", "--svg", "all.svg")
    assert done.status == 2 and "--why ACTION" in done.err
    assert not Path("all.svg").exists()


def test_a_histogram_is_drawn(call):
    done = call("simulate", "narrows", "--games", "20", "--workers", "1", "--svg", "scores.svg")
    assert done.status == 0 and "wrote scores.svg" in done.err
    assert "20 games, " in drawn("scores.svg")


def test_a_histogram_that_cannot_be_written_is_told_before_the_games(call):
    done = call("simulate", "narrows", "--games", "1000000", "--svg", "no_such_folder/scores.svg")
    assert done.status == 2 and "cannot be written" in done.err


def test_clauses_are_drawn(call):
    done = call("tree", "worth", "--of", "shoals", "--svg", "worth.svg", "--json")
    assert done.status == 0
    names = [clause["clause"] for clause in done.json["clauses"]]
    assert len(names) > 1 and "define worth" in drawn("worth.svg")
    assert drawn("worth.svg").count("shoals.rules:") >= len(names)


def test_changed_answers_are_side_by_side(call, folder: Path):
    (folder / "loud.rules").write_text(LOUD, "utf-8")
    done = call("diff", "shoals", "loud.rules", "--on", "narrows", "--workers", "1", "--html", "changes.html")
    assert done.status == 0 and "wrote changes.html" in done.err
    page = drawn("changes.html")
    assert "<h2>worth.lamp</h2>" in page and page.count("<figure>") == 2
    assert "Before: answer" in page and "After: answer" in page and "<script" not in page


def test_a_page_of_changes_needs_puzzles(call):
    done = call("diff", "shoals", "shoals", "--html", "changes.html")
    assert done.status == 2 and "--on PUZZLES" in done.err


@pytest.mark.parametrize("name", ["no_such_folder/changes.html", "."])
def test_a_page_of_changes_that_cannot_be_written_is_told_first(call, name: str):
    done = call("diff", "shoals", "shoals", "--on", "narrows", "--html", name)
    assert done.status == 2 and "cannot be written" in done.err
