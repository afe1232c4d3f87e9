"""The graph of abstract states: what it refuses, and where the rules have it."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.from_question import unrolled_model
from rulewright.solver.cpsat.model.guarded_values import Unsupported
from tests.rules.playing import linked
from tests.solver.asking import greatest_score

LAMPS = """
module lamps:
    "Lamps are switched for ever: no board, and nothing that is used up."

players 1
space row_of_lamps: square grid 3 x 1

state:
    lit of row_of_lamps: truth

action switch(c in row_of_lamps):
    effect switch: lit of c := not lit of c

flow:
    repeat:
        turn:
            choose switch, or stop

score lit: count c in row_of_lamps where lit of c
"""


def test_a_game_without_an_end_is_refused_at_its_choice() -> None:
    game = linked(LAMPS)
    engine = Engine.of(game, 1)
    with pytest.raises(Unsupported) as caught:
        unrolled_model(engine, engine.start(), greatest_score(game))
    assert "nothing but the board shows that play ends" in str(caught.value)
    assert LAMPS.splitlines()[caught.value.span.line - 1].strip() == "choose switch, or stop"
