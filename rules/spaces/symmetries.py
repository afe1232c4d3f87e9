"""The rotations and reflections of square, cube and hex grids, as maps of coordinates and directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .window import Window

Coordinate = tuple[int, ...]

ROTATIONS = {Shape.SQUARE: 4, Shape.CUBE: 4, Shape.HEX: 6}
"""The number of rotations of a grid; other spaces only have the identity here."""


@frozen
class Symmetry:
    """An optional reflection, then `turns` rotations clockwise, each to the next side."""

    turns: int = 0
    mirrored: bool = False

    def applied(self, shape: Shape, at: Coordinate) -> Coordinate:
        """Map a coordinate, or a difference of two, about the origin; coordinates of hex grids are axial."""
        match shape:
            case Shape.SQUARE | Shape.CUBE:
                column, row, *level = at
                column = -column if self.mirrored else column
                for _ in range(self.turns):
                    column, row = -row, column
                return column, row, *level
            case Shape.HEX:
                q, r = at
                q = -q - r if self.mirrored else q
                for _ in range(self.turns):
                    q, r = -r, q + r
                return q, r
            case _:
                return at


def symmetries_of(windows: Iterable[Window]) -> Iterator[Symmetry]:
    """The symmetries that can be applied to some spaces together."""
    orders = {ROTATIONS[window.shape] for window in windows if window.shape in ROTATIONS}
    order = orders.pop() if len(orders) == 1 else 1
    yield from (Symmetry(turns, mirrored) for mirrored in (False, order > 1) for turns in range(order))


def linear(window: Window, at: Coordinate) -> Coordinate:
    """A coordinate in which steps are the same everywhere: axial on hex grids."""
    return (at[0] - at[1] // 2, at[1]) if window.shape is Shape.HEX else at


def mapped_directions(window: Window, symmetry: Symmetry) -> tuple[int, ...]:
    """The image of each direction. Raises `ValueError` if an image is not a direction of the space."""
    if window.shape not in ROTATIONS:
        return tuple(range(len(window.directions)))
    vectors = [_vector(window, way) for way in range(len(window.directions))]
    return tuple(vectors.index(symmetry.applied(window.shape, vector)) for vector in vectors)


def _vector(window: Window, way: int) -> Coordinate:
    """The difference of coordinates of a step; on wrapped spaces the smallest of several."""
    steps = (
        (linear(window, at), linear(window, window.coordinates[window.steps[way][cell]]))
        for cell, at in enumerate(window.coordinates)
        if window.steps[way][cell] != window.nowhere
    )
    differences = {tuple(there - here for here, there in zip(one, other, strict=True)) for one, other in steps}
    return min(differences, key=lambda vector: (sum(map(abs, vector)), vector), default=())
