"""The outline of a cell by the shape of its space, and the faces of cubes seen from the south-west and above."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape
from rulewright.pictures.look import Palette
from rulewright.pictures.svg import Element, Paint, group, path, polygon_data, skewed

Point = tuple[float, float]

ROW = math.sqrt(3) / 2
"""The distance between two rows of hexes that are 1 wide."""


@frozen
class CellShape:
    """A cell that is 1 wide. `sides[n]` goes from `corners[n]` to the next corner."""

    corners: tuple[Point, ...]
    sides: tuple[str, ...]

    def side(self, at: int) -> tuple[Point, Point]:
        return self.corners[at], self.corners[(at + 1) % len(self.corners)]

    def port(self, name: str, per_side: int) -> Point | None:
        """Where a port lies: `N2` is the second on the side `N`, counted clockwise; None for any other name."""
        side = name.rstrip("0123456789")
        if side not in self.sides or len(side) == len(name):
            return None
        (x, y), (end_x, end_y) = self.side(self.sides.index(side))
        share = int(name[len(side) :]) / (per_side + 1)
        return x + share * (end_x - x), y + share * (end_y - y)

    def middle_of_side(self, at: int) -> Point:
        (x, y), (end_x, end_y) = self.side(at)
        return (x + end_x) / 2, (y + end_y) / 2


SQUARE = CellShape(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)), ("N", "E", "S", "W"))
HEX = CellShape(
    tuple((math.sin(math.radians(60 * at)) / math.sqrt(3), -math.cos(math.radians(60 * at)) / math.sqrt(3)) for at in range(6)),
    ("NE", "E", "SE", "SW", "W", "NW"),
)


_TURNS = [2 * math.pi * at / 32 for at in range(32)]
NODE = CellShape(tuple((0.5 * math.sin(turn), -0.5 * math.cos(turn)) for turn in _TURNS), ("",) * len(_TURNS))
"""A node of a graph or ring: nearly round, with no sides that a tile could show."""


def cell_shape(shape: Shape) -> CellShape:
    """The outline of a cell."""
    match shape:
        case Shape.HEX:
            return HEX
        case Shape.SQUARE | Shape.CUBE:
            return SQUARE
        case Shape.GRAPH | Shape.RING:
            return NODE


_SQUARE_BEARINGS = {name: 45.0 * at for at, name in enumerate(("N", "NE", "E", "SE", "S", "SW", "W", "NW"))}
_HEX_BEARINGS = {name: 30.0 + 60.0 * at for at, name in enumerate(HEX.sides)}


def bearing(shape: Shape, direction: str) -> float | None:
    """Where a direction points, in degrees clockwise from the top of a picture; None if it does not lie in the plane."""
    return (_HEX_BEARINGS if shape is Shape.HEX else _SQUARE_BEARINGS).get(direction)


# Cubes seen from the south-west and above: the pictures of their faces ------------------------------------------------


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
