"""Local names and other forms of values, answered by search, CP-SAT and by looking at every state."""

from __future__ import annotations

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import own_module
from tests.solver.asking import searched
from tests.solver.cpsat.running import run, worth
from tests.solver.exhaustive import best_value

ASKED = {
    "caves": "maximise score for 2 turns",
    "duels": "maximise score for 3 turns",
    "gardens": "maximise score for 2 turns",
    "markets": "maximise score for 3 turns",
    "tides": "maximise score for 3 turns",
}


@pytest.mark.parametrize("module", ASKED)
def test_three_ways_to_the_same_answer(module: str) -> None:
    game = own_module(module)
    text = f"puzzle p:\n    rules {module}\n    players {game.players.high}\n    ask: {ASKED[module]}\n"
    position = set_up_position(parse_puzzle(text, "p"), game)
    engine, state, question = position.asked, position.state, position.question
    assert question is not None
    best = best_value(engine, state, question)
    assert searched(engine, state, question).score == best
    found = run(ModelKind.UNROLLED, engine, state, question)
    assert (found.status, found.value) == ("optimal", best), found
    assert found.plan is not None
    assert worth(engine, state, question, found.plan) == best
