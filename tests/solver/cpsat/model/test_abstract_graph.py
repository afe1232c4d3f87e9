"""The graph of abstract states: what it refuses, and where the rules have it."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.move_grounding import Trail
from rulewright.solver.cpsat.model import abstract_graph
from rulewright.solver.cpsat.model.abstract_graph import abstract_graph_of
from rulewright.solver.cpsat.model.from_question import unrolled_model
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
    with pytest.raises(Refused) as caught:
        unrolled_model(engine, engine.start(), greatest_score(game))
    assert "play that only the board ends" in str(caught.value)
    assert LAMPS.splitlines()[caught.value.refusal.span.line - 1].strip() == "choose switch, or stop"


ALL_AT_ONCE = """
module asked:
    "A press puts out each lamp that is lit, and counts it."

players 1
space lamps: square grid {lamps} x 1

state:
    lit of lamps: truth
    out: 0..20 = 0

action press:
    effect put_out: for c in lamps where lit of c: out += 1

flow:
    repeat:
        turn:
            choose press

score out: out
"""


def test_a_move_with_too_many_outcomes_is_refused_after_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of twelve lamps may be lit or not: 4,096 outcomes, of which 200 are too many."""
    game = linked(ALL_AT_ONCE.format(lamps=12))
    engine = Engine.of(game, 1, horizon=Horizon("turn", 1))
    monkeypatch.setattr(abstract_graph, "MOST_OUTCOMES", 200)
    ran = 0
    follow = abstract_graph.Exploration._follow_flow

    def counted(*asked: Any) -> Trail:
        nonlocal ran
        ran += 1
        return follow(*asked)

    monkeypatch.setattr(abstract_graph.Exploration, "_follow_flow", counted)
    with pytest.raises(Refused, match="more than 200 outcomes") as caught:
        unrolled_model(engine, engine.start(), greatest_score(game))
    assert ALL_AT_ONCE.splitlines()[caught.value.refusal.span.line - 1].strip() == "choose press"
    assert 1 < ran < 100


def test_as_many_outcomes_as_are_allowed_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = linked(ALL_AT_ONCE.format(lamps=3))
    engine = Engine.of(game, 1, horizon=Horizon("turn", 1))
    analysis = DataflowAnalysis(engine, greatest_score(game).values)
    monkeypatch.setattr(abstract_graph, "MOST_OUTCOMES", 8)
    assert len(abstract_graph_of(engine, analysis, engine.start()).edges) == 8
    monkeypatch.setattr(abstract_graph, "MOST_OUTCOMES", 7)
    with pytest.raises(Refused, match="more than 7 outcomes"):
        abstract_graph_of(engine, analysis, engine.start())
