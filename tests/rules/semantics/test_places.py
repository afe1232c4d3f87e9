"""Columns, parts, leaps and cells by number, worked out by hand, and what it costs to look for tiles of a kind."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.cost_bounds import steps_of
from tests.rules.playing import linked

GAME = """
module tower:
    "A tower of three rooms by two, three storeys high; a bell stands on a rock, a rock beside it."

terrain air, stone
marker clapper
players 1

space keep: cube grid 3 x 2 x 3 of tiles
space yard: square grid 5 x 4, wrapped
space wall: ring 7
space sea: square grid
space star: graph:
    a - b, c

partition hall of c in keep: column(c) div 2

tiles pieces:
    bell  x1    clapper, stone N
    rock  x3    stone N

state:
    bag: set of tiles

procedure lay_out:
    rock: put rock at cell(keep, 1, 0, 0) from box
    bell: put bell at cell(keep, 1, 0, 1) from box
    side: put rock at cell(keep, 2, 0, 0) from box
    bag:  move all box to bag

action wait:
    effect done: stop

flow:
    lay_out
    repeat: choose wait

score value: {value}
"""


def both(value: str) -> tuple[int, Engine]:
    engine = Engine.of(linked(GAME.replace("{value}", value)), 1)
    state = engine.start(0)
    assert ReferenceEngine(engine).score(state) == engine.score(state)
    return engine.score(state), engine


def truth(text: str) -> str:
    return f"if {text} then 1 else 0"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("level(topmost(cell(keep, 1, 0, 0)))", 1),
        ("level(topmost(cell(keep, 2, 0, 2)))", 0),
        (truth("topmost(cell(keep, 0, 0, 0)) in keep"), 0),
        ("size(column_of(cell(keep, 1, 1, 2)))", 3),
        ("size(column_of(topmost(cell(keep, 0, 0, 0))))", 0),
        ("size(part(hall, cell(keep, 1, 0, 0)))", 12),
        ("size(part(hall, cell(keep, 2, 0, 0)))", 6),
        ("count c in part(hall, cell(keep, 0, 1, 2)) where at(c) = rock", 1),
        ("size(beside(cell(keep, 1, 0, 1)))", 3),
        ("size(around(cell(keep, 1, 0, 1)))", 5),
        (truth("cell(keep, 3, 0, 0) in keep or cell(keep, 0, -1, 0) in keep"), 0),
        (truth("at(step(cell(keep, 0, 0, 0), E, 2)) = rock"), 1),
        (truth("at(step(cell(keep, 1, 0, 2), U, -1)) = bell"), 1),
        (truth("step(cell(keep, 0, 0, 0), E, 3) in keep"), 0),
        (truth("step(cell(keep, 0, 0, 0), E, 0) = cell(keep, 0, 0, 0)"), 1),
        ("column(step(cell(yard, 1, 1), E, 13)) * 10 + row(step(cell(yard, 1, 1), N, -10))", 43),
        (truth("step(cell(wall, 2), forward, -4) = cell(wall, 5)"), 1),
        ("count t in bag where t = rock", 1),
        ("sum (count t in box) for c in keep where at(c) has clapper", 0),
    ],
)
def test_places(text: str, value: int) -> None:
    assert both(text)[0] == value


def test_a_sum_over_a_set_of_tiles_counts_each() -> None:
    """All that is left: a rock. With the two others and the bell in the bag instead, each is counted."""
    assert both("sum number(t, clapper) + 1 for t in bag")[0] == 1
    begin = GAME.index("    rock: put"), GAME.index("    bag:  move")
    emptied = GAME[: begin[0]] + GAME[begin[1] :]
    engine = Engine.of(linked(emptied.replace("{value}", "sum number(t, clapper) + 1 for t in bag")), 1)
    assert engine.score(engine.start(0)) == ReferenceEngine(engine).score(engine.start(0)) == 5


@pytest.mark.parametrize(
    "where",
    [
        "at(c) = bell",
        "bell = at(c)",
        "at(c) has clapper",
        "at(c) in {bell}",
        "hung(c)",
        "occupied(c) and (at(c) = bell or at(c) has clapper)",
    ],
)
def test_what_few_tiles_can_pass_costs_little(where: str) -> None:
    define = "\ndefine hung(c in keep) = number(at(c), clapper) >= 1 and level(c) > 0\n"
    inner = "(count n in keep where level(n) = level(c))"

    def steps(test: str) -> int:
        game = linked(GAME.replace("{value}", f"sum {inner} for c in keep where {test}") + define)
        engine = Engine.of(game, 1)
        return steps_of(engine.instance, game.scores[0].value, {})

    assert steps(where) * 5 < steps("not occupied(c)")
