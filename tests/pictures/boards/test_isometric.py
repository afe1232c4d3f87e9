"""Cubes: what is behind is drawn first, what is hidden is not drawn."""

from __future__ import annotations

from rulewright.pictures.boards.isometric import cube, hidden_faces, isometric_layout
from rulewright.pictures.palette import LIGHT
from rulewright.pictures.svg import Paint, path
from rulewright.rules.spaces.cube import cube_window

WINDOW = cube_window((3, 3, 3))


def at(column: int, row: int, level: int) -> int:
    return WINDOW.cell((column, row, level))


def test_what_is_behind_or_below_is_drawn_first():
    order = list(isometric_layout(WINDOW, range(WINDOW.size)).middles)
    place = {cell: number for number, cell in enumerate(order)}
    for cell, (column, row, level) in enumerate(WINDOW.coordinates):
        before = [(column + 1, row, level), (column, row - 1, level), (column, row, level - 1)]
        for spot in before:
            other = WINDOW.cell(spot)
            assert other == WINDOW.nowhere or place[other] < place[cell]


def test_one_step_of_each_direction_goes_its_own_way():
    middles = isometric_layout(WINDOW, range(WINDOW.size)).middles
    (x, y), east, south, up = (middles[at(*spot)] for spot in ((0, 1, 0), (1, 1, 0), (0, 2, 0), (0, 1, 1)))
    assert east[0] > x and east[1] < y
    assert south[0] > x and south[1] > y
    assert up[0] == x and up[1] < y


def test_faces_behind_other_cubes_are_left_out():
    solid = {at(1, 1, 0), at(1, 2, 0), at(1, 1, 1)}
    assert hidden_faces(WINDOW, at(1, 1, 0), solid) == {"S", "U"}
    assert hidden_faces(WINDOW, at(1, 1, 1), solid) == set()
    face = path("M0 0", Paint("#ffffff"))
    assert len(cube(face, "#808080", frozenset(), 10.0, LIGHT)) == 4
    assert len(cube(face, "#808080", frozenset("SU"), 10.0, LIGHT)) == 1
