"""What tests of a cell show of the tile on it: no tile that passes is left out, and a rule that reasons wrongly is found."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulewright.rules.model import terms, types
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.cell_test import CellTest, Kinds, Known, passing_kinds
from tests.rules.playing import linked

MEADOW = """
module meadow:
    "Flowers stand in a meadow."
space meadow: square grid 3 x 3 of tiles
terrain grass, water
marker scent, thorn
tiles flowers:
    rose    x4  scent, thorn
    clover  x4  scent
    rush    x4  water N
state:
    bag:  set of tiles
    wind: 0..3
define is_rose(c in meadow) = at(c) = rose
define smells(c in meadow) = occupied(c) and at(c) has scent

action pass_by:
    effect wind: wind := (wind + 1) mod 4
flow:
    repeat until wind = 3: choose pass_by, or stop
score wind: wind
"""

TESTS = {
    "is_rose(c)": {"rose"},
    "not occupied(c)": {""},
    "smells(c) and not is_rose(c)": {"clover"},
    "at(c) in {rose, rush} and wind = 2": {"rose", "rush"},
    "side(at(c), N) = water": {"rush"},
    "number(at(c), thorn) < 1 and occupied(c)": {"clover", "rush"},
    "wind = 1 or is_rose(c)": {"", "rose", "clover", "rush"},
    "c = (1,1) and is_rose(c)": {"rose"},
}
"""Tests of a cell, and the tiles on it of which they may hold."""


@cache
def engine(test: str) -> Engine:
    return Engine.of(linked(MEADOW + f"\ndefine test(c in meadow) = {test}\n"), 1)


def found(test: str) -> Kinds:
    cell = types.Cell("meadow")
    call = terms.Invoke("test", (terms.Local("c", cell),), type=types.Truth())
    binder = terms.Binder("c", terms.AllCells("meadow", type=types.SetOf(cell)), call, cell)
    return passing_kinds(engine(test).instance, binder, "meadow")


def passing(test: str) -> set[int]:
    """The tiles on cells that pass in random states."""
    here, dice, kinds = engine(test), random.Random(test), set[int]()
    call = terms.Invoke("test", (terms.Local("c", types.Cell("meadow")),), type=types.Truth())
    board, wind = (here.layout.columns[name].start for name in ("meadow", "wind"))
    for _ in range(60):
        state = list(here.start(0))
        state[board], state[wind] = bytes((*(dice.randrange(4) for _ in range(9)), 0)), dice.randrange(4)
        kinds |= {state[board][at] for at in range(9) if here.instance.reader.value(call, tuple(state), {"c": at})}
    return kinds


@pytest.mark.parametrize("test", TESTS)
def test_the_tiles_that_pass(test: str) -> None:
    names = ["", *(kind.name for kind in engine(test).game.tiles)]
    assert {names[kind] for kind in found(test)} == TESTS[test]
    assert passing(test) <= found(test)


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here what is unknown counts as false."""
    engine.cache_clear()
    settled = CellTest._settled

    def rashly(self: CellTest, parts: list[Known], settles: int) -> int | None:
        return settled(self, [0 if part is None else part for part in parts], settles)

    monkeypatch.setattr(CellTest, "_settled", rashly)
    missed = [test for test in TESTS if not passing(test) <= found(test)]
    engine.cache_clear()
    assert missed
