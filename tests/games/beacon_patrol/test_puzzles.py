"""The puzzles that ship for this game, held against the independent solver."""

from __future__ import annotations

import pytest

from rulewright.grammar.to_text import print_puzzle
from rulewright.solver.result import Status
from rulewright.studies.verdicts import check_verdicts
from tests.games.beacon_patrol.oracle import base_game as judge
from tests.games.beacon_patrol.oracle import exact_solver as solver
from tests.puzzles.positions import CATALOGUE, SEA
from tests.solver.asking import searched

SHIPPED = [entry for entry in CATALOGUE.puzzles if entry.path.parent.name == SEA]
FEW, MANY = 4, 8
"""Up to so many tiles the independent solver answers in a moment, and at all."""


def tiles_to_come(state: judge.State) -> int:
    return len(state.draw) + sum(map(len, state.hands))


def test_there_is_something_for_everybody() -> None:
    states = [judge.parse_puzzle(entry.path.read_text(encoding="utf-8")) for entry in SHIPPED]
    assert len(states) >= 12
    assert sum(state.players == 2 for state in states) >= 4
    assert {state.players for state in states} == {1, 2, 3, 4}
    assert {tiles_to_come(state) for state in states} >= {3, 4, 5, 6}


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_puzzle_is_well_told(entry) -> None:  # type: ignore[no-untyped-def]
    position = CATALOGUE.position(entry.name)
    assert entry.name == entry.path.stem == position.puzzle.name
    assert entry.text.endswith((".", "!", "?")) and position.puzzle.text == entry.text
    assert print_puzzle(position.puzzle) == entry.path.read_text(encoding="utf-8")
    assert position.question is not None
    check_verdicts(position)


def proved(tiles: range) -> list[str]:
    states = {entry.name: judge.parse_puzzle(entry.path.read_text(encoding="utf-8")) for entry in SHIPPED}
    answered = {entry.name for entry in SHIPPED if entry.answer is not None}
    return [name for name, state in states.items() if name in answered and tiles_to_come(state) in tiles]


def solved(name: str) -> tuple[int, int | None]:
    entry = next(entry for entry in SHIPPED if entry.name == name)
    return solver.solve(judge.parse_puzzle(entry.path.read_text(encoding="utf-8"))), entry.answer


@pytest.mark.parametrize("name", proved(range(FEW + 1)))
def test_answer(name: str) -> None:
    best, answer = solved(name)
    assert best == answer


@pytest.mark.campaign
@pytest.mark.parametrize("name", proved(range(FEW + 1, MANY + 1)))
def test_answer_of_many_tiles(name: str) -> None:
    best, answer = solved(name)
    assert best == answer


@pytest.mark.campaign
@pytest.mark.parametrize("name", proved(range(MANY + 1, 100)))
def test_answer_of_more_tiles_than_the_judge_can_take(name: str) -> None:
    """The exact search's word alone."""
    position = CATALOGUE.position(name)
    assert position.question is not None
    result = searched(position.asked, position.state, position.question, seconds=300)
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
