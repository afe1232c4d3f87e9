"""Square windows: what is written down here is read off a drawn board."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces import Extent, open_window


def test_a_board_is_numbered_row_by_row() -> None:
    board = open_window(Space("board", Shape.SQUARE, (3, 2)))
    assert board.size == board.nowhere == 6
    assert board.coordinates == ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))
    assert board.cell((1, 1)) == 4
    assert board.cell((3, 0)) == board.nowhere
    assert board.origin == 0
    assert not board.unbounded


def test_steps_of_a_board() -> None:
    board = open_window(Space("board", Shape.SQUARE, (3, 2)))
    steps = dict(zip(board.directions, board.steps, strict=True))
    assert steps["N"] == (6, 6, 6, 0, 1, 2, 6)
    assert steps["E"] == (1, 2, 6, 4, 5, 6, 6)
    assert steps["SW"] == (6, 3, 4, 6, 6, 6, 6)


def test_an_unbounded_space_opens_a_window_around_zero() -> None:
    sea = open_window(Space("sea", Shape.SQUARE), Extent((-2, -1), (2, 1)))
    assert sea.unbounded
    assert sea.size == 15
    assert sea.coordinates[sea.origin] == (0, 0)
    assert sea.line(sea.origin, sea.directions.index("W")) == (sea.cell((-1, 0)), sea.cell((-2, 0)))


def test_neighbours_decide_around_turns_and_distance() -> None:
    four = open_window(Space("four", Shape.SQUARE, (5, 5)))
    eight = open_window(Space("eight", Shape.SQUARE, (5, 5), neighbours=8))
    assert [four.directions[d] for d in four.around] == ["N", "E", "S", "W"]
    assert [four.directions[d] for d in four.diagonals] == ["NE", "SE", "SW", "NW"]
    assert len(eight.around) == 8
    assert [four.words[four.turn(0, k)] for k in range(4)] == ["north", "east", "south", "west"]
    assert [four.directions[four.turn(4, k)] for k in range(4)] == ["NE", "SE", "SW", "NW"]
    assert [eight.directions[eight.turn(0, k)] for k in range(8)] == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert four.turn(0, -1) == four.directions.index("W")
    assert four.distance(0, 24) == 8
    assert eight.distance(0, 24) == 4


def test_toward_follows_the_lines_of_a_queen() -> None:
    board = open_window(Space("board", Shape.SQUARE, (5, 5)))
    from_middle = [board.toward(12, b) for b in range(25)]
    names = " ".join(board.directions[d] if d >= 0 else "." for d in from_middle)
    assert names == "NW . N . NE . NW N NE . W W . E E . SW S SE . SW . S . SE"


def test_a_torus() -> None:
    board = open_window(Space("board", Shape.SQUARE, (4, 3), wrapped=True))
    north, east = 0, 1
    assert board.steps[north][1] == 9
    assert board.line(1, east) == (2, 3, 0)
    assert board.distance(0, 11) == 2
    assert board.words[board.toward(0, 3)] == "west"


@pytest.mark.parametrize(
    ("space", "extent", "message"),
    [
        (Space("a", Shape.SQUARE), None, "needs the extent"),
        (Space("a", Shape.SQUARE), Extent((0,), (1,)), "2 coordinates"),
        (Space("a", Shape.SQUARE), Extent((1, 0), (0, 0)), "no cell"),
        (Space("a", Shape.SQUARE, (3,)), None, "columns x rows"),
        (Space("a", Shape.SQUARE, (3, 0)), None, "at least one cell"),
        (Space("a", Shape.SQUARE, (3, 3), neighbours=6), None, "4 or 8"),
        (Space("a", Shape.SQUARE, wrapped=True), Extent((0, 0), (1, 1)), "wrapped"),
    ],
)
def test_what_cannot_be_is_refused(space: Space, extent: Extent | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_window(space, extent)
