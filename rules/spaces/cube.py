"""Cube grids, columns of stacked cells: (column, row, level), rows from north to south, levels upwards."""

from __future__ import annotations

from ...grammar.classes import frozen
from ...grammar.modules import Shape
from .rows import Row, checked_extent, circles, extent_of, folded, stepped
from .window import NO_DIRECTION, Extent, Window

DIRECTIONS = ("N", "E", "S", "W", "U", "D", "NE", "SE", "SW", "NW")
WORDS = ("north", "east", "south", "west", "up", "down", "north_east", "south_east", "south_west", "north_west")
VECTORS = (
    *((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0)),
    *((0, 0, 1), (0, 0, -1)),
    *((1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)),
)
OPPOSITE = (2, 3, 0, 1, 5, 4, 8, 9, 6, 7)
SIDES = (0, 1, 2, 3)
EIGHTHS = (0, 6, 1, 7, 2, 8, 3, 9)

_OF_VECTOR = {vector: direction for direction, vector in enumerate(VECTORS)}


@frozen(cache_hash=True)
class CubeWindow(Window):
    """A window of a cube grid. Up and down are always among the neighbours; turning is about the vertical."""

    def toward(self, a: int, b: int) -> int:
        if self.periods:
            return super().toward(a, b)
        if a == b or self.size in (a, b):
            return NO_DIRECTION
        (column, row, level), (column_b, row_b, level_b) = self.coordinates[a], self.coordinates[b]
        east, south, up = column_b - column, row_b - row, level_b - level
        if east and south and abs(east) != abs(south):
            return NO_DIRECTION
        signs = ((east > 0) - (east < 0), (south > 0) - (south < 0), (up > 0) - (up < 0))
        direction = _OF_VECTOR.get(signs, NO_DIRECTION)
        return direction if direction < len(self.directions) else NO_DIRECTION

    def distance(self, a: int, b: int) -> int:
        if self.size in (a, b):
            return -1
        (column, row, level), (column_b, row_b, level_b) = self.coordinates[a], self.coordinates[b]
        width, height, levels = self.periods or (0, 0, 0)
        along, across = folded(column_b - column, width), folded(row_b - row, height)
        on_level = max(along, across) if len(self.around) == len(DIRECTIONS) else along + across
        return on_level + folded(level_b - level, levels)


def cube_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> CubeWindow:
    """The cube grid of `size` (columns, rows, levels), or where that is empty the `extent` of an unbounded one.

    `neighbours` counts those on a cell's own level; with 8 the diagonals of the level are directions too. A wrapped
    cube grid returns along all three coordinates.
    """
    if neighbours not in (4, 8):
        raise ValueError("a cell of a cube grid has 4 or 8 neighbours on its level")
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    bounds = extent_of(size, ("columns", "rows", "levels")) if size else checked_extent(extent, 3)
    (west, north, bottom), (east, south, top) = bounds.low, bounds.high
    width, height, levels = east - west + 1, south - north + 1, top - bottom + 1
    nowhere = width * height * levels
    rows = [Row(start, west, width) for start in range(0, nowhere, width)]
    count = len(DIRECTIONS) if neighbours == 8 else 6

    def target(row: int, level: int) -> Row | None:
        inside = wrapped or (0 <= row < height and 0 <= level < levels)
        return rows[level % levels * height + row % height] if inside else None

    def targets(along: int, down: int, up: int) -> list[tuple[Row | None, int]]:
        return [(target(row + down, level + up), along) for level in range(levels) for row in range(height)]

    return CubeWindow(
        shape=Shape.CUBE,
        size=nowhere,
        directions=DIRECTIONS[:count],
        words=WORDS[:count],
        steps=tuple(stepped(rows, targets(*vector), nowhere, wrapped) for vector in VECTORS[:count]),
        around=tuple(range(count)),
        diagonals=(),
        opposite=OPPOSITE[:count],
        clockwise=circles(count, EIGHTHS if neighbours == 8 else SIDES),
        coordinates=tuple(
            (column, row, level)
            for level in range(bottom, top + 1)
            for row in range(north, south + 1)
            for column in range(west, east + 1)
        ),
        unbounded=not size,
        periods=(width, height, levels) if wrapped else (),
    )
