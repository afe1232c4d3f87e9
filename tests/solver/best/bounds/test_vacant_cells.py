"""Sums over a board that count vacant cells too: bounds and answers against plain enumeration."""

from __future__ import annotations

import time
from itertools import product

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.best.fallback import FallbackSearch
from rulewright.solver.best.problem import Problem
from rulewright.subset.program import as_python
from tests.rules.playing import linked
from tests.solver.asking import greatest_score, searched, worker_of
from tests.solver.exhaustive import all_ends, best_value

GARDEN = """
module garden:
    "Hedges and trees are planted, and every bed is watered; what is vacant may count too."

marker tree

space field: square grid 2 x 2 of tiles

tiles plants:
    hedge  x1
    elm    x1    tree

state:
    hand:          set of tiles
    wet of field:  0..3
    cans:          0..1 = 1

action plant(tile in hand, c in field):
    require vacant: not occupied(c)
    effect put: put tile at c

action water(c in field):
    require can: cans > 0
    effect soak: wet of c += 1
    effect use: cans -= 1

procedure set_up:
    equip: move all box to hand

flow:
    set_up
    repeat: choose plant, water, or stop

score flowers: sum {value} for c in field where {where}
"""
VALUES = (
    "1",
    "wet of c",
    "1 + wet of c * row(c)",
    "if occupied(c) then 1 else 3",
    "number(at(c), tree) + wet of c",
    "3 - number(at(c), tree)",
)
WHERES = (
    "wet of c > 0",
    "not occupied(c)",
    "cans < 1",
    "occupied(c)",
    "some n in around(c): occupied(n)",
    "every n in around(c): occupied(n) or wet of n > 0",
    "not occupied(c) and (some n in around(c): at(n) has tree)",
    "at(c) has tree or wet of c > 0",
)
CASES = [*product(VALUES[3:4], WHERES[1:5]), *zip(VALUES, WHERES, strict=False)]


def held_against_enumeration(value: str, where: str) -> None:
    game = linked(GARDEN.format(value=value, where=where))
    engine = Engine.of(game, 1)
    state, question = engine.start(0), greatest_score(game)
    problem = Problem(engine, state, question)
    best = best_value(engine, state, question)
    ends = all_ends(engine, state)
    assert best is not None and ends is not None
    if problem.bound is not None:
        assert problem.bound.bound(state) >= best
        assert all(problem.bound.bound(end) >= problem.value(end) for end in ends)
    worker = worker_of(problem, as_python)
    assert worker.bound(1 << 20) >= best
    assert FallbackSearch(problem, time.monotonic() + 60).run().score == best


@pytest.mark.parametrize(("value", "where"), CASES)
def test_vacant_cells_may_count(value: str, where: str) -> None:
    held_against_enumeration(value, where)


def test_nothing_is_to_be_laid() -> None:
    """Tiles there are, but none comes onto the board."""
    text = GARDEN.format(value="wet of c", where="cans < 1").replace("    equip: move all box to hand", "    equip: cans := 1")
    engine = Engine.of(linked(text), 1)
    assert searched(engine, engine.start(0), greatest_score(engine.game)).score == 1


@pytest.mark.campaign
@pytest.mark.parametrize(("value", "where"), [*product(VALUES, WHERES)])
def test_all_sums_of_vacant_cells(value: str, where: str) -> None:
    held_against_enumeration(value, where)
