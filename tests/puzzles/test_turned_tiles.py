"""Tiles that lie turned: drawn, read, shown, written, and what their sides are."""

from __future__ import annotations

import pytest

from rulewright.api.state_data import state_as_json
from rulewright.base.styled_text import plain
from rulewright.cli.views.board_view import BoardPicture
from rulewright.cli.views.state_view import Viewer
from rulewright.cli.views.tile_view import Symbols
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.play.move_notation import parse_move
from tests.puzzles.positions import flaws, written
from tests.rules.playing import linked, own_module

PIPES = own_module("pipes")
HEAD = "puzzle here:\n    rules pipes\n    players 1\n"
DRAWN = """    yard:
        bend/1  straight/1  .
        .       bend/2      cross@1
"""


def here(body: str = DRAWN) -> Position:
    return set_up_position(parse_puzzle(HEAD + body, "here"), PIPES)


def test_a_drawing_says_how_tiles_lie() -> None:
    position = here()
    engine = position.engine
    assert list(position.state[engine.layout.position("yard_turned", None)]) == [1, 1, 0, 0, 2, 0, 0]
    again = set_up_position(parse_puzzle(written(engine, position.state), "again"), PIPES)
    assert again.state == position.state
    assert "bend/1" in written(engine, position.state)


def test_sides_and_regions_turn_with_the_tile() -> None:
    """Water comes from the north of the first bend: turned, stone alone is there; as printed, pipe to the east and a valve."""
    position = here()
    dry = position.engine.score(position.state)
    joined = here(DRAWN.replace("bend/1", "bend/0").replace(".       bend/2", "bend/1  straight/1"))
    assert [dry, joined.engine.score(joined.state)] == [1, 2 + 1]


def test_a_tile_keeps_its_turn_while_it_slides_and_loses_it_when_it_is_taken() -> None:
    position = here("    yard:\n        .  bend/3@1  .\n        .  .  .\n    bag 1: cross\n")
    engine, state = position.engine, position.state

    def turns(*moves: str) -> list[int]:
        there = state
        for move in moves:
            there = engine.apply(there, parse_move(engine, there, move))
        return list(there[engine.layout.position("yard_turned", None)])

    assert turns("shift east") == [0, 0, 3, 0, 0, 0, 0]
    assert turns("lift (1,0)") == [0] * 7
    assert turns("shift west", "lift (0,0)", "lay bend (0,0) 2") == [2, 0, 0, 0, 0, 0, 0]
    assert turns("spin (1,0)") == [0] * 7


def test_pictures_and_json_show_the_turn() -> None:
    position = here("    yard:\n        bend/1  .  .\n        .  .  .\n")
    engine, state = position.engine, position.state
    picture = BoardPicture(engine, state, Viewer(frozenset()), Symbols.of(engine.game)).lines("yard")
    assert [text.partition("│")[2][:7] for text in map(plain, picture)][2:5] == ["@1·····", "·····vP", "·PPPPPP"]
    assert state_as_json(engine, state, Viewer(frozenset()))["state"]["yard_turned"] == [{"cell": [0, 0], "value": 1}]


@pytest.mark.parametrize("cell", ["bend/4", "bend/9"])
def test_a_tile_is_not_turned_all_round(cell: str) -> None:
    found = flaws(HEAD + DRAWN.replace("bend/1", cell), PIPES)
    assert [flaw.code for flaw in found] == ["RW367"]


def test_tiles_of_other_boards_lie_as_they_are() -> None:
    found = flaws("puzzle here:\n    rules beacon_patrol\n    players 1\n    sea:\n        hq@1  buoy/1\n")
    assert [flaw.code for flaw in found] == ["RW367"]


def test_eight_neighbours_turn_by_quarters_too() -> None:
    text = """
module dial:
    "A pointer."

terrain dark, light

space face: square grid 2 x 2 of turned tiles, 8 neighbours

tiles hands:
    hand  x1   light N

state:
    spare: set of tiles

action show(tile in box, c in face, q in 0..3):
    effect place: put tile at c turned q

flow:
    choose show

score east: count c in face where side(c, E) = light
score back: 10 * count c in face where region(c, W) = region(c, S) and occupied(c)
"""
    game = linked(text)
    found = []
    for turn in range(4):
        drawn = f"puzzle here:\n    rules dial\n    face:\n        .  hand/{turn}\n        .  .\n"
        position = set_up_position(parse_puzzle(drawn, "here"), game)
        found.append(position.engine.score(position.state))
    assert found == [10, 11, 0, 0]
