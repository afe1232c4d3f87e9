"""What later play depends on: also the number of tiles that are dealt to where nobody looks."""

from __future__ import annotations

import pytest

from rulewright.rules.static.dataflow import DataflowAnalysis
from tests.puzzles.positions import drawn

DECK = """module deck:
players 1

tiles cards:
    ace x9

state:
    deck: pile of tiles
    gone: pile of tiles
    many: 0..3
    done: 0..9

procedure set_up:
    all: move all box to deck

action more:
    effect more: many := min(many + 1, 3)
    effect done: done += 1

action burn:
    effect burn: {}
    effect done: done += 1

flow:
    set_up
    repeat until done >= 9: choose more, burn, or stop

score left: size(deck)
"""


@pytest.mark.parametrize(
    "effect",
    ["deal many from deck to gone", "if many = 2: move ace to gone from deck"],
)
def test_how_many_leave_matters_where_they_come_from(effect: str) -> None:
    here = drawn(DECK.format(effect), "ask: maximise score until end")
    assert here.question is not None
    live = DataflowAnalysis(here.engine, here.question.values, here.state).live_variables
    assert {"deck", "many"} <= live and "gone" not in live
