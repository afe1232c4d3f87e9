"""Square grids: (column, row), rows from north to south."""

from __future__ import annotations

from ...grammar.classes import frozen
from ...grammar.modules import Shape
from .rows import Row, checked_extent, circles, extent_of, folded, stepped
from .window import NO_DIRECTION, Extent, Window

DIRECTIONS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
WORDS = ("north", "east", "south", "west", "north_east", "south_east", "south_west", "north_west")
VECTORS = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))
OPPOSITE = (2, 3, 0, 1, 6, 7, 4, 5)
SIDES = (0, 1, 2, 3)
DIAGONALS = (4, 5, 6, 7)
EIGHTHS = (0, 4, 1, 5, 2, 6, 3, 7)

_OF_VECTOR = {vector: direction for direction, vector in enumerate(VECTORS)}


@frozen(cache_hash=True)
class SquareWindow(Window):
    """A window of a square grid. Its straight lines are the eight of a queen, however many neighbours count."""

    def toward(self, a: int, b: int) -> int:
        if self.periods:
            return super().toward(a, b)
        if a == b or self.size in (a, b):
            return NO_DIRECTION
        (column, row), (column_b, row_b) = self.coordinates[a], self.coordinates[b]
        east, south = column_b - column, row_b - row
        if east and south and abs(east) != abs(south):
            return NO_DIRECTION
        return _OF_VECTOR[(east > 0) - (east < 0), (south > 0) - (south < 0)]

    def distance(self, a: int, b: int) -> int:
        if self.size in (a, b):
            return -1
        (column, row), (column_b, row_b) = self.coordinates[a], self.coordinates[b]
        width, height = self.periods or (0, 0)
        along, across = folded(column_b - column, width), folded(row_b - row, height)
        return along + across if self.around == SIDES else max(along, across)

    def distances(self, start: int) -> list[int]:
        if self.periods or start == self.size:
            return super().distances(start)
        column, row = self.coordinates[start]
        if self.around == SIDES:
            return [abs(x - column) + abs(y - row) for x, y in self.coordinates] + [-1]
        return [max(abs(x - column), abs(y - row)) for x, y in self.coordinates] + [-1]


def square_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> SquareWindow:
    """The square grid of `size` (columns, rows), or where that is empty the `extent` of an unbounded one."""
    if neighbours not in (4, 8):
        raise ValueError("a cell of a square grid has 4 or 8 neighbours")
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    bounds = extent_of(size, ("columns", "rows")) if size else checked_extent(extent, 2)
    (west, north), (east, south) = bounds.low, bounds.high
    width, height = east - west + 1, south - north + 1
    nowhere = width * height
    rows = [Row(start, west, width) for start in range(0, nowhere, width)]

    def target(row: int) -> Row | None:
        return rows[row % height] if wrapped or 0 <= row < height else None

    return SquareWindow(
        shape=Shape.SQUARE,
        size=nowhere,
        directions=DIRECTIONS,
        words=WORDS,
        steps=tuple(
            stepped(rows, [(target(row + down), along) for row in range(height)], nowhere, wrapped) for along, down in VECTORS
        ),
        around=SIDES if neighbours == 4 else SIDES + DIAGONALS,
        diagonals=DIAGONALS,
        opposite=OPPOSITE,
        clockwise=circles(8, SIDES, DIAGONALS) if neighbours == 4 else circles(8, EIGHTHS),
        coordinates=tuple((column, row) for row in range(north, south + 1) for column in range(west, east + 1)),
        unbounded=not size,
        periods=(width, height) if wrapped else (),
    )
