"""Cubes seen from the south-west and above: their places in a picture, their depth order, and their visible faces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from rulewright.rules.spaces.window import Window

from ..palette import Palette
from ..svg import Element, Paint, path, polygon_data, skewed
from .cell_shapes import Point
from .layout import Layout

ACROSS, DOWN, UP = 0.5, 0.5 / math.sqrt(3), 1 / math.sqrt(3)
"""Offsets of a step: east goes ACROSS and up by DOWN, south ACROSS and down by DOWN, a level UP."""

SOUTH_SHADE, WEST_SHADE = 0.18, 0.38
"""How much darker the south and west faces are."""

NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST = (-ACROSS, 0.0), (0.0, -DOWN), (ACROSS, 0.0), (0.0, DOWN)
"""The corners of the upper face of a cube, seen from its middle."""


def isometric_layout(window: Window, cells: Iterable[int]) -> Layout:
    """The middle of the upper face of each cell, back to front and bottom to top."""
    places = {}
    for cell in sorted(cells, key=lambda cell: _nearness(window.coordinates[cell])):
        column, row, level = window.coordinates[cell]
        places[cell] = (ACROSS * (column + row), DOWN * (row - column) - UP * (level + 1))
    return Layout(places)


def _nearness(spot: Sequence[int]) -> tuple[int, int]:
    column, row, level = spot
    return row - column, level


def hidden_faces(window: Window, cell: int, solid: Iterable[int]) -> frozenset[str]:
    """The directions among `S`, `W` and `U` in which another cube hides a face of a cell."""
    taken = frozenset(solid)
    return frozenset(way for way in "SWU" if window.steps[window.directions.index(way)][cell] in taken)


def cube(face: Element, colour: str, hidden: frozenset[str], size: float, palette: Palette) -> list[Element]:
    """A cube around the middle of its upper face; `face` is the picture on that face, as seen from above."""
    found = []
    for way, shade, start, end in (("S", SOUTH_SHADE, SOUTH_WEST, SOUTH_EAST), ("W", WEST_SHADE, NORTH_WEST, SOUTH_WEST)):
        if way not in hidden:
            spots = [start, end, _lowered(end), _lowered(start)]
            found.append(path(polygon_data(_sized(spots, size)), Paint(palette.shaded(colour, shade), palette.ink, 0.8)))
    if "U" not in hidden:
        found.append(path(polygon_data(_sized(CORNERS, size)), Paint(colour, palette.ink, 0.8)))
        found.append(skewed(face, (ACROSS, -DOWN, ACROSS, DOWN)))
    return found


CORNERS = (NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST)


def floor(colour: str, size: float, palette: Palette) -> Element:
    """The ground below a cell, seen from the middle of its upper face."""
    return path(polygon_data(_sized([_lowered(spot) for spot in CORNERS], size)), Paint(colour, palette.faint, 0.8))


def _lowered(spot: Point) -> Point:
    return spot[0], spot[1] + UP


def _sized(spots: Iterable[Point], size: float) -> list[Point]:
    return [(x * size, y * size) for x, y in spots]
