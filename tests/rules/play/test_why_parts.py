"""Why a move is illegal goes into definitions: which of those that a requirement is made of fails."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.why_illegal import why_not
from tests.rules.playing import linked

BASE = """
module beach:
    "A beach."

space shore: square grid 3 x 1 of tiles

tiles pieces:
    tower  x3

state:
    high: truth
    wet of shore: truth

define vacant(c):
    "Nothing stands there."
    = not occupied(c)

define dry(c in shore):
    "It is no water."
    = not wet of c

define room(c) = vacant(c) and dry(c)
define wide(c) = every n in around(c): room(n)
define sound(c):
    = room(c)
    ebb: yes when high

action build(to in shore):
    require {condition} else "nothing can be built there"
    effect place: put tower at to from box

procedure set_up:
    lay: put tower at step(origin of shore, E) from box
    for c in shore where column(c) < 2: wet of c := yes

flow:
    set_up
    repeat: choose build or stop
"""


@pytest.mark.parametrize(
    ("condition", "cell", "parts"),
    [
        ("free: room(to)", "(0,0)", ["dry"]),
        ("free: room(to)", "(1,0)", ["vacant", "dry"]),
        ("free: room(to) and wide(to)", "(0,0)", ["dry", "vacant"]),
        ("free: wide(to)", "(2,0)", ["vacant", "dry"]),
        ("free: vacant(to)", "(1,0)", []),
        ("free: vacant(to) and 1 = 1", "(1,0)", ["vacant"]),
        ("free: sound(to)", "(0,0)", []),
        ("free: sound(to) and vacant(to)", "(0,0)", ["sound"]),
        ("free: column(to) > 3 and row(to) > 3", "(0,0)", []),
    ],
)
def test_which_part_fails(condition: str, cell: str, parts: list[str]) -> None:
    engine = Engine.of(linked(BASE.format(condition=condition)), 1)
    state = engine.start(1)
    (failure,) = why_not(engine, state, parse_attempt(engine, state, f"build {cell}"))
    assert failure.message == "nothing can be built there"
    assert [part.name for part in failure.parts] == parts


@pytest.mark.parametrize(
    ("parameter", "cell", "parts"),
    [
        ("to in shore where to != step(origin of shore, E)", "(1,0)", ["to in shore where to != step(origin of shore, E)"]),
        ("to in shore where room(to)", "(1,0)", ["to in shore where room(to)", "Nothing stands there.", "It is no water."]),
        ("to in rim", "(1,0)", ["to in rim", "The cells at the rim."]),
        ("to in rim where not wet of to", "(0,0)", ["to in rim where not wet of to"]),
    ],
)
def test_a_parameter_that_leaves_a_value_out_is_shown(parameter: str, cell: str, parts: list[str]) -> None:
    rules = BASE.format(condition="free: 1 = 1").replace("build(to in shore)", f"build({parameter})")
    rim = 'define rim:\n    "The cells at the rim."\n    = those c in shore where size(around(c)) = 1\n\naction'
    engine = Engine.of(linked(rules.replace("action", rim, 1)), 1)
    state = engine.start(1)
    (failure,) = why_not(engine, state, parse_attempt(engine, state, f"build {cell}"))
    assert failure.message == f"`{cell}` is not a possible `to` here"
    assert [part.text for part in failure.parts] == parts
