"""`show` draws to files what it prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def test_a_picture_is_written(call):
    done = call("show", "narrows", "--svg", "narrows.svg", "--dark", "--cell", "20")
    assert (done.status, done.out, done.err) == (0, "", "wrote narrows.svg\n")
    assert Path("narrows.svg").read_text("utf-8").startswith("<svg")


def test_the_document_is_printed_beside_a_picture(call):
    done = call("show", "narrows", "--svg", "narrows.svg", "--json")
    assert done.json == call("show", "narrows", "--json").json
    assert Path("narrows.svg").is_file()


def test_png_is_made_where_it_can_be(call):
    pytest.importorskip("resvg_py")
    assert call("show", "towers_built", "--png", "towers.png").status == 0
    assert Path("towers.png").read_bytes().startswith(b"\x89PNG")


def test_without_what_makes_png_nothing_is_written(call, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = call("show", "narrows", "--svg", "narrows.svg", "--png", "narrows.png")
    assert done.status == 2
    assert 'run `pip install "resvg-py>=0.2"`, or use SVG' in done.err
    assert not Path("narrows.svg").exists()


@pytest.mark.parametrize("name", ["no_such_folder/narrows.svg", "."])
def test_a_file_that_cannot_be_written_is_told(call, name: str):
    done = call("show", "narrows", "--svg", name)
    assert done.status == 2
    assert "cannot be written" in done.err


def test_there_must_be_such_a_player(call):
    done = call("show", "narrows", "--for", "9")
    assert done.status == 2
    assert "there is no player 9" in done.err


def test_a_solution_is_a_page(call):
    done = call("solve", "narrows", "--html", "narrows.html")
    assert done.err.endswith("wrote narrows.html\n")
    page = Path("narrows.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "The best possible: score" in page


def test_a_page_that_cannot_be_written_is_told_before_the_search(call):
    done = call("solve", "narrows", "--html", "no_such_folder/narrows.html")
    assert (done.status, done.out) == (2, "")
    assert "cannot be written" in done.err


@pytest.mark.parametrize("arguments", [("show", ".", "--svg", "all.svg"), ("solve", ".", "--html", "all.html")])
def test_a_folder_is_no_picture(call, arguments: tuple[str, ...]):
    done = call(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "name a puzzle or a module" in done.err
    assert not Path(arguments[-1]).exists()


def test_what_draws_is_loaded_for_a_picture_only(folder: Path):
    script = "import sys; from rulewright.cli.main import run; run(sys.argv[1:]); print('rulewright.pictures' in sys.modules)"
    for options, loaded in ((), "False"), (("--svg", "narrows.svg"), "True"):
        done = subprocess.run(
            [sys.executable, "-c", script, "show", "narrows", *options], cwd=folder, capture_output=True, text=True, check=True
        )
        assert done.stdout.split()[-1] == loaded


def test_a_position_is_written_as_a_page(call):
    done = call("show", "narrows", "--html", "narrows.html", "--svg", "narrows.svg")
    assert (done.status, done.out, done.err) == (0, "", "wrote narrows.svg\nwrote narrows.html\n")
    page = Path("narrows.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and "data-thing=" in page and "Asked:" in page


def test_of_a_large_position_nothing_is_printed_of_what_is_empty(call):
    """No board of boards, no hazard that is not in the game, nobody who strikes yet; the place of each hazard is there."""
    rows = call("show", "castles_by_the_sea.basic").out.splitlines()
    assert {"boards", "  due", "  striker", "  next"}.isdisjoint(row[:11].rstrip() for row in rows)
    rim = rows.index("rim")
    assert sorted(row.partition(": ")[2] for row in rows[rim + 1 : rim + 4]) == ["Pdragon", "Pgiant", "Pterror"]
    whole = call("show", "castles_by_the_sea.basic", "--all").out
    assert "  striker" in whole
