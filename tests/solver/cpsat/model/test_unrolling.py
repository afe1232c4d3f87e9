"""The unrolled model of shipped puzzles."""

from __future__ import annotations

import pytest

from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.symbolic.circuit import ModelTooLarge
from rulewright.solver.cpsat.process.job import Job, ModelKind
from rulewright.solver.cpsat.process.worker import model_of


@pytest.mark.parametrize(
    ("most_variables", "said"),
    [
        (300, r"more than 300 variables for \d of \d+ moves, in line 50 of jumping\.rules"),
        (900, r"more than 900 variables for \d of \d+ moves, in `jump\.\w+`, line 4\d of jumping\.rules"),
    ],
)
def test_a_model_that_is_too_large_says_for_how_many_moves_and_where(most_variables: int, said: str) -> None:
    position = Catalogue(Project(SHIPPED)).position(next(SHIPPED.rglob("peg_cross.puzzle")))
    asked = position.asked, position.root, position.question
    assert position.question is not None
    with pytest.raises(ModelTooLarge, match=said):
        model_of(Job(ModelKind.UNROLLED, *asked, seconds=1.0, most_variables=most_variables))
