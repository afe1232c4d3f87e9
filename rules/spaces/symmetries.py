"""The rotations and reflections of square, cube and hex grids, as maps of coordinates and directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .window import Coordinate, Window

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


def mapped_directions(window: Window, symmetry: Symmetry) -> tuple[int, ...]:
    """The image of each direction. Raises `ValueError` if an image is not a direction of the space."""
    if window.shape not in ROTATIONS:
        return tuple(range(len(window.directions)))
    return tuple(window.vectors.index(symmetry.applied(window.shape, vector)) for vector in window.vectors)
