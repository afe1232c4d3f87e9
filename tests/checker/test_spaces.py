"""The checker's functions of a space, by its steps alone, against the windows of every shape, which have formulas."""

from __future__ import annotations

import random

import pytest

from rulewright.checker.rulewright_check import Space
from rulewright.grammar.tree.modules import Shape
from rulewright.grammar.tree.modules import Space as Declared
from rulewright.rules.spaces import Extent, Window, open_window

WINDOWS = {
    "square": open_window(Declared("s", Shape.SQUARE, (5, 4))),
    "eight": open_window(Declared("s", Shape.SQUARE, (4, 4), neighbours=8)),
    "torus": open_window(Declared("s", Shape.SQUARE, (4, 3), wrapped=True)),
    "open": open_window(Declared("s", Shape.SQUARE), Extent((-2, -2), (2, 2))),
    "hex": open_window(Declared("h", Shape.HEX, (2,))),
    "wrapped hex": open_window(Declared("h", Shape.HEX, (3, 4), wrapped=True)),
    "cube": open_window(Declared("c", Shape.CUBE, (3, 2, 2))),
    "wrapped cube": open_window(Declared("c", Shape.CUBE, (3, 2, 2), wrapped=True)),
    "ring": open_window(Declared("r", Shape.RING, (6,))),
    "graph": open_window(Declared("g", Shape.GRAPH, edges=(("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "f")))),
}


def functions_of(window: Window) -> Space:
    """The space as the core says it."""
    maps = {
        "step": {"entries": [list(row) for row in window.steps]},
        "opposite": {"entries": list(window.opposite)},
        "clockwise": {"entries": list(window.clockwise)},
    }
    told = {
        "size": window.size, "step": "step", "opposite": "opposite", "clockwise": "clockwise", "around": list(window.around),
        "straight": window.shape is not Shape.GRAPH, "wrapped": bool(window.periods),
    }  # fmt: skip
    return Space(told, maps)


@pytest.mark.parametrize("shape", WINDOWS)
def test_functions_by_steps(shape: str) -> None:
    window = WINDOWS[shape]
    found, cells, ways = functions_of(window), range(window.size + 1), range(-1, len(window.steps))
    for start in cells:
        for end in cells:
            assert found.distance(start, end) == window.distance(start, end)
            assert found.toward(start, end) == window.toward(start, end)
        for way in ways:
            known = window.line(start, way) if way >= 0 and start < window.size else ()
            assert found.line(start, way) == known
            for times in (-7, -1, 0, 1, 2, 1000):
                assert found.leap(start, way, times) == window.leap(start, way, times)
    for way in ways:
        times = random.Random(way).randrange(-9, 9)
        assert found.turn(way, times) == window.turn(way, times)
