"""Cube grids with cells numbered by (column, row, level), rows from north to south, levels upwards."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import CellRow, checked_extent, cyclic_distance, extent_of, rotation_table, step_table
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

_DIRECTION_OF_VECTOR = {vector: direction for direction, vector in enumerate(VECTORS)}


@frozen(cache_hash=True)
class CubeWindow(Window):
    """A window of a cube grid. The cells above and below are always neighbours; turns are about the vertical axis."""

    @property
    def beside(self) -> tuple[int, ...]:
        return tuple(direction for direction in self.around if not VECTORS[direction][2])

    def toward(self, start: int, end: int) -> int:
        if self.periods:
            return super().toward(start, end)
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        (column, row, level), (end_column, end_row, end_level) = self.coordinates[start], self.coordinates[end]
        east, south, up = end_column - column, end_row - row, end_level - level
        if east and south and abs(east) != abs(south):
            return NO_DIRECTION
        signs = ((east > 0) - (east < 0), (south > 0) - (south < 0), (up > 0) - (up < 0))
        direction = _DIRECTION_OF_VECTOR.get(signs, NO_DIRECTION)
        return direction if direction < len(self.directions) else NO_DIRECTION

    def distance(self, start: int, end: int) -> int:
        if self.size in (start, end):
            return -1
        (column, row, level), (end_column, end_row, end_level) = self.coordinates[start], self.coordinates[end]
        width, height, levels = self.periods or (0, 0, 0)
        along, across = cyclic_distance(end_column - column, width), cyclic_distance(end_row - row, height)
        on_level = max(along, across) if len(self.around) == len(DIRECTIONS) else along + across
        return on_level + cyclic_distance(end_level - level, levels)


def cube_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> CubeWindow:
    """The cube grid of `size` (columns, rows, levels); with an empty size, the `extent` of an unbounded one.

    `neighbours` counts those on a cell's own level; with 8 the diagonals of the level are also directions. A wrapped grid
    repeats along all three coordinates. Raises `ValueError`.
    """
    if neighbours not in (4, 8):
        raise ValueError("a cell of a cube grid must have 4 or 8 neighbours on its level")
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    bounds = extent_of(size, ("columns", "rows", "levels")) if size else checked_extent(extent, 3)
    (west, north, bottom), (east, south, top) = bounds.low, bounds.high
    width, height, levels = east - west + 1, south - north + 1, top - bottom + 1
    nowhere = width * height * levels
    rows = [CellRow(start, west, width) for start in range(0, nowhere, width)]
    count = len(DIRECTIONS) if neighbours == 8 else 6

    def target(row: int, level: int) -> CellRow | None:
        inside = wrapped or (0 <= row < height and 0 <= level < levels)
        return rows[level % levels * height + row % height] if inside else None

    def targets(along: int, down: int, up: int) -> list[tuple[CellRow | None, int]]:
        return [(target(row + down, level + up), along) for level in range(levels) for row in range(height)]

    return CubeWindow(
        shape=Shape.CUBE,
        size=nowhere,
        directions=DIRECTIONS[:count],
        words=WORDS[:count],
        steps=tuple(step_table(rows, targets(*vector), nowhere, wrapped) for vector in VECTORS[:count]),
        around=tuple(range(count)),
        diagonals=(),
        opposite=OPPOSITE[:count],
        clockwise=rotation_table(count, EIGHTHS if neighbours == 8 else SIDES),
        coordinates=tuple(
            (column, row, level)
            for level in range(bottom, top + 1)
            for row in range(north, south + 1)
            for column in range(west, east + 1)
        ),
        unbounded=not size,
        periods=(width, height, levels) if wrapped else (),
    )
