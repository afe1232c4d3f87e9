"""Ricochet Robots: the answers found again breadth first, by a judge of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import proved_answer, verified_steps
from tests.games.classics.robots import fewest_moves, read
from tests.paths import ROOT

FOLDER = ROOT / "puzzles" / "library" / "classics" / "robots"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.puzzle")), ids=lambda path: path.stem)
def test_the_answer_is_proved_and_judged(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=120))
    found = proved_answer(result, position.question)
    assert found == position.puzzle.answer
    assert found == (fewest_moves(*read(path.read_text("utf-8"))) or Verdict.IMPOSSIBLE)
    assert len(verified_steps(position.asked, position.root, position.question, result)) == (result.score or 0)
