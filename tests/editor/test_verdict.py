"""The language server and `rulewright check` say the same of a file; of one that cannot be read whole, the server also judges
what its readable lines come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import run
from rulewright.editor.project.checks import checked
from rulewright.editor.project.workspace import Workspace

from .ponds import GAME, make_project
from .test_random_edits import Vandal

BAD = Path(__file__).parents[1] / "cases" / "bad"
MUTANTS = 30


def codes_of_server(path: Path) -> set[str]:
    return {one.code for one in checked(Workspace(path.parent), path)}


def codes_of_check(path: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    run(["check", str(path), "--json"])
    said = json.loads(capsys.readouterr().out)
    return {one["code"] for one in (*said.get("errors", ()), *said.get("warnings", ()))}


def agreed(path: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """What the server says, if it agrees with `check`."""
    server, check = codes_of_server(path), codes_of_check(path, capsys)
    is_whole = Workspace(path.parent).reading(path).is_whole
    assert server == check or (not is_whole and check and check < server), path.read_bytes()
    return server


def test_of_texts_that_are_wrong_in_one_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = [path for path in sorted(BAD.glob("RW*")) if path.suffix in (".rules", ".puzzle")]
    shown = 0
    for number, path in enumerate(found):
        copy = tmp_path / str(number) / path.name
        copy.parent.mkdir()
        copy.write_bytes(path.read_bytes())
        shown += path.name[:5] in agreed(copy, capsys)
    assert shown > 60, "some need limits of their own"


def test_of_random_mutants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, *_ = make_project(tmp_path)
    vandal, wrong = Vandal(54), 0
    for _ in range(MUTANTS):
        text = vandal.damaged(vandal.damaged(GAME, GAME), GAME)
        game.write_text(text, "utf-8")
        wrong += bool(agreed(game, capsys))
    assert wrong > MUTANTS / 2


def test_of_a_module_with_the_name_of_one_that_ships(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("module beacon_patrol:\n", "module beacon_patrol:\n    extends (\n"):
        path = tmp_path / "mine.rules"
        path.write_text(text, "utf-8")
        assert "RW117" in agreed(path, capsys)
