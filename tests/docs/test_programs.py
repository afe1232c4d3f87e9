"""The programs of docs/examples: short, and they run and print what they are for."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

EXAMPLES = ROOT / "docs" / "examples"
LONGEST = 20
"""Lines of code in a program."""

PRINTS = {
    "bot": "won ",
    "change_a_number": "4 tokens: 7 (optimal)",
    "monte_carlo": "drop (0,3)",
    "openings": "place (1,1)  draw",
    "perft": "4 3024 756",
    "pictures": "19 pictures in overboard_pictures",
    "puzzle_book": "| overboard | maximise score until end | 7 | 19 |",
    "race": "OpenSpiel",
    "reasons": "3 there is no tile there [bp.move.adjacent]",
    "tournament": "of 600",
}


def test_every_program_is_tried() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(PRINTS)


@pytest.mark.nightly
@pytest.mark.parametrize("name", PRINTS)
def test_a_program_prints_what_it_is_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = EXAMPLES / f"{name}.py"
    code = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) <= LONGEST
    (tmp_path / "overboard.puzzle").write_text((ROOT / "puzzles/library/beacon_patrol/overboard.puzzle").read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path), "."])
    runpy.run_path(str(path), run_name="__main__")
    assert PRINTS[name] in capsys.readouterr().out


@pytest.mark.nightly
def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    cells = json.loads((EXAMPLES / "change_a_rule.ipynb").read_text())["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "change_a_rule.ipynb", "exec"), names)
    before, after = names["before"], names["after"]
    assert isinstance(before, dict) and isinstance(after, dict)
    assert sum(before["score"]) != sum(after["score"])
