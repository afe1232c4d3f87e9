"""Cubes seen from the south-west and above: the pictures of their faces."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..palette import Palette
from ..svg import Element, Paint, group, path, polygon_data, skewed
from .cell_shapes import Point

ACROSS, DOWN, UP = 0.5, 0.5 / math.sqrt(3), 1 / math.sqrt(3)
"""Offsets of a step: east goes ACROSS and up by DOWN, south ACROSS and down by DOWN, a level UP."""

SOUTH_SHADE, WEST_SHADE = 0.18, 0.38
"""How much darker the south and west faces are."""

NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST = (-ACROSS, 0.0), (0.0, -DOWN), (ACROSS, 0.0), (0.0, DOWN)
"""The corners of the upper face of a cube, seen from its middle."""


def top_of_cube(face: Element, colour: str, size: float, palette: Palette) -> Element:
    """The upper face of a cube, around its middle; `face` is the picture on it, as seen from above."""
    plate = path(polygon_data(_sized(CORNERS, size)), Paint(colour, palette.ink, 0.8))
    return group((plate, skewed(face, (ACROSS, -DOWN, ACROSS, DOWN))))


def south_of_cube(colour: str, size: float, palette: Palette) -> Element:
    """The southern face, around the middle of the upper one."""
    return _wall(SOUTH_WEST, SOUTH_EAST, palette.shaded(colour, SOUTH_SHADE), size, palette)


def west_of_cube(colour: str, size: float, palette: Palette) -> Element:
    """The western face, around the middle of the upper one."""
    return _wall(NORTH_WEST, SOUTH_WEST, palette.shaded(colour, WEST_SHADE), size, palette)


def _wall(start: Point, end: Point, colour: str, size: float, palette: Palette) -> Element:
    spots = [start, end, _lowered(end), _lowered(start)]
    return path(polygon_data(_sized(spots, size)), Paint(colour, palette.ink, 0.8))


CORNERS = (NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST)


def floor(colour: str, size: float, palette: Palette) -> Element:
    """The ground below a cell, seen from the middle of its upper face."""
    return path(polygon_data(_sized([_lowered(spot) for spot in CORNERS], size)), Paint(colour, palette.faint, 0.8))


def _lowered(spot: Point) -> Point:
    return spot[0], spot[1] + UP


def _sized(spots: Iterable[Point], size: float) -> list[Point]:
    return [(x * size, y * size) for x, y in spots]
