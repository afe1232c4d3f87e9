"""Hex windows against cube coordinates (Red Blob Games) and drawn boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces import Extent, open_window

CLOCKWISE = {"NE": (1, -1, 0), "E": (1, 0, -1), "SE": (0, 1, -1), "SW": (-1, 1, 0), "W": (-1, 0, 1), "NW": (0, -1, 1)}
"""Steps in cube coordinates (q, r, s)."""

SEA = open_window(Space("sea", Shape.HEX), Extent((-7, -6), (6, 7)))
WITHIN = st.integers(0, SEA.size - 1)


def cube_of(column: int, row: int) -> tuple[int, int, int]:
    q = column - (row - (row & 1)) // 2
    return q, row, -q - row


def test_directions_are_clockwise_from_the_north_east() -> None:
    assert SEA.directions == tuple(CLOCKWISE)
    assert SEA.words == ("north_east", "east", "south_east", "south_west", "west", "north_west")
    assert [SEA.directions[SEA.turn(0, k)] for k in range(6)] == list(CLOCKWISE)


@given(WITHIN)
def test_steps_are_those_of_cube_coordinates(cell: int) -> None:
    here = cube_of(*SEA.coordinates[cell])
    for vector, step in zip(CLOCKWISE.values(), SEA.steps, strict=True):
        if step[cell] != SEA.nowhere:
            there = cube_of(*SEA.coordinates[step[cell]])
            assert tuple(b - a for a, b in zip(here, there, strict=True)) == vector


@given(WITHIN, WITHIN)
def test_distance_is_that_of_cube_coordinates(first: int, second: int) -> None:
    one, other = cube_of(*SEA.coordinates[first]), cube_of(*SEA.coordinates[second])
    assert SEA.distance(first, second) == max(abs(x - y) for x, y in zip(one, other, strict=True))


@given(st.integers(0, 8))
def test_a_hexagon_holds_what_is_within_its_radius(radius: int) -> None:
    board = open_window(Space("board", Shape.HEX, (radius,)))
    assert board.size == 3 * radius * (radius + 1) + 1
    assert board.coordinates[board.origin] == (0, 0)
    assert max(board.distance(board.origin, cell) for cell in range(board.size)) == radius
    assert all(max(map(abs, cube_of(*coordinate))) <= radius for coordinate in board.coordinates)


def test_odd_rows_are_indented() -> None:
    board = open_window(Space("board", Shape.HEX, (3, 3)))
    around_middle = [board.coordinates[step[board.cell((1, 1))]] for step in board.steps]
    assert around_middle == [(2, 0), (2, 1), (2, 2), (1, 2), (0, 1), (1, 0)]
    corner = [step[board.origin] for step in board.steps]
    assert corner == [9, 1, 3, 9, 9, 9]


def test_a_wrapped_board_keeps_its_rows_apart() -> None:
    board = open_window(Space("board", Shape.HEX, (4, 4), wrapped=True))
    up = board.steps[board.directions.index("NW")]
    assert board.coordinates[up[board.origin]] == (3, 3)
    assert all(len({step[cell] for step in board.steps}) == 6 for cell in range(board.size))


@given(st.integers(1, 7), st.integers(1, 7))
def test_a_slanted_board_is_a_rhombus(columns: int, rows: int) -> None:
    """In cube coordinates its sides are straight: q and r are independent."""
    board = open_window(
        Space("board", Shape.HEX, (columns, rows), slanted=True, corners=("a1", f"{'abcdefg'[columns - 1]}{rows}"))
    )
    places = [cube_of(*coordinate)[:2] for coordinate in board.coordinates]
    assert places == [(q, r) for r in range(rows) for q in range(columns)]
    assert board.names == tuple(f"{'abcdefg'[q]}{r + 1}" for q, r in places)


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (Space("a", Shape.HEX, (4, 4), wrapped=True, slanted=True), "cannot be wrapped"),
        (Space("a", Shape.HEX, (3,), slanted=True), "of columns and rows"),
        (Space("a", Shape.SQUARE, (4, 4), slanted=True), "only a hex grid"),
        (Space("a", Shape.HEX, (4, 3), wrapped=True), "even number of rows"),
        (Space("a", Shape.HEX, (3,), wrapped=True), "cannot be wrapped"),
        (Space("a", Shape.HEX, wrapped=True), "cannot be wrapped"),
        (Space("a", Shape.HEX), "needs the extent"),
        (Space("a", Shape.HEX, (-1,)), "cannot be negative"),
        (Space("a", Shape.HEX, (3, 3, 3)), "columns x rows"),
        (Space("a", Shape.HEX, (3, 3), neighbours=4), "is fixed"),
    ],
)
def test_what_cannot_be_is_refused(space: Space, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_window(space)
