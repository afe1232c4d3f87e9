"""Square grids with cells numbered by (column, row), rows from north to south."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import CellRow, checked_extent, cyclic_distance, extent_of, rotation_table, step_table
from .window import NO_DIRECTION, Extent, Window

DIRECTIONS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
WORDS = ("north", "east", "south", "west", "north_east", "south_east", "south_west", "north_west")
VECTORS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
OPPOSITE = (2, 3, 0, 1, 6, 7, 4, 5)
SIDES = (0, 1, 2, 3)
DIAGONALS = (4, 5, 6, 7)
EIGHTHS = (0, 4, 1, 5, 2, 6, 3, 7)

_DIRECTION_OF_VECTOR = {vector: direction for direction, vector in enumerate(VECTORS)}


@frozen(cache_hash=True)
class SquareWindow(Window):
    """A window of a square grid. Lines run along rows, columns and diagonals, even if a cell has four neighbours."""

    def toward(self, start: int, end: int) -> int:
        if self.periods:
            return super().toward(start, end)
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        (column, row), (end_column, end_row) = self.coordinates[start], self.coordinates[end]
        east, south = end_column - column, end_row - row
        if east and south and abs(east) != abs(south):
            return NO_DIRECTION
        return _DIRECTION_OF_VECTOR[(east > 0) - (east < 0), (south > 0) - (south < 0)]

    def distance(self, start: int, end: int) -> int:
        if self.size in (start, end):
            return -1
        (column, row), (end_column, end_row) = self.coordinates[start], self.coordinates[end]
        width, height = self.periods or (0, 0)
        along, across = cyclic_distance(end_column - column, width), cyclic_distance(end_row - row, height)
        return along + across if self.around == SIDES else max(along, across)

    def distances(self, start: int) -> list[int]:
        if self.periods or start == self.size:
            return super().distances(start)
        column, row = self.coordinates[start]
        if self.around == SIDES:
            return [abs(east - column) + abs(south - row) for east, south in self.coordinates] + [-1]
        return [max(abs(east - column), abs(south - row)) for east, south in self.coordinates] + [-1]


def square_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> SquareWindow:
    """The square grid of `size` (columns, rows); with an empty size, the `extent` of an unbounded one. Raises `ValueError`."""
    if neighbours not in (4, 8):
        raise ValueError("a cell of a square grid must have 4 or 8 neighbours")
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    bounds = extent_of(size, ("columns", "rows")) if size else checked_extent(extent, 2)
    (west, north), (east, south) = bounds.low, bounds.high
    width, height = east - west + 1, south - north + 1
    nowhere = width * height
    rows = [CellRow(start, west, width) for start in range(0, nowhere, width)]

    def target(row: int) -> CellRow | None:
        return rows[row % height] if wrapped or 0 <= row < height else None

    return SquareWindow(
        shape=Shape.SQUARE,
        size=nowhere,
        directions=DIRECTIONS,
        words=WORDS,
        steps=tuple(
            step_table(rows, [(target(row + down), along) for row in range(height)], nowhere, wrapped)
            for along, down in VECTORS
        ),
        around=SIDES if neighbours == 4 else SIDES + DIAGONALS,
        diagonals=DIAGONALS,
        opposite=OPPOSITE,
        clockwise=rotation_table(8, SIDES, DIAGONALS) if neighbours == 4 else rotation_table(8, EIGHTHS),
        coordinates=tuple((column, row) for row in range(north, south + 1) for column in range(west, east + 1)),
        unbounded=not size,
        periods=(width, height) if wrapped else (),
    )
