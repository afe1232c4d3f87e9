"""Sets as functions of the program: called, chosen, united, walked; each reading lists the same elements in the same order."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from rulewright.rules.codegen.tabulated import table_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.codegen.test_subroutines import text_of
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked, lively, play_in_step

FIELD = """
module riders:
    "Riders go in lines over a field."

space field: square grid 5 x 4 of tiles, 8 neighbours
space torus: square grid 4 x 3, wrapped

tiles men:
    rider   x4
    walker  x4
    stone   x4

state:
    bag:          set of tiles
    ends:         0..40
    mark of torus: truth
    trail:        set of cells of field

define ray(c in field, d) =
    (closure of c under x to y in {{step(x, d)}} where y in field and (x = c or not occupied(x))) - {{c}}
define straight(c in field) = ray(c, N) or ray(c, E) or ray(c, S) or ray(c, W)
define slanted(c in field) = ray(c, NE) or ray(c, SE) or ray(c, SW) or ray(c, NW)
define leaps(c in field) = those x in field where (column(x) - column(c)) * (row(x) - row(c)) in {{2, -2}}
define corners(c in field, far) = if far then slanted(c) else (diagonals(c) or leaps(c))
define reach(c in field) =
    (those x in straight(c) where at(c) = rider and not occupied(x)) or (those x in corners(c, ends > 3) where at(c) = walker)
define ring(c in torus) = closure of c under x to y in {{step(x, E)}} where not mark of y or y = c
define crossing(c in field, d in field) = straight(c) and (slanted(d) or straight(d))
define near(c in field, n) = those x in straight(c) where distance(c, x) <= n
define kinds = those at(c) for c in field where occupied(c)
define same_kind(tile) = (those t in bag where t = tile) or kinds

action lay(tile in bag, to in field):
    require vacant: not occupied(to)
    require few: ends < 8
    effect lay: put tile at to
    effect end: ends += 1

action go(from in field where occupied(from), to in reach(from)):
    {require}
    effect go: if occupied(to): take to to bag
    effect went: slide from to to
    effect trace: for x in straight(to): add x to trail
    effect clear: for x in straight(to) where occupied(x) and x in trail: for y in ray(x, N): remove y from trail
    effect spin: for c in ring(origin of torus): mark of c := not mark of c
    effect end: ends += 1

procedure set_up:
    all: move all box to bag

flow:
    set_up
    repeat until ends > 30: choose lay, go

score crossings: sum (count x in crossing(c, d)) for c in field, d in straight(c) where occupied(c)
score traces: size(trail) + 10 * size(ring(origin of torus))
score tiles: size(same_kind(rider)) + size(near(origin of field, ends))
"""

REQUIREMENTS = (
    "require free: size(straight(to)) > 1",
    "require nested: some x in straight(from): some y in straight(to): x = y or y in slanted(x)",
    "require near: every n in 1..3: size(near(to, n)) >= size(near(to, n - 1))",
    "require same after: size(straight(to)) > 0 and to in field",
)


def game(require: str) -> Engine:
    return Engine.of(linked(FIELD.format(require=require)), 1)


@pytest.mark.parametrize("require", REQUIREMENTS)
def test_all_readings_agree(require: str) -> None:
    engine = game(require)
    agreement = Agreement(engine, compiled=False)
    assert sum(1 for _ in play_in_step(engine, 1, lively, 16)) > 10
    for seed in range(2):
        agreement.play_on(engine.start(seed), random.Random(seed), 14)
    assert agreement.moves > 15 and agreement.faults == 0


def test_a_set_is_listed_by_one_function() -> None:
    tests = ["require a: size(straight(to)) > 0"] + ["size(straight(from)) > 0"] * 9
    once, often = (text_of(game(" and ".join(tests[:number]))) for number in (1, 10))
    assert often.count("def define_") == once.count("def define_") > 1
    assert often.count("\n") - once.count("\n") < 9 * 10


def test_a_set_that_no_state_changes_is_looked_up() -> None:
    engine = game(REQUIREMENTS[0])
    known = {name: table_of(engine.instance, engine.game.definitions[name]) for name in ("leaps", "straight")}
    assert known["straight"] is None
    assert known["leaps"] is not None and known["leaps"](0) == (7, 11)


CLASHING = """
module clashing:
    "What is not chosen stops the game all the same."

space field: square grid 3 x 3

state:
    on of field: truth
    n:           0..9

define worth(c in field):
    = 1
    one: 2 when n > 2
    two: 3 when n > 4 and on of c
define dear(c in field) = those x in around(c) where worth(x) > 1 and worth(c) > 0
define fixed(c in field) = those x in dear(c) where n < 4
define either(c in field) = if n < 4 then around(c) else dear(c)

action go(c in field):
    require listed: {require}
    effect go: on of c := not on of c
    effect up: n := (n + 1) mod 8

flow:
    repeat: choose go, or stop
"""


@pytest.mark.parametrize("require", ["size(fixed(c)) < 9", "size(either(c)) < 9", "c not in fixed(c) or n < 9"])
def test_a_game_stops_in_all_readings_alike(require: str) -> None:
    engine = Engine.of(linked(CLASHING.format(require=require)), 1)
    agreement = Agreement(engine, compiled=False)
    for seed in range(4):
        agreement.play_on(engine.start(seed), random.Random(seed), 14)
    assert agreement.faults > 1
    for seed in range(2):
        with suppress(PlayError):
            list(play_in_step(engine, seed, lively, 14))
