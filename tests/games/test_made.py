"""The puzzles that `make` has made and that ship: well told, solved as they say, all different; proved anew in the campaign."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.studies.making.composition import canonical_digest, laid_open
from rulewright.studies.making.move_values import MoveValues
from rulewright.studies.making.run import MADE_BY
from rulewright.studies.verdicts import check_verdicts

FILES = sorted((SHIPPED / "made").rglob("*.puzzle"))
CATALOGUE = Catalogue(Project(SHIPPED / "made"))


@cache
def position_of(path: Path) -> Position:
    return CATALOGUE.position(path)


def test_sixty_in_five_grades_of_many_games() -> None:
    texts = [path.read_text("utf-8") for path in FILES]
    assert len(texts) == 60 and all(text.startswith(MADE_BY) for text in texts)
    grades = Counter(grade.number for path in FILES if (grade := CATALOGUE.read(path).grade))
    assert set(grades) == {1, 2, 3, 4, 5} and min(grades.values()) >= 5 and grades.total() == 60
    rules = {name for path in FILES for name, _ in CATALOGUE.read(path).rules}
    for game in ("beacon_patrol", "penguin_pirates", "classics.", "house.", "beacon_patrol.ships"):
        assert any(name.startswith(game) for name in rules), game


def test_no_two_are_the_same() -> None:
    assert len({canonical_digest(position_of(path)) for path in FILES}) == len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_solution_comes_to_the_answer(path: Path) -> None:
    position = position_of(path)
    puzzle, question = position.puzzle, position.question
    assert puzzle.name == path.stem and question is not None
    assert laid_open(puzzle, position.engine.game) == puzzle  # nothing that the answer rests on lies face down
    check_verdicts(position)
    accepted = puzzle.plans[0]
    end = replay(position.asked, position.root, accepted.actions)[-1].state
    if question.goal is Goal.LEAST:
        assert question.until is not None and position.asked.value(question.until, end)
        assert puzzle.answer == len(accepted.actions)
    else:
        assert position.asked.over(end)
        assert puzzle.answer == sum(position.asked.value(value, end) for value in question.values)


@pytest.mark.campaign
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_key(path: Path) -> None:
    """The answer is proved, and, where the puzzle says so, one first action is right."""
    position = position_of(path)
    values = MoveValues(position, 60.0, 1024)
    assert values.sign * values.optimum == position.puzzle.answer
    right = [move for move in values.engine.legal(position.root) if values.keeps(position.root, move, values.optimum)]
    assert len(right) == 1 or "one of which is right" not in position.puzzle.text
