"""Hex grids of pointy-top hexes, numbered by (column, row), rows from north to south, odd rows indented by half a cell.

These are the "odd-r" offset coordinates of Red Blob Games (https://www.redblobgames.com/grids/hexagons/), extended to negative
rows: -1 is odd. Steps are computed in axial coordinates (q = column - floor(row / 2), r = row), distances in doubled ones
(x = 2 column + row mod 2, y = row), in which a step to the east is 2 and any other step is 1 along both axes.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import CellRow, checked_extent, cyclic_distance, extent_of, rotation_table, step_table
from .window import NO_DIRECTION, Extent, Window

DIRECTIONS = ("NE", "E", "SE", "SW", "W", "NW")
WORDS = ("north_east", "east", "south_east", "south_west", "west", "north_west")
AXIAL_VECTORS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
OPPOSITE = (3, 4, 5, 0, 1, 2)
SIDES = (0, 1, 2, 3, 4, 5)

_DIRECTION_OF_SIGNS = {(1, -1): 0, (1, 0): 1, (1, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5}


@frozen(cache_hash=True)
class HexWindow(Window):
    """A window of a hex grid; its directions go clockwise from the north-east."""

    @cached_property
    def _doubled_coordinates(self) -> tuple[tuple[int, int], ...]:
        return tuple((2 * column + (row & 1), row) for column, row in self.coordinates)

    def _displacement(self, start: int, end: int) -> tuple[int, int]:
        """The displacement to the east and to the south, in doubled coordinates."""
        (x, y), (end_x, end_y) = self._doubled_coordinates[start], self._doubled_coordinates[end]
        return end_x - x, end_y - y

    def toward(self, start: int, end: int) -> int:
        if self.periods:
            return super().toward(start, end)
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        east, south = self._displacement(start, end)
        if south and abs(east) != abs(south):
            return NO_DIRECTION
        return _DIRECTION_OF_SIGNS[(east > 0) - (east < 0), (south > 0) - (south < 0)]

    def distance(self, start: int, end: int) -> int:
        if self.size in (start, end):
            return -1
        east, south = self._displacement(start, end)
        width, height = self.periods or (0, 0)
        along, across = cyclic_distance(east, 2 * width), cyclic_distance(south, height)
        return max(across, (along + across) // 2)

    def distances(self, start: int) -> list[int]:
        if self.periods or start == self.size:
            return super().distances(start)
        x, y = self._doubled_coordinates[start]
        offsets = ((abs(end_x - x), abs(end_y - y)) for end_x, end_y in self._doubled_coordinates)
        return [max(south, (east + south) // 2) for east, south in offsets] + [-1]


def hex_window(
    size: tuple[int, ...] = (), wrapped: bool = False, extent: Extent | None = None, slanted: bool = False
) -> HexWindow:
    """The hex grid of `size`: (columns, rows), (radius,) for a hexagon around (0, 0), or empty for `extent`.

    If it is `slanted`, each row begins half a cell to the east of the one above: a rhombus. Raises `ValueError`.
    """
    if len(size) == 1:
        if wrapped:
            raise ValueError("a hexagon cannot be wrapped")
        return _window_of_rows(_rows_of_hexagon(size[0]), -size[0], unbounded=False)
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    bounds = extent_of(size, ("columns", "rows")) if size else checked_extent(extent, 2)
    (west, north), (east, south) = bounds.low, bounds.high
    width, height = east - west + 1, south - north + 1
    if wrapped and height % 2:
        raise ValueError("a wrapped hex grid needs an even number of rows")
    rows = [CellRow(row * width, west + (row >> 1) * slanted, width) for row in range(height)]
    return _window_of_rows(rows, north, unbounded=not size, periods=(width, height) if wrapped else ())


def _rows_of_hexagon(radius: int) -> list[CellRow]:
    """The rows of the hexes within `radius` steps of (0, 0), starting at row -radius."""
    if radius < 0:
        raise ValueError("the radius cannot be negative")
    rows: list[CellRow] = []
    start = 0
    for row in range(-radius, radius + 1):
        width = 2 * radius + 1 - abs(row)
        rows.append(CellRow(start, max(-radius, -radius - row) + (row >> 1), width))
        start += width
    return rows


def _window_of_rows(rows: list[CellRow], north: int, unbounded: bool, periods: tuple[int, ...] = ()) -> HexWindow:
    nowhere = rows[-1].start + rows[-1].width
    wrapped = bool(periods)

    def target(index: int, along: int, down: int) -> tuple[CellRow | None, int]:
        row, reached = north + index, index + down
        inside = wrapped or 0 <= reached < len(rows)
        shift = along + ((row + down) >> 1) - (row >> 1)
        return rows[reached % len(rows)] if inside else None, shift

    return HexWindow(
        shape=Shape.HEX,
        size=nowhere,
        directions=DIRECTIONS,
        words=WORDS,
        steps=tuple(
            step_table(rows, [target(index, along, down) for index in range(len(rows))], nowhere, wrapped)
            for along, down in AXIAL_VECTORS
        ),
        around=SIDES,
        diagonals=(),
        opposite=OPPOSITE,
        clockwise=rotation_table(6, SIDES),
        coordinates=tuple(
            (column, number) for number, row in enumerate(rows, north) for column in range(row.column, row.column + row.width)
        ),
        unbounded=unbounded,
        periods=periods,
    )
