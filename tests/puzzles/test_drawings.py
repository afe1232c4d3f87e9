"""Drawings of every shape of space, read and written."""

from __future__ import annotations

import pytest

from rulewright.puzzles.position import Position
from tests.puzzles.positions import at_sea, drawn, read_state, tiles_at, value, written

HEAD = """\
module here:
    "A board to draw on."

players {players}
space board: {shape} of tiles

tiles stones:
    a  x4
    b  x4

state:
    bag:              set of tiles
    man of player:    cell of board
    goal:             cell of board

action put(tile in bag, c in board where not occupied(c)):
    effect lay: put tile at c

procedure set_up:
    fill: move all box to bag

flow:
    set_up
    for player in players:
        turn: choose put, or stop

score stones: count c in board where occupied(c)
"""
UNBOUNDED = HEAD.replace("c in board where not occupied(c)", "c in around(man of player) where not occupied(c)").replace(
    "for player in players:", "for player in players:"
)


def board(shape: str, body: str, players: str = "1..2") -> Position:
    head = HEAD if any(letter.isdigit() for letter in shape) or shape.startswith("graph") else UNBOUNDED
    text = head.replace("count c in board where occupied(c)", "size(bag)") if head is UNBOUNDED else head
    return drawn(text.format(shape=shape, players=players), "players 2\n" + body)


def back(position: Position) -> None:
    """What is written reads as the same state."""
    text = written(position.engine, position.state)
    assert read_state(position.engine, text, "again") == position.state, text


def test_square_boards_count_from_the_top_left() -> None:
    here = board("square grid", "board:\n    .  a@1\n    b  .@2\n")
    assert tiles_at(here, "board") == {(1, 0): "a", (0, 1): "b"}
    assert value(here, "man", 1) == (1, 0) and value(here, "man", 2) == (1, 1)
    back(here)


def test_origin_pins_the_coordinates() -> None:
    here = board("square grid", "board:\n    .  a@1@2\norigin -3,7\n")
    assert tiles_at(here, "board") == {(8, -3): "a"}
    assert value(here, "man", 1) == value(here, "man", 2) == (8, -3)
    assert "origin -3,8" in written(here.engine, here.state)
    back(here)


def test_the_window_has_room_for_the_tiles_to_come() -> None:
    here = at_sea("sea:\n    .   hq@1  .\n\nhand 1: open x2\ndraw: buoy\n")
    coordinates = here.engine.instance.windows["sea"].coordinates
    axes = list(zip(*coordinates, strict=True))
    assert [(min(axis), max(axis)) for axis in axes] == [(-5, 7), (-5, 5)]


def test_a_bounded_board_may_be_drawn_in_part() -> None:
    here = board("square grid 20 x 12", "board:\n    a  b\n    .  .@1\ngoal: (19,11)\n")
    assert tiles_at(here, "board") == {(0, 0): "a", (1, 0): "b"}
    assert value(here, "goal") == (19, 11)
    assert written(here.engine, here.state).count("\n        ") == 2
    back(here)


def test_hex_boards_have_their_odd_rows_indented() -> None:
    here = board("hex grid", "board:\n    a  b\n      .  a\n    b  .\n")
    assert tiles_at(here, "board") == {(0, 0): "a", (1, 0): "b", (1, 1): "a", (0, 2): "b"}
    back(here)


def test_a_hex_board_may_begin_with_an_odd_row() -> None:
    here = board("hex grid", "board:\n      a  b\n    .  a\n")
    assert tiles_at(here, "board") == {(0, 1): "a", (1, 1): "b", (1, 2): "a"}
    back(here)
    pinned = board("hex grid", "board:\n      a  b\n    .  a\norigin 3,5\n")
    assert tiles_at(pinned, "board") == {(5, 3): "a", (6, 3): "b", (6, 4): "a"}
    back(pinned)


def test_one_row_of_hexes_is_as_its_origin_says() -> None:
    here = board("hex grid", "board:\n    a  .  b@1\norigin 3,0\n")
    assert tiles_at(here, "board") == {(0, 3): "a", (2, 3): "b"}
    back(here)


def test_a_hexagon_is_drawn_whole() -> None:
    body = "board:\n       a  .\n    .  b@1  .\n       .  a\n"
    here = board("hex grid 1", body)
    window = here.engine.instance.windows["board"]
    assert tiles_at(here, "board") == {(-1, -1): "a", (0, 0): "b", (0, 1): "a"}
    assert window.size == 7
    back(here)


def test_cubes_are_drawn_level_by_level() -> None:
    body = "board level 0:\n    a  b\n    .  a\nboard level 2:\n    .  b@1\n    .  .\n"
    here = board("cube grid 3 x 3 x 3", body)
    assert tiles_at(here, "board") == {(0, 0, 0): "a", (1, 0, 0): "b", (1, 1, 0): "a", (1, 0, 2): "b"}
    assert value(here, "man", 1) == (1, 0, 2)
    back(here)


def test_unbounded_cubes_have_room_above() -> None:
    here = board("cube grid", "board:\n    a  b@1\norigin 2,2\nbag: a\n")
    assert tiles_at(here, "board") == {(2, 2, 0): "a", (3, 2, 0): "b"}
    levels = {coordinate[2] for coordinate in here.engine.instance.windows["board"].coordinates}
    assert levels == set(range(4))
    back(here)


def test_rings_are_one_row() -> None:
    here = board("ring 5", "board:\n    .  a  .@2  .  b\ngoal: 3\n")
    assert tiles_at(here, "board") == {(1,): "a", (4,): "b"}
    assert value(here, "man", 2) == (2,) and value(here, "goal") == (3,)
    back(here)


GRAPH = """graph of tiles:
    quay - inn
    inn - 7
"""


def test_graphs_list_their_nodes() -> None:
    text = HEAD.format(shape="graph", players="1..2").replace("graph of tiles\n", GRAPH)
    here = drawn(text, "players 2\nboard:\n    a  .  b@1\ngoal: inn\n")
    assert tiles_at(here, "board") == {(0,): "a", (2,): "b"}
    assert value(here, "goal") == (1,)
    back(here)
    again = drawn(text, "players 2\nboard:\n    a  .  b@1\ngoal: 7\n")
    assert value(again, "goal") == (2,)
    back(again)


@pytest.mark.parametrize("shape", ["square grid", "hex grid", "cube grid"])
def test_a_board_that_is_not_drawn_is_as_after_set_up(shape: str) -> None:
    here = board(shape, "bag: a, b\n")
    assert tiles_at(here, "board") == {}
    back(here)


def test_a_drawing_empties_the_zones_that_are_not_named() -> None:
    here = at_sea("sea:\n    hq@1\n\nhand 1: open\n")
    columns = here.engine.layout.columns
    zones = ("box", "kept", "draw", "discarded")
    assert all(here.state[columns[name].start] == () for name in zones)
