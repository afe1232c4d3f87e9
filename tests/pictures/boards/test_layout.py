"""Cells do not lie on each other, and neighbours lie near."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from rulewright.grammar.tree.modules import Shape
from rulewright.pictures.boards.layout import layout
from rulewright.rules.spaces.cube import cube_window
from rulewright.rules.spaces.graph import graph_window
from rulewright.rules.spaces.hex import hex_window
from rulewright.rules.spaces.ring import ring_window
from rulewright.rules.spaces.square import square_window
from rulewright.rules.spaces.window import Window

PATH = graph_window((("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "e")))
WINDOWS = [square_window((4, 3)), hex_window((2,)), hex_window((3, 4)), cube_window((2, 3, 2)), ring_window((9,)), PATH]


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window.shape.value)
def test_cells_have_places_of_their_own(window: Window):
    middles = layout(window, range(window.size)).middles
    assert sorted(middles) == list(range(window.size))
    for one in range(window.size):
        for other in range(one):
            assert math.dist(middles[one], middles[other]) > 0.85


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window.shape.value)
def test_neighbours_lie_near(window: Window):
    middles = layout(window, range(window.size)).middles
    for direction in window.around:
        if window.shape is Shape.CUBE and window.directions[direction] in "UD":
            continue
        for cell, other in enumerate(window.steps[direction][:-1]):
            if other != window.nowhere:
                assert math.dist(middles[cell], middles[other]) < 3.0


def test_the_nodes_of_a_graph_have_their_names():
    found = layout(PATH, range(PATH.size))
    assert [caption for _, caption in found.captions] == list(PATH.names)
    assert len(found.lines) == 5


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: window.shape.value)
def test_no_cells_have_no_places(window: Window):
    assert layout(window, ()).middles == {}


def test_a_large_graph_stays_on_its_circle():
    """What strangers write may have thousands of nodes: to move them all would take minutes."""
    names = [f"n{number}" for number in range(1200)]
    window = graph_window(tuple(pairwise(names)))
    middles = layout(window, range(window.size)).middles
    middle = tuple(sum(spot[axis] for spot in middles.values()) / window.size for axis in (0, 1))
    radii = {round(math.dist(spot, middle)) for spot in middles.values()}
    assert len(radii) == 1
