"""`rule`: a condition of requirements, each with its reason, which is what a player is told."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.why_illegal import why_not
from tests.rules.playing import linked

BASE = """
module beach:
    "A beach."

space shore: square grid 3 x 1 of tiles

tiles pieces:
    tower  x3

state:
    wet of shore: truth

rule room(c):
    "Where something can be built."
    require vacant: not occupied(c) else "something stands there"
    require dry: not wet of c else "it is under water" cite beach.dry

action build(to in shore):
    require room(to)
    effect place: put tower at to from box

procedure set_up:
    lay: put tower at step(origin of shore, E) from box
    for c in shore where column(c) < 2: wet of c := yes

flow:
    set_up
    repeat: choose build or stop

score rooms: count c in shore where room(c)
"""


def beach(items: str = "") -> Engine:
    texts = [BASE] + ([f"module more:\n    extends beach\n\n{items}\n"] if items else [])
    return Engine.of(linked(*texts), 1)


def legal(engine: Engine) -> list[int]:
    state = engine.start(1)
    assert engine.legal(state) == list(ReferenceEngine(engine).legal(state))
    return [move[1] for move in engine.legal(state) if len(move) > 1]


@pytest.mark.parametrize(
    ("items", "cells"),
    [
        ("", [2]),
        ("change room:\n    drop dry", [0, 2]),
        ("change room:\n    replace dry: column(c) < 1", [0]),
        ("change rule room:\n    require never: no", []),
        ("change room:\n    drop dry\n    drop vacant\n\nchange build:\n    require free: not occupied(to)", [0, 2]),
        ("drop rule room\n\nrule room(c):\n    require first: column(c) = 0", [0]),
        ("change build:\n    drop room\n    require free: not occupied(to)", [0, 2]),
    ],
)
def test_it_holds_where_all_its_requirements_do(items: str, cells: list[int]) -> None:
    assert legal(beach(items)) == cells


@pytest.mark.parametrize(
    ("cell", "message", "parts"),
    [
        ("(0,0)", "it is under water", [("room.dry", "beach.dry")]),
        ("(1,0)", "something stands there; it is under water", [("room.vacant", ""), ("room.dry", "beach.dry")]),
    ],
)
def test_the_reasons_are_told(cell: str, message: str, parts: list[tuple[str, str]]) -> None:
    engine = beach()
    state = engine.start(1)
    (failure,) = why_not(engine, state, parse_attempt(engine, state, f"build {cell}"))
    assert (failure.requirement, failure.message) == ("build.room", message)
    assert [(part.name, part.cite) for part in failure.parts] == parts


def test_elsewhere_it_is_a_truth_value() -> None:
    engine = beach()
    assert engine.score(engine.start(1)) == 1


@pytest.mark.parametrize(
    ("items", "code"),
    [
        ("change room:\n    drop wet", "RW105"),
        ("change room:\n    require dry: yes", "RW105"),
        ("rule wide(c):\n    require room: room(3)", "RW200"),
        ("define room(c) = yes", "RW102"),
        ("change room:\n    require again: room(c)", "RW115"),
    ],
)
def test_what_is_refused(items: str, code: str) -> None:
    with pytest.raises(RulesError) as error:
        beach(items)
    assert code in {found.code for found in error.value.diagnostics}
