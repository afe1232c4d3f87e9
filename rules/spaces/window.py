"""A finite window of a space: what every shape of space offers to the rules.

A cell is an index `0..size - 1`; `nowhere`, which is `size`, is one more index that makes every step total: each step
out of the window arrives there, and each step from there stays. A direction is an index into `directions`; -1 is none.
Columns grow to the east and rows to the south, as a board is drawn; levels grow upwards.

This class gives the meaning of every question by walking the steps; the shapes override what they know a formula for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from attrs import field

from ...grammar.classes import frozen
from ...grammar.modules import Shape

NO_DIRECTION = -1


@frozen
class Extent:
    """The coordinates of a window, `low` and `high` inclusive, in the order of the space's coordinates."""

    low: tuple[int, ...]
    high: tuple[int, ...]


@frozen(cache_hash=True)
class Window:
    """Cells, directions and steps. All tuples over cells have length `size`, except `steps[direction]`: `size + 1`.

    `coordinates` are (column, row) for square and hex (offset, odd rows indented), (column, row, level) for cube,
    (position,) for ring and (number,) for graph, whose nodes are numbered from 0 and have `names`.
    `periods` is how far along each coordinate the space returns; empty where it does not.
    """

    shape: Shape
    size: int
    directions: tuple[str, ...]
    words: tuple[str, ...]
    steps: tuple[tuple[int, ...], ...] = field(repr=False)
    around: tuple[int, ...]
    diagonals: tuple[int, ...]
    opposite: tuple[int, ...]
    clockwise: tuple[int, ...]
    coordinates: tuple[tuple[int, ...], ...] = field(repr=False)
    names: tuple[str, ...] = ()
    unbounded: bool = False
    periods: tuple[int, ...] = ()

    @property
    def nowhere(self) -> int:
        """The index of the cell outside: `size`."""
        return self.size

    @cached_property
    def origin(self) -> int:
        """The cell at coordinate zero; `nowhere` if the window leaves it out."""
        return self.cell((0,) * len(self.coordinates[0]))

    @cached_property
    def _cells(self) -> dict[tuple[int, ...], int]:
        return dict(zip(self.coordinates, range(self.size), strict=True))

    @cached_property
    def _rows_of_distances(self) -> dict[int, tuple[int, ...]]:
        return {}

    def cell(self, coordinate: Iterable[int]) -> int:
        """The cell of that coordinate, `nowhere` when it is outside. A wrapped board has one coordinate for a cell."""
        return self._cells.get(tuple(coordinate), self.size)

    def toward(self, a: int, b: int) -> int:
        """The direction whose line from `a` reaches `b` in the fewest steps; of several, the first in `directions`.

        -1 if there is none, if `a` is `b`, or if either is `nowhere`.
        """
        if a == b or self.size in (a, b):
            return NO_DIRECTION
        fronts = [(direction, step, step[a]) for direction, step in enumerate(self.steps)]
        while fronts:
            for direction, _, cell in fronts:
                if cell == b:
                    return direction
            fronts = [(direction, step, step[cell]) for direction, step, cell in fronts if cell not in (a, self.size)]
        return NO_DIRECTION

    def distance(self, a: int, b: int) -> int:
        """The fewest steps through `around`, whatever the cells hold.

        -1 if `b` cannot be reached or if either is `nowhere`.
        """
        if self.size in (a, b):
            return -1
        row = self._rows_of_distances.get(a)
        if row is None:
            row = self._rows_of_distances[a] = self.distances_by_walking(a)
        return row[b]

    def distances(self, start: int) -> list[int]:
        """The distance from `start` to every cell, and to nowhere."""
        return [self.distance(start, cell) for cell in range(self.size + 1)]

    def distances_by_walking(self, start: int) -> tuple[int, ...]:
        """The distance from `start` to every cell by breadth-first search; -1 where there is no way."""
        found = [-1] * (self.size + 1)
        if start == self.size:
            return tuple(found[:-1])
        found[start] = distance = 0
        steps = [self.steps[direction] for direction in self.around]
        front = [start]
        while front:
            distance += 1
            reached = {step[cell] for cell in front for step in steps}
            front = [cell for cell in reached if cell != self.size and found[cell] < 0]
            for cell in front:
                found[cell] = distance
        return tuple(found[:-1])

    def line(self, cell: int, direction: int) -> tuple[int, ...]:
        """The cells straight on from `cell`, the next one first, to the edge of the window.

        On a wrapped board the line ends before it returns to `cell`.
        """
        step = self.steps[direction]
        cells = []
        here = step[cell]
        while here not in (self.size, cell):
            cells.append(here)
            here = step[here]
        return tuple(cells)

    def turn(self, direction: int, times: int) -> int:
        """The direction after so many turns clockwise; negative turns are anticlockwise."""
        if direction == NO_DIRECTION:
            return NO_DIRECTION
        circle = [direction]
        while (following := self.clockwise[circle[-1]]) != direction:
            circle.append(following)
        return circle[times % len(circle)]
