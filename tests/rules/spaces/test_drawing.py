"""Drawings in the form of puzzles."""

from __future__ import annotations

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces import Extent, open_window
from rulewright.rules.spaces.drawing import draw_rows


def test_an_unbounded_board_is_cropped_to_what_is_on_it() -> None:
    sea = open_window(Space("sea", Shape.SQUARE), Extent((-5, -5), (5, 5)))
    texts = {sea.cell((-1, 2)): "buoy", sea.cell((1, 1)): "hq@1"}
    assert draw_rows(sea, texts) == [".     .     hq@1", "buoy  .     ."]
    assert draw_rows(sea, {}) == []


def test_bounds_and_vacant_are_what_is_asked_for() -> None:
    sea = open_window(Space("sea", Shape.SQUARE), Extent((-5, -5), (5, 5)))
    assert draw_rows(sea, {sea.origin: "x"}, Extent((-1, 0), (1, 1)), vacant="-") == ["-  x  -", "-  -  -"]


def test_a_bounded_board_is_drawn_whole() -> None:
    board = open_window(Space("board", Shape.SQUARE, (2, 2)))
    assert draw_rows(board, {}) == [".  .", ".  ."]


def test_odd_rows_of_a_hex_board_are_indented_also_when_cropped() -> None:
    board = open_window(Space("board", Shape.HEX, (2, 3)))
    assert draw_rows(board, {board.cell((1, 1)): "xy"}) == [".   .", "  .   xy", ".   ."]
    sea = open_window(Space("sea", Shape.HEX), Extent((-3, -3), (3, 3)))
    assert draw_rows(sea, {sea.cell((0, -1)): "ab", sea.cell((1, 0)): "cd"}) == ["  ab  .", ".   cd"]


def test_a_hexagon_has_blank_corners() -> None:
    board = open_window(Space("board", Shape.HEX, (1,)))
    assert draw_rows(board, {board.origin: "o"}) == ["  .   .", ".   o   .", "  .   ."]


def test_a_cube_is_one_drawing_a_level() -> None:
    board = open_window(Space("board", Shape.CUBE, (2, 1, 2)))
    assert draw_rows(board, {3: "x"}) == ["level 0:", ".  .", "level 1:", ".  x"]


def test_rings_and_graphs_are_lists() -> None:
    ring = open_window(Space("track", Shape.RING, (3,)))
    assert draw_rows(ring, {1: "red"}) == ["0: .", "1: red", "2: ."]
    graph = open_window(Space("castle", Shape.GRAPH, edges=(("gate", "yard"),)))
    assert draw_rows(graph, {0: "guard"}) == ["gate: guard", "yard: ."]
