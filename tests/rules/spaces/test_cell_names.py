"""Names of the cells of a grid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces.drawing import letter_of, number_of
from rulewright.rules.spaces.from_tree import open_window


def named(first: str, last: str, size: tuple[int, ...], shape: Shape = Shape.SQUARE) -> tuple[str, ...]:
    return open_window(Space("board", shape, size, corners=(first, last))).names


def test_a_chessboard() -> None:
    names = named("a8", "h1", (8, 8))
    assert names[:2] == ("a8", "b8") and names[8] == "a7" and names[-1] == "h1" and len({*names}) == 64


def test_players_of_go_leave_out_i() -> None:
    assert named("A9", "J1", (9, 9))[:9] == ("A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "J9")
    assert named("a1", "i9", (9, 9), Shape.HEX)[8] == "i1"


@given(width=st.integers(1, 8), height=st.integers(1, 30), is_downward=st.booleans())
def test_a_name_is_the_letter_of_a_column_and_the_number_of_a_row(width: int, height: int, is_downward: bool) -> None:
    rows = (1, height) if is_downward else (height, 1)
    last = chr(ord("a") + width - 1)
    window = open_window(Space("board", Shape.SQUARE, (width, height), corners=(f"a{rows[0]}", f"{last}{rows[1]}")))
    for name, (column, row) in zip(window.names, window.coordinates, strict=True):
        assert letter_of(name) == chr(ord("a") + column)
        assert int(number_of(name)) == (row + 1 if is_downward else height - row)


@pytest.mark.parametrize(
    ("shape", "size", "first", "last", "message"),
    [
        (Shape.SQUARE, (8, 8), "a8", "g1", "names 7 columns and 8 rows, but the space has 8 columns and 8 rows"),
        (Shape.SQUARE, (8, 8), "a8", "h2", "names 8 columns and 7 rows"),
        (Shape.SQUARE, (8, 8), "h8", "a1", "names 0 columns"),
        (Shape.SQUARE, (8, 8), "north", "h1", "a letter and a number, as in `a8..h1`"),
        (Shape.HEX, (2,), "a1", "e5", "only the cells of a square or hex grid with columns and rows"),
        (Shape.RING, (4,), "a1", "d1", "only the cells of a square or hex grid with columns and rows"),
    ],
)
def test_names_that_do_not_fit_are_refused(shape: Shape, size: tuple[int, ...], first: str, last: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        named(first, last, size, shape)
