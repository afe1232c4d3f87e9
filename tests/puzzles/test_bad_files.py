"""Modules that do not link and puzzles that cannot be asked, with what is said of them recorded beside them.

Set RULEWRIGHT_RECORD=1 to record anew, and read the difference. What does not parse is tested in tests/grammar.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.static.static_checks import check_game
from rulewright.solver.answer.portfolio import check_question
from tests.paths import ROOT

BAD = [path for path in sorted((ROOT / "tests/cases/bad").glob("RW[1-9]*")) if path.suffix != ".json"]


def refuse(path: Path) -> None:
    """Link and check a module; set up a puzzle, and look at what it asks. Raises `RulesError`."""
    project = Project(path.parent)
    if path.suffix == ".rules":
        check_game(project.load(path)).stop()
        return
    position = Catalogue(project).position(path)
    if position.question is not None:
        check_question(position.asked, position.root, position.question)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_bad_files_are_refused_as_recorded(path: Path) -> None:
    record = path.with_name(path.name + ".json")
    with pytest.raises(RulesError) as caught:
        refuse(path)
    found = [
        {"code": d.code, "line": d.span.line, "column": d.span.column, "message": d.message, "help": d.help}
        for d in caught.value.diagnostics
        if d.span
    ]
    if os.environ.get("RULEWRIGHT_RECORD"):
        record.write_text(json.dumps({"diagnostics": found}, indent=2, ensure_ascii=False) + "\n", "utf-8")
    assert found == json.loads(record.read_text("utf-8"))["diagnostics"]
    assert path.name[:5] in {diagnostic["code"] for diagnostic in found}
