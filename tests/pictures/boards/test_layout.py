"""Cells do not lie on each other, and neighbours lie near."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import pytest

from rulewright.grammar.tree.modules import Shape
from rulewright.pictures.boards.cell_shapes import Point
from rulewright.pictures.placing.boards import middles_of
from rulewright.pictures.stage.grids import grid_of, seen_of
from rulewright.pictures.stage.vocabulary import Board
from rulewright.rules.spaces.graph import graph_window
from rulewright.rules.spaces.hex import hex_window
from rulewright.rules.spaces.ring import ring_window
from rulewright.rules.spaces.square import cube_window, square_window
from rulewright.rules.spaces.window import Window

PATH = graph_window((("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "e")))
WINDOWS = [
    square_window((4, 3)),
    hex_window((2,)),
    hex_window((3, 4)),
    cube_window((2, 3, 2)),
    ring_window((9,)),
    PATH,
]


def middles(window: Window) -> Mapping[int, Point]:
    board = Board("space", "space", 1.0, grid_of(window, is_isometric=False), seen_of(window), None, (), (), (), (), (), -1)
    return middles_of(board, range(window.size), set())[0]


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window.shape.value)
def test_cells_have_places_of_their_own(window: Window):
    found = middles(window)
    assert sorted(found) == list(range(window.size))
    for one in range(window.size):
        for other in range(one):
            assert math.dist(found[one], found[other]) > 0.85


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window.shape.value)
def test_neighbours_lie_near(window: Window):
    found = middles(window)
    for direction in window.around:
        if window.shape is Shape.CUBE and window.directions[direction] in "UD":
            continue
        for cell, other in enumerate(window.steps[direction][:-1]):
            if other != window.nowhere:
                assert math.dist(found[cell], found[other]) < 3.0


@pytest.mark.parametrize("window", [*WINDOWS, hex_window((4, 4), wrapped=True)], ids=lambda window: window.shape.value)
def test_steps_are_those_of_the_window(window: Window):
    grid = grid_of(window, is_isometric=False)
    assert grid.size == window.size
    for way, steps in enumerate(window.steps if grid.vectors or grid.near else ()):
        assert [grid.step(cell, way) for cell in range(window.size)] == list(steps[:-1])


def test_a_large_graph_stays_on_its_circle():
    """What strangers write may have thousands of nodes: to move them all would take minutes."""
    names = [f"n{number}" for number in range(1200)]
    window = graph_window(tuple(pairwise(names)))
    found = middles(window)
    middle = tuple(sum(spot[axis] for spot in found.values()) / window.size for axis in (0, 1))
    radii = {round(math.dist(spot, middle)) for spot in found.values()}
    assert len(radii) == 1
