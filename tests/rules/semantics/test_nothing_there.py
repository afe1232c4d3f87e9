"""Variables of what is not there: cells beyond the border, the terrain that no tile shows. Both readings say the same."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.reference_engine import ReferenceEngine

TEXT = """
module edge:
    "What lies beyond."

terrain water, land

space field: square grid 2 x 2 of tiles

tiles base:
    shore x2    land N

state:
    seen of terrain: 2..9
    lit of field:    truth
    deep of field:   -3..3

action lay(c in field):
    require vacant: not occupied(c)
    effect lay: put shore at c from box

action look(c in field, d in directions(field)):
    effect tally: seen of side(at(c), d) += 1

action light(c in field, d in directions(field)):
    effect glow: lit of step(c, d) := yes

action dig(c in field, d in directions(field)):
    effect hole: deep of step(c, d) += 1

flow:
    repeat: choose lay, look, light, dig, or stop

score beyond:
    100 * seen of side(at(origin of field), S) + 10 * deep of step(origin of field, N)
    + count d in {W} where lit of step(origin of field, d)
"""
NORTH, EAST, SOUTH, WEST = range(4)
LAY, LOOK, LIGHT, DIG = range(4)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.of(link({"edge": parse_module(TEXT, "edge")}, ["edge"]), 1)


def fault(engine: Engine, state: State, move: tuple[int, ...]) -> str:
    """The code and the clause of the error that both readings stop with."""
    told = []
    for reading in (engine, ReferenceEngine(engine)):
        with pytest.raises(RulesError) as stopped:
            reading.apply(state, move)
        told.append(stopped.value.summary)
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize(
    ("move", "clause"),
    [((LOOK, 0, NORTH), "look.tally"), ((LIGHT, 0, NORTH), "light.glow"), ((DIG, 1, EAST), "dig.hole")],
)
def test_what_is_not_there_cannot_be_changed(engine: Engine, move: tuple[int, ...], clause: str) -> None:
    state = engine.start()
    assert move in engine.legal(state)
    assert fault(engine, state, move).startswith(f"RW365: `{clause}` changes")


def test_what_is_there_can(engine: Engine) -> None:
    state = engine.start()
    for move in ((LAY, 0), (LOOK, 0, NORTH), (LIGHT, 0, SOUTH), (DIG, 0, EAST)):
        after = engine.apply(state, move)
        assert after == ReferenceEngine(engine).apply(state, move) != state
        state = after


def test_what_is_not_there_reads_as_it_begins(engine: Engine) -> None:
    state = engine.start()
    expected = 100 * 2 + 10 * -3 + 0  # no terrain, north of the border, west of the border
    assert engine.score(state) == ReferenceEngine(engine).score(state) == expected
    shown = engine.apply(engine.apply(state, (LAY, 0)), (LOOK, 0, SOUTH))
    assert engine.score(shown) == ReferenceEngine(engine).score(shown) == expected + 100


@pytest.mark.parametrize("index", ["field", "terrain"])
def test_zones_are_not_of_cells_nor_terrains(index: str) -> None:
    text = TEXT.replace("state:\n", f"state:\n    bag of {index}: set of tiles\n")
    with pytest.raises(RulesError) as refused:
        link({"edge": parse_module(text, "edge")}, ["edge"])
    assert [diagnostic.code for diagnostic in refused.value.diagnostics] == ["RW126"]
