"""What a change of a score or invariant does, and what cannot be chosen by a condition."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine

BASE = """
module base:

space board: square grid 3 x 3

state:
    n: 0..9 = 2

action wait:
    effect up: n += 1

flow:
    repeat until n > 3:
        turn:
            choose wait

score s: n

invariant small: n < 9 else "too many"
"""


def linked(items: str) -> Engine:
    modules = {"base": parse_module(BASE, "base"), "more": parse_module("module more:\n    extends base\n" + items, "more")}
    return Engine.of(link(modules, ["more"]), 1)


def test_the_value_of_a_score_and_of_an_invariant_can_be_replaced() -> None:
    engine = linked("change s:\n    replace value: n * 10\nchange small:\n    replace value: n < 8\n")
    assert engine.score(engine.start(0)) == 20
    assert engine.game.invariants[0].message == "too many"


def test_ranks_name_what_follows_from_the_score() -> None:
    engine = linked('rank by (score - player_count) div 10:\n    "Low" ..0\n    "High" 1..1\n    "Highest" 2..\n')
    ranks = {score: engine.rank(score) for score in (-99, 10, 11, 20, 21, 999)}
    assert ranks == {-99: "Low", 10: "Low", 11: "High", 20: "High", 21: "Highest", 999: "Highest"}
    assert not linked("").rank(5)


def test_a_set_has_no_exceptions() -> None:
    with pytest.raises(RulesError) as caught:
        linked("define near(c in board):\n    = around(c)\n    wide: nearby(c) when n = 2\n")
    assert [d.code for d in caught.value.diagnostics] == ["RW211"]
