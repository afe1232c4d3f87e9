"""Places of a pattern: a drawing of cells laid on a window, turned about the vertical axis and mirrored.

On a hex grid the columns of a drawing are half a cell wide: the cells of a row are two columns apart, and those of the next row
lie between them. These are the doubled coordinates of hex.py; turns are those of cube coordinates (Red Blob Games).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add, itemgetter

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .window import Coordinate, Window

# Rotations and reflections --------------------------------------------------------------------------------------------
# Those of square, cube and hex grids, as maps of coordinates and directions.


TURNS = {Shape.SQUARE: 4, Shape.CUBE: 4, Shape.HEX: 6}
"""The rotations of a full turn of a grid; other spaces only have the identity here, and no drawings."""


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
    orders = {TURNS[window.shape] for window in windows if window.shape in TURNS}
    order = orders.pop() if len(orders) == 1 else 1
    yield from (Symmetry(turns, mirrored) for mirrored in (False, order > 1) for turns in range(order))


def mapped_directions(window: Window, symmetry: Symmetry) -> tuple[int, ...]:
    """The image of each direction. Raises `ValueError` if an image is not a direction of the space."""
    if window.shape not in TURNS:
        return tuple(range(len(window.directions)))
    return tuple(window.vectors.index(symmetry.applied(window.shape, vector)) for vector in window.vectors)


# Places of a pattern --------------------------------------------------------------------------------------------------


Offset = tuple[int, int, int]
"""Columns to the east (half columns on a hex grid), rows to the south, levels up."""


@frozen
class Place:
    """A place of a pattern: `cell` is under the first drawn cell, and the drawing is mirrored, then turned clockwise.

    `cells` are those of each role.
    """

    cell: int
    turn: int
    mirrored: bool
    cells: tuple[tuple[int, ...], ...]

    @property
    def covered(self) -> tuple[frozenset[int], ...]:
        """The cells of each role, unordered: they identify a placement regardless of its orientation."""
        return tuple(map(frozenset, self.cells))


def places_of(window: Window, drawing: Sequence[Sequence[Offset]], turned: bool, mirrored: bool) -> tuple[Place, ...]:
    """Every place of a drawing (the offsets of each role), ordered by cell; of places with the same cells only the first.

    Placements that leave the window, or overlap themselves on a wrapped one, are omitted.
    """
    found: dict[tuple[frozenset[int], ...], Place] = {}
    for place in all_places_of(window, drawing, turned, mirrored):
        found.setdefault(place.covered, place)
    return tuple(sorted(found.values(), key=lambda place: (place.cell, place.mirrored, place.turn)))


def all_places_of(window: Window, drawing: Sequence[Sequence[Offset]], turned: bool, mirrored: bool) -> Iterator[Place]:
    """Every place in each orientation, including places with the same cells."""
    first = first_cell(drawing)
    for flipped in (False, True)[: 1 + mirrored]:
        for turn in range(TURNS[window.shape] if turned else 1):
            roles = [[_moved(window.shape, offset, first, turn, flipped) for offset in role] for role in drawing]
            for cell, cells in _laid(window, roles):
                yield Place(cell, turn, flipped, cells)


def first_cell(drawing: Iterable[Sequence[Offset]]) -> Offset:
    """The first drawn cell: on the lowest level, in its northernmost row, the westernmost."""
    return min((offset for role in drawing for offset in role), key=lambda offset: (offset[2], offset[1], offset[0]))


def between_hexes(drawing: Iterable[Sequence[Offset]]) -> Offset | None:
    """A drawn cell where no hex can be, relative to the first one; None if all fit."""
    cells = [offset for role in drawing for offset in role]
    odd = sum(first_cell([cells])[:2]) % 2
    return next((offset for offset in cells if (offset[0] + offset[1]) % 2 != odd), None)


def _moved(shape: Shape, offset: Offset, first: Offset, turn: int, mirrored: bool) -> Offset:
    """An offset from the first cell of a drawing that is mirrored and turned."""
    east, south, up = (along - start for along, start in zip(offset, first, strict=True))
    if mirrored:
        east = -east
    for _ in range(turn):
        if shape is Shape.HEX:
            east, south = (east - 3 * south) // 2, (east + south) // 2
        else:
            east, south = -south, east
    return east, south, up


def _laid(window: Window, roles: Sequence[Sequence[Offset]]) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
    """The cells of each role, with the drawing's first cell on each cell for which all of them lie in the window."""
    offsets = [offset for role in roles for offset in role]
    ends = [0, *accumulate(map(len, roles))]
    farthest = {end(offsets, key=itemgetter(axis)) for axis in range(3) for end in (min, max)}
    for cell, start in enumerate(window.coordinates):
        if any(_shifted(window, start, offset) == window.nowhere for offset in farthest):
            continue
        covered = tuple([_shifted(window, start, offset) for offset in offsets])
        if window.nowhere not in covered and len(set(covered)) == len(covered):
            yield cell, tuple(covered[low:high] for low, high in pairwise(ends))


def _shifted(window: Window, start: tuple[int, ...], offset: Offset) -> int:
    """The cell at an offset from a coordinate."""
    if window.shape is Shape.HEX:
        # Odd rows are shifted half a cell to the east.
        moved: tuple[int, ...] = (start[0] + (offset[0] + (start[1] & 1)) // 2, start[1] + offset[1])
    else:
        moved = tuple(map(add, start, offset))
    if window.periods:
        moved = tuple(along % period if period else along for along, period in zip(moved, window.periods, strict=True))
    return window.cell(moved)
