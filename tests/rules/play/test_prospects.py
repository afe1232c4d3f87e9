"""What is told of a thing agrees with the legal moves, and whatever is refused has a reason."""

from __future__ import annotations

import pytest

from rulewright.cli.names import named
from rulewright.rules.model import types
from rulewright.rules.model.state import STOP
from rulewright.rules.play.why_illegal import Prospects

SHOWN = ["overboard", "red_donkey", "classics.peg_solitaire", "pentominoes_strip", "all_hands", "rush_hour_first"]


@pytest.mark.parametrize("name", SHOWN)
def test_every_legal_move_is_told_of_what_it_names(name: str):
    start = named(name).start(None, 1)
    engine, state = start.engine, start.state
    found = Prospects(engine, state)
    actions = list(engine.game.actions.values())
    for move in engine.legal(state):
        if move == STOP:
            continue
        action = actions[move[0]]
        for parameter, value in zip(action.parameters, move[1:], strict=True):
            if isinstance(parameter.type, types.Cell | types.Tile):
                assert any(move in prospect.legal for prospect in found.of(parameter.type, value))


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "pentominoes_strip"])
def test_what_is_refused_has_a_reason(name: str):
    start = named(name).start(None, 1)
    engine = start.engine
    legal = set(engine.legal(start.state))
    found = Prospects(engine, start.state)
    refused = [
        prospect
        for space, window in engine.instance.windows.items()
        for cell in range(0, window.size, 1 + window.size // 60)
        for prospect in found.of(types.Cell(space), cell)
        if not prospect.legal
    ]
    assert refused
    for prospect in refused:
        assert prospect.failures and prospect.attempt not in legal
