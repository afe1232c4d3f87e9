"""Variables over cells drawn in puzzles: members of enums by name or by the beginning of it, numbers, truth values."""

from __future__ import annotations

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.position import Position
from tests.puzzles.positions import drawn, flaws, game_of, indented, read_state, written

RULES = """
module here:
    "Weather over a field."

enum weather: calm, rain, rainbow, snow
space field: square grid 3 x 2 of tiles
space track: ring 4

tiles pieces:
    post  x2

state:
    sky of field:    weather = rain
    depth of field:  -9..9
    wet of field:    truth
    pace of track:   0..3
    wind of field:   direction of field

action look:
    effect look: sky of (0,0) := snow

flow:
    choose look
"""
DRAWN = """
field:
    post  .  .
    .     .  .
sky:
    calm  s  .
    rain  rainbow  c
depth:
    -3  .  4
    .   0  9
wet:
    yes  no  .
    .    .   y
pace:
    0  3  .  1
wind:
    N  .  south
    w  E  .
"""


def values(position: Position, name: str) -> list[int]:
    return [*position.state[position.engine.layout.columns[name].start][:-1]]


def test_values_are_drawn_cell_by_cell() -> None:
    position = drawn(RULES, DRAWN)
    assert values(position, "sky") == [0, 3, 1, 1, 2, 0]
    assert values(position, "depth") == [-3, -9, 4, -9, 0, 9]
    assert values(position, "wet") == [1, 0, 0, 0, 0, 1]
    assert values(position, "pace") == [0, 3, 0, 1]
    assert values(position, "wind") == [0, 0, 2, 3, 1, 0]
    assert read_state(position.engine, written(position.engine, position.state), "again") == position.state


def test_a_drawing_is_printed_as_it_was() -> None:
    puzzle = parse_puzzle("puzzle here:\n    rules here\n" + indented(DRAWN), "here")
    assert parse_puzzle(print_puzzle(puzzle), "printed") == puzzle


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sky:\n    r . .\n", "`r` is ambiguous: it may be `rain` or `rainbow`"),
        ("sky:\n    hail . .\n", "`hail` is not a weather"),
        ("sky:\n    calm@1 . .\n", "a drawing of `sky` can contain only its values"),
        ("sky:\n    calm . . .\n", "the drawing extends beyond `field`, which is 3 x 2"),
        ("depth:\n    10 . .\n", "10 is not in -9..9"),
        ("sky:\n    calm . .\nsky (0,0): snow\n", "this cell of `sky` is given twice"),
        ("skies:\n    calm . .\n", "there is no space `skies`"),
        ("field:\n    3 . .\n", "there is no tile `3`"),
    ],
)
def test_what_is_drawn_wrongly_is_named(body: str, message: str) -> None:
    text = "puzzle here:\n    rules here\n" + indented(body)
    assert [flaw.message for flaw in flaws(text, game_of(RULES))] == [message]
