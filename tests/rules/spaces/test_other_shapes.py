"""Cube grids, rings and graphs, by example."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces import Extent, open_window

CASTLE = Space("castle", Shape.GRAPH, edges=(("gate", "yard"), ("tower", "yard"), ("yard", "hall"), ("moat", "bridge")))


def test_a_cube_is_stacked_boards() -> None:
    board = open_window(Space("board", Shape.CUBE, (3, 2, 2)))
    assert board.directions == ("N", "E", "S", "W", "U", "D")
    assert board.words[4:] == ("up", "down")
    assert board.coordinates[board.steps[4][board.origin]] == (0, 0, 1)
    assert board.cell((2, 1, 1)) == 11
    assert board.distance(0, 11) == 4
    assert board.turn(4, 3) == 4
    assert board.diagonals == ()
    assert board.toward(0, board.cell((1, 1, 0))) == -1


def test_a_cube_with_eight_neighbours_on_each_level() -> None:
    board = open_window(Space("board", Shape.CUBE, neighbours=8), Extent((-1, -1, 0), (1, 1, 2)))
    assert len(board.around) == 10
    assert board.directions[board.toward(board.origin, board.cell((1, 1, 0)))] == "SE"
    assert board.distance(board.origin, board.cell((1, 1, 2))) == 3
    assert board.directions[board.turn(0, 1)] == "NE"


def test_a_ring() -> None:
    ring = open_window(Space("track", Shape.RING, (6,)))
    assert ring.words == ("forward", "back")
    assert ring.line(4, 0) == (5, 0, 1, 2, 3)
    assert [ring.toward(0, cell) for cell in range(6)] == [-1, 0, 0, 0, 1, 1]
    assert [ring.distance(0, cell) for cell in range(6)] == [0, 1, 2, 3, 2, 1]
    assert ring.turn(0, 1) == 1
    assert open_window(Space("track", Shape.RING, (6,), neighbours=2)) == ring


def test_a_graph_numbers_exits_in_the_order_of_the_edges() -> None:
    castle = open_window(CASTLE)
    assert castle.names == ("gate", "yard", "tower", "hall", "moat", "bridge")
    assert castle.directions == castle.words == ("1", "2", "3")
    assert [castle.names[step[1]] for step in castle.steps] == ["gate", "tower", "hall"]
    assert [step[0] for step in castle.steps] == [1, castle.nowhere, castle.nowhere]
    assert castle.distance(0, 3) == 2
    assert castle.distance(0, 4) == -1
    assert castle.toward(0, 3) == -1
    assert castle.line(0, 0) == (1,)


@pytest.mark.parametrize(
    ("space", "message"),
    [
        (Space("a", Shape.RING), "number of cells"),
        (Space("a", Shape.RING, (0,)), "at least one"),
        (Space("a", Shape.GRAPH), "at least one edge"),
        (Space("a", Shape.GRAPH, edges=(("b", "b"),)), "`b` to itself"),
        (Space("a", Shape.GRAPH, edges=(("b", "c"), ("c", "b"))), "joined twice"),
        (Space("a", Shape.GRAPH, (2,), edges=(("b", "c"),)), "no size"),
        (Space("a", Shape.CUBE, (2, 2)), "columns x rows x levels"),
        (Space("a", Shape.CUBE, (2, 2, 2), neighbours=6), "4 or 8"),
        (Space("a", Shape.CUBE, wrapped=True), "cannot be wrapped"),
    ],
)
def test_what_cannot_be_is_refused(space: Space, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        open_window(space)
