"""Of sets that are known before play only those are searched that have what is asked for, in order, with the same result."""

from __future__ import annotations

import random

from rulewright.rules.model import terms
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.set_evaluator import rows_of
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, lively, play_in_step

ROWS = """
module rows:
    "Three in a row, through the stone that was laid last."

space field: square grid 4 x 4 of tiles
tiles stones:
    black  x5
    white  x5
state:
    bag: set of tiles
    last: cell of field
    won: 0..20

pattern three in field, turned:
    run run run
    require laid: every c in run: occupied(c)

action lay(c in field, t in bag):
    require vacant: not occupied(c)
    effect lay: put t at c from bag
    effect last: last := c
    effect won: won += count p in places(three) where last in p.run and holds(p)

action again(p in places(three) where last in p.run):
    require there: holds(p)
    effect back: last := step((0,0), N)

procedure set_up:
    all: move all box to bag
    none: last := step((0,0), N)

flow:
    set_up
    repeat until empty(bag): choose lay, again

score won: won
"""


def test_the_keys_of_the_sets_that_have_an_element() -> None:
    instance = Engine.of(linked(ROWS), 1).instance
    runs = rows_of(instance, terms.RolesOf("three", "run"))
    holders = instance.holders(runs, range(16))
    assert len(holders.rows) == 16 and holders(16) == ()
    assert {(key, cell) for cell, keys in enumerate(holders.rows) for key in keys} == {
        (key, cell) for key, cells in enumerate(runs.rows) for cell in cells
    }
    assert all(list(keys) == sorted(keys) for keys in holders.rows)


def test_all_readings_agree() -> None:
    engine = Engine.of(linked(ROWS), 1)
    agreement = Agreement(engine, compiled=False)
    for seed in range(3):
        assert sum(1 for _ in play_in_step(engine, seed, lively, 9)) > 5
        agreement.play_on(engine.start(seed), random.Random(seed), 9)
    assert agreement.moves > 20 and agreement.faults == 0
