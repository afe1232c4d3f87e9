"""Each puzzle that ships is asked, and answers what it says: some minutes, as each question is compiled anew."""

from __future__ import annotations

import pytest

from rulewright.puzzles.catalogue import SHIPPED as PUZZLES
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.records.expectations import SolvedPuzzle
from tests.games.castles_by_the_sea.test_puzzles import ENTRIES

SECONDS = 60
PROJECT = Project(SHIPPED)
FOLDER = PUZZLES / "castles_by_the_sea"


def solved(name: str) -> SolvedPuzzle:
    return SolvedPuzzle(FOLDER / f"{name}.puzzle", PROJECT, SECONDS)


def test_each_puzzle_that_asks_says_what_is_answered() -> None:
    assert {path.stem for path in FOLDER.glob("*.puzzle")} == set(ENTRIES)
    assert [name for name in ENTRIES if (puzzle := solved(name).puzzle).ask is None or puzzle.answer is None] == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_a_puzzle_has_the_answer_that_it_says(name: str) -> None:
    one = solved(name)
    assert one.answer == one.puzzle.answer
