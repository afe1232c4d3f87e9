"""Optima that are known from the literature, found and proved. No enumeration reaches most of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.plans.best_plans import best_plans_of
from rulewright.solver.result import Limits, Status
from rulewright.studies.verified_plan import proved_answer
from tests.paths import ROOT

KNOWN = sorted((ROOT / "puzzles" / "library" / "classics" / "known").glob("*.puzzle"))


SLOW = {"pentominoes_strip"}


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.campaign] if path.stem in SLOW else [], id=path.stem) for path in KNOWN]
)
def test_the_known_optimum_is_proved(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=240))
    number = None
    if position.question.goal is Goal.COUNT_BEST and result.score is not None:
        number = best_plans_of(position.asked, position.root, position.question, result.score, Limits(seconds=60)).number
    assert result.status is Status.OPTIMAL and proved_answer(result, position.question, number) == position.puzzle.answer
    state = position.root
    for move in result.plan:
        assert move in position.asked.legal(state)
        state = position.asked.apply(state, move)
    assert position.asked.over(state)


def test_there_are_some() -> None:
    assert len(KNOWN) >= 7
