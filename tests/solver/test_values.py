"""Local names and other forms of values, answered by search and by looking at every state."""

from __future__ import annotations

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from tests.rules.playing import own_module
from tests.solver.asking import searched
from tests.solver.exhaustive import best_value

ASKED = {
    "tides": "maximise score for 3 turns",
}


@pytest.mark.parametrize("module", ASKED)
def test_search_answers_as_looking_at_every_state_does(module: str) -> None:
    game = own_module(module)
    text = f"puzzle p:\n    rules {module}\n    players {game.players.high}\n    ask: {ASKED[module]}\n"
    position = set_up_position(parse_puzzle(text, "p"), game)
    engine, state, question = position.asked, position.state, position.question
    assert question is not None
    best = best_value(engine, state, question)
    assert searched(engine, state, question).score == best
