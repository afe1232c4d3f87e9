"""The sixteen proved positions, held against the independent judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.move_notation import format_move
from tests.games.beacon_patrol.oracle import base_game as judge
from tests.paths import PROVED
from tests.puzzles.positions import at_sea, position, read_state, written

POSITIONS = sorted(PROVED.glob("*.puzzle"))


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_position_is_the_one_that_the_judge_reads(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    here, there = position(text), judge.parse_puzzle(text)
    engine = here.engine
    assert {format_move(engine, here.state, move) for move in engine.legal(here.state)} == set(judge.legal(there))
    assert engine.score(here.state) == judge.score(there)
    assert here.puzzle.answer == judge.parse_answer(text)
    assert isinstance(here.question, Question) and here.question.horizon is None
    assert sum(engine.value(term, here.state) for term in here.question.values) == judge.score(there)


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_position_is_written_as_it_is_read(path: Path) -> None:
    here = position(path.read_text(encoding="utf-8"))
    again = written(here.engine, here.state)
    assert read_state(here.engine, again, "again") == here.state
    assert position(again).state == here.state
    tree = parse_puzzle(again, "again")
    assert tree.drawings == parse_puzzle(path.read_text(encoding="utf-8"), "first").drawings or not tree.settings


def test_the_judge_reads_what_is_written() -> None:
    for path in POSITIONS:
        text = path.read_text(encoding="utf-8")
        here = position(text)
        assert judge.parse_puzzle(written(here.engine, here.state)) == judge.parse_puzzle(text)


def test_a_random_position_of_the_judge_has_its_score() -> None:
    import random

    rng = random.Random(5)
    for players in (1, 2, 3, 4):
        there = judge.random_position(rng, players, 18, 7)
        here = position(judge.to_puzzle(there, "here"))
        assert here.engine.score(here.state) == judge.score(there)
        assert here.engine.player(here.state) == there.player
        moves = {format_move(here.engine, here.state, move) for move in here.engine.legal(here.state)}
        assert moves == set(judge.legal(there))


def test_nothing_but_the_head_is_the_game_after_set_up() -> None:
    here = at_sea("", players=2)
    assert here.state == (*here.engine.start(0)[:1], 0, *here.engine.start(0)[2:])
    assert len(here.engine.legal(here.state)) > 1
