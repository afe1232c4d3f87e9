"""Square grids with cells numbered by (column, row), and cube grids by (column, row, level): square grids one on another.

Rows go from north to south, levels upwards.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import CellRow, checked_extent, cyclic_distance, extent_of, rotation_table, step_table
from .window import NO_DIRECTION, Coordinate, Extent, Window

DIRECTIONS = ("N", "E", "S", "W", "U", "D", "NE", "SE", "SW", "NW")
WORDS = ("north", "east", "south", "west", "up", "down", "north_east", "south_east", "south_west", "north_west")
VECTORS = (
    *((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0)),
    *((0, 0, 1), (0, 0, -1)),
    *((1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)),
)
SIDES = ("N", "E", "S", "W")
DIAGONALS = ("NE", "SE", "SW", "NW")
EIGHTHS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@frozen(cache_hash=True)
class SquareWindow(Window):
    """A window of a square or cube grid. Lines run along rows, columns and diagonals, even if a cell has four neighbours.

    In a cube grid, the cells above and below are always neighbours; turns are about the vertical axis.
    """

    @property
    def beside(self) -> tuple[int, ...]:
        return tuple(direction for direction in self.around if self.directions[direction] not in ("U", "D"))

    @cached_property
    def _direction_of_signs(self) -> dict[Coordinate, int]:
        axes = len(self.coordinates[0])
        vectors = dict(zip(DIRECTIONS, VECTORS, strict=True))
        return {vectors[name][:axes]: direction for direction, name in enumerate(self.directions)}

    def toward(self, start: int, end: int) -> int:
        if self.periods:
            return super().toward(start, end)
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        here, there = self.coordinates[start], self.coordinates[end]
        east, south = there[0] - here[0], there[1] - here[1]
        if east and south and abs(east) != abs(south):
            return NO_DIRECTION
        signs: Coordinate = ((east > 0) - (east < 0), (south > 0) - (south < 0))
        if self.shape is Shape.CUBE:
            signs = (*signs, (there[2] > here[2]) - (there[2] < here[2]))
        return self._direction_of_signs.get(signs, NO_DIRECTION)

    def distance(self, start: int, end: int) -> int:
        if self.size in (start, end):
            return -1
        here, there, periods = self.coordinates[start], self.coordinates[end], self.periods or (0, 0, 0)
        along = cyclic_distance(there[0] - here[0], periods[0])
        across = cyclic_distance(there[1] - here[1], periods[1])
        up = cyclic_distance(there[2] - here[2], periods[2]) if self.shape is Shape.CUBE else 0
        return up + (along + across if len(self.around) < len(EIGHTHS) else max(along, across))

    def distances(self, start: int) -> list[int]:
        if self.periods or start == self.size or self.shape is Shape.CUBE:
            return super().distances(start)
        column, row = self.coordinates[start]
        if len(self.around) < len(EIGHTHS):
            return [abs(east - column) + abs(south - row) for east, south in self.coordinates] + [-1]
        return [max(abs(east - column), abs(south - row)) for east, south in self.coordinates] + [-1]


def square_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> SquareWindow:
    """The square grid of `size` (columns, rows); with an empty size, the `extent` of an unbounded one. Raises `ValueError`."""
    if neighbours not in (4, 8):
        raise ValueError("a cell of a square grid must have 4 or 8 neighbours")
    used = tuple(direction for direction, (_, _, up) in enumerate(VECTORS) if not up)
    return _window(Shape.SQUARE, used, neighbours == 8, size, wrapped, extent)


def cube_window(
    size: tuple[int, ...] = (), neighbours: int = 4, wrapped: bool = False, extent: Extent | None = None
) -> SquareWindow:
    """The cube grid of `size` (columns, rows, levels); with an empty size, the `extent` of an unbounded one.

    `neighbours` counts those on a cell's own level; with 8 the diagonals of the level are also directions. A wrapped grid
    repeats along all three coordinates. Raises `ValueError`.
    """
    if neighbours not in (4, 8):
        raise ValueError("a cell of a cube grid must have 4 or 8 neighbours on its level")
    used = tuple(direction for direction, name in enumerate(DIRECTIONS) if neighbours == 8 or name not in DIAGONALS)
    return _window(Shape.CUBE, used, neighbours == 8, size, wrapped, extent)


def _window(
    shape: Shape, used: tuple[int, ...], has_eight: bool, size: tuple[int, ...], wrapped: bool, extent: Extent | None
) -> SquareWindow:
    """A grid with some of the directions; `has_eight`: the diagonals lead to neighbours."""
    if wrapped and not size:
        raise ValueError("an unbounded space cannot be wrapped")
    axes = ("columns", "rows", "levels")[: 2 if shape is Shape.SQUARE else 3]
    bounds = extent_of(size, axes) if size else checked_extent(extent, len(axes))
    (west, north, *bottom), (east, south, *top) = bounds.low, bounds.high
    levels = [(level,) for level in range(bottom[0], top[0] + 1)] if bottom else [()]
    width, height = east - west + 1, south - north + 1
    nowhere = width * height * len(levels)
    rows = [CellRow(start, west, width) for start in range(0, nowhere, width)]

    def target(row: int, level: int) -> CellRow | None:
        inside = wrapped or (0 <= row < height and 0 <= level < len(levels))
        return rows[level % len(levels) * height + row % height] if inside else None

    def steps(along: int, down: int, up: int) -> tuple[int, ...]:
        targets = [(target(row + down, level + up), along) for level in range(len(levels)) for row in range(height)]
        return step_table(rows, targets, nowhere, wrapped)

    number = {DIRECTIONS[direction]: at for at, direction in enumerate(used)}
    vectors = [VECTORS[direction] for direction in used]
    cycles = (EIGHTHS,) if has_eight else (SIDES, DIAGONALS) if shape is Shape.SQUARE else (SIDES,)
    return SquareWindow(
        shape=shape,
        size=nowhere,
        directions=tuple(number),
        words=tuple(WORDS[direction] for direction in used),
        steps=tuple(steps(*vector) for vector in vectors),
        around=tuple(at for name, at in number.items() if has_eight or name not in DIAGONALS),
        diagonals=tuple(number[name] for name in DIAGONALS) if shape is Shape.SQUARE else (),
        opposite=tuple(vectors.index((-along, -down, -up)) for along, down, up in vectors),
        clockwise=rotation_table(len(used), *([number[name] for name in cycle] for cycle in cycles)),
        coordinates=tuple(
            (column, row, *level) for level in levels for row in range(north, south + 1) for column in range(west, east + 1)
        ),
        unbounded=not size,
        periods=size if wrapped else (),
    )
