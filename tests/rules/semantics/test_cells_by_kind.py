"""Cells that are looked for by the tile that stands there: what is looked for, what that costs, and that it changes nothing."""

from __future__ import annotations

import random
from functools import cache

import pytest

from rulewright.rules.model.game import Game
from rulewright.rules.model.state import cells_of_kinds
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.cell_test import sought_groups
from rulewright.rules.semantics.cost_bounds import steps_of
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import MODULES, linked, lively, play_in_step

SLIDER = """
module slider:
    "Slides and takes."
space row: square grid 4 x 4 of tiles
tiles goods:
    apple  x2
    pear   x1
    stone  x6
state:
    bag: set of tiles
    out: set of tiles
    seen: 0..99
action lay(t in bag, c in row):
    require room: not occupied(c)
    effect lay: put t at c from bag
action go(a in row where occupied(a), b in row):
    require room: not occupied(b)
    effect go: slide a to b
    effect see:
        if (some x in row where at(x) = pear: row(x) = 2): seen := min(99, seen + 1)
action away(a in row where at(a) = apple):
    effect away: take a to out
action back(t in out):
    effect back: move t to bag
procedure set_up:
    all: move all box to bag
flow:
    set_up
    repeat until seen > 40: choose lay, go, away, back, or stop
score apples: count c in row where at(c) = apple
score pears: count c in row where at(c) = pear and column(c) > 1
"""


@cache
def shore(size: str = "9 x 9 x 6") -> Engine:
    text = (MODULES / "shore.rules").read_text(encoding="utf-8")
    return Engine.of(linked(text.replace("9 x 9 x 6", size)), 2)


def kinds(game: Game, *names: str) -> frozenset[int]:
    return frozenset(number for number, kind in enumerate(game.tiles, 1) if kind.name in names)


def steps(definition: str, by_kind: bool) -> int:
    engine = shore()
    found = engine.game.definitions[definition]
    return steps_of(engine.instance, found.value, dict(found.parameters), by_kind)


def test_the_groups_of_kinds_that_rules_look_for() -> None:
    engine = shore()
    groups = sought_groups(engine.instance)["shore"]
    alone = [kinds(engine.game, name) for name in ("keep", "wizard", "captain")]
    assert set(groups) == {
        *alone,
        kinds(engine.game, "tower", "keep"),
        kinds(engine.game, "tower", "keep", "wizard", "guard", "captain"),
    }


@pytest.mark.parametrize(("definition", "searched"), [("alone_keep", 54), ("kept", 54), ("watched", 486)])
def test_looking_for_a_kind_costs_no_more_than_its_tiles(definition: str, searched: int) -> None:
    assert steps(definition, by_kind=True) < 80
    assert steps(definition, by_kind=False) > 5 * searched


def test_both_readings_of_engines_agree() -> None:
    states = sum(1 for seed in range(6) for _ in play_in_step(shore("3 x 4 x 2"), seed, lively, 40))
    assert states > 150


def test_machine_code_keeps_the_cells_of_each_kind() -> None:
    agreement = Agreement(shore("3 x 4 x 2"), compiled=True)
    assert agreement.slots.places["shore"].by_kind
    for seed in range(20):
        agreement.game_of(seed, 120)
    assert agreement.moves > 800 and agreement.faults == 0


def test_tiles_that_slide_and_are_taken_are_kept_by_kind() -> None:
    agreement = Agreement(Engine.of(linked(SLIDER), 1), compiled=True)
    assert len(agreement.slots.places["row"].by_kind) == 2
    for seed in range(15):
        agreement.game_of(seed, 40)
    assert agreement.moves > 500 and agreement.faults == 0


def test_cells_of_kinds_are_found_in_order() -> None:
    rng = random.Random(5)
    for _ in range(200):
        board = bytes(rng.choices(range(256), k=rng.randrange(1, 300)))
        wanted = frozenset(rng.sample(range(1, 256), rng.randrange(1, 9)))
        expected = tuple(cell for cell, kind in enumerate(board) if kind in wanted)
        assert cells_of_kinds(board, bytes(sorted(wanted))) == expected
