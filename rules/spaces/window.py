"""A finite window of a space: numbered cells, directions, and the step from each cell in each direction.

A cell is an index `0..size - 1`. One more index, `nowhere == size`, makes steps total: a step out of the window leads there,
and every step from there stays. A direction is an index into `directions`, or -1 for none. Columns grow to the east, rows to
the south, levels upwards.

`Window` answers every query by walking the steps; subclasses override those for which the shape has a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain
from typing import Any

from rulewright.base.records import field, frozen
from rulewright.grammar.tree.modules import Shape

NO_DIRECTION = -1


class Function(Enum):
    """A function of a space, computed from the steps between its cells; its value names a method of `Window`."""

    DISTANCE = "distance"
    TOWARD = "toward"
    LINE = "line"
    LEAP = "leap"
    TURN = "turn"


Coordinate = tuple[int, ...]


@frozen
class Extent:
    """The coordinates of a window, `low` and `high` inclusive, in the order of the space's coordinates."""

    low: tuple[int, ...]
    high: tuple[int, ...]


@frozen(cache_hash=True)
class Window:
    """Cells, directions and steps. Tuples over cells have length `size`, but each `steps[direction]` has `size + 1`.

    `words` are the directions in the players' notation; `around` and `diagonals` are the directions that lead to neighbours and
    to diagonal neighbours; `opposite` and `clockwise` map a direction to a direction. `coordinates` are (column, row) for
    square and hex grids, (column, row, level) for cube grids, (position,) for rings and (number,) for graphs. `names` are those
    of a graph's nodes, and of a grid's cells if it declares them. `periods` are the lengths after which a wrapped space
    repeats, one for each coordinate.
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
    def vectors(self) -> tuple[Coordinate, ...]:
        """The difference of linear coordinates of a step in each direction; on wrapped spaces the smallest of several."""
        return tuple(map(self._vector, self.steps))

    def _vector(self, steps: tuple[int, ...]) -> Coordinate:
        pairs = zip(self.coordinates, steps, strict=False)  # `steps` has one more, from nowhere
        moves = {(linear(self, at), linear(self, self.coordinates[there])) for at, there in pairs if there != self.nowhere}
        differences = {tuple(there - here for here, there in zip(one, other, strict=True)) for one, other in moves}
        return min(differences, key=lambda vector: (sum(map(abs, vector)), vector), default=())

    @cached_property
    def origin(self) -> int:
        """The cell at coordinate zero; `nowhere` if the window leaves it out."""
        return self.cell((0,) * len(self.coordinates[0]))

    @property
    def beside(self) -> tuple[int, ...]:
        """The directions that lead to neighbours on a cell's own level."""
        return self.around

    @cached_property
    def _cells(self) -> dict[tuple[int, ...], int]:
        return dict(zip(self.coordinates, range(self.size), strict=True))

    @cached_property
    def _distance_rows(self) -> dict[int, tuple[int, ...]]:
        return {}

    @cached_property
    def _direction_rows(self) -> dict[int, tuple[int, ...]]:
        return {}

    def cell(self, coordinate: Iterable[int]) -> int:
        """The cell at a coordinate, `nowhere` if it is outside; on a wrapped board each cell has only one coordinate."""
        return self._cells.get(tuple(coordinate), self.size)

    def toward(self, start: int, end: int) -> int:
        """The direction of the straight line from `start` that reaches `end` in the fewest steps, the first in a tie.

        -1 if there is none, if the cells are the same, or if either is `nowhere`.
        """
        return self.directions_from(start)[end]

    def directions_from(self, start: int) -> tuple[int, ...]:
        """`toward` from a cell to every cell and to `nowhere`."""
        if start not in self._direction_rows:
            self._direction_rows[start] = self._directions_from(start)
        return self._direction_rows[start]

    def _directions_from(self, start: int) -> tuple[int, ...]:
        found = [NO_DIRECTION] * (self.size + 1)
        fronts = [(direction, step, step[start]) for direction, step in enumerate(self.steps)]
        while fronts := [front for front in fronts if front[2] not in (start, self.size)]:
            for direction, _, cell in fronts:
                if found[cell] == NO_DIRECTION:
                    found[cell] = direction
            fronts = [(direction, step, step[cell]) for direction, step, cell in fronts]
        return tuple(found)

    def distance(self, start: int, end: int) -> int:
        """The length of a shortest path over neighbours, regardless of the cells' contents.

        -1 if there is no path or if either cell is `nowhere`.
        """
        if self.size in (start, end):
            return -1
        row = self._distance_rows.get(start)
        if row is None:
            row = self._distance_rows[start] = self.distances_by_search(start)
        return row[end]

    def distances(self, start: int) -> list[int]:
        """The distance from `start` to every cell and to `nowhere`."""
        return [self.distance(start, cell) for cell in range(self.size + 1)]

    @cached_property
    def all_distances(self) -> Sequence[int]:
        """The distances of all pairs of cells, including `nowhere`, cell by cell."""
        return list(chain.from_iterable(map(self.distances, range(self.size + 1))))

    def distances_by_search(self, start: int) -> tuple[int, ...]:
        """The distance from `start` to every cell by breadth-first search; -1 if there is no path."""
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
        """The cells of the straight line from `cell`, nearest first, to the edge of the window.

        On a wrapped board the line ends before it returns to `cell`. Empty without a direction.
        """
        if direction == NO_DIRECTION:
            return ()
        step = self.steps[direction]
        cells = []
        here = step[cell]
        while here not in (self.size, cell):
            cells.append(here)
            here = step[here]
        return tuple(cells)

    def function(self, which: Function) -> Callable[..., Any]:
        """A function of this space: the method of its name."""
        found: Callable[..., Any] = getattr(self, which.value)
        return found

    def leap(self, cell: int, direction: int, times: int) -> int:
        """The cell `times` steps from `cell`; a negative number steps the opposite way."""
        if times < 0:
            times, direction = -times, self.opposite[direction] if direction != NO_DIRECTION else NO_DIRECTION
        if direction == NO_DIRECTION and times:
            return self.size
        for _ in range(self.walked(direction, times)):
            cell = self.steps[direction][cell]
        return cell

    def walked(self, direction: int, times: int) -> int:
        """A small number of steps, at least 0, that leads to the same cell as `times` steps; a wrapped space repeats."""
        return times % self.size if self.periods else min(times, self.size)

    def near(self, directions: Sequence[int], cell: int) -> tuple[int, ...]:
        """The cells one step away, each once; outside ones count only in an unbounded space."""
        near = tuple(self.steps[direction][cell] for direction in directions)
        return near if self.unbounded else tuple(n for n in dict.fromkeys(near) if n != self.nowhere)

    def turn(self, direction: int, times: int) -> int:
        """The direction after a number of turns clockwise; negative turns are anticlockwise."""
        if direction == NO_DIRECTION:
            return NO_DIRECTION
        circle = [direction]
        while (following := self.clockwise[circle[-1]]) != direction:
            circle.append(following)
        return circle[times % len(circle)]


def linear(window: Window, at: Coordinate) -> Coordinate:
    """A coordinate in which steps are the same everywhere: axial on hex grids."""
    return (at[0] - at[1] // 2, at[1]) if window.shape is Shape.HEX else at
