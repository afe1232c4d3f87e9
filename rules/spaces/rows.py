"""Cells numbered row by row: step tables, distances and extents common to square, hex and cube windows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rulewright.base.records import frozen

from .window import Extent


@frozen
class CellRow:
    """A run of cells from west to east: `start` is the index of the first, `column` its column."""

    start: int
    column: int
    width: int


def step_table(
    rows: Sequence[CellRow], targets: Iterable[tuple[CellRow | None, int]], nowhere: int, wrapped: bool
) -> tuple[int, ...]:
    """The steps in one direction from every cell of `rows` and from `nowhere`.

    `targets` gives for each row the row that the direction leads to (None: outside) and the shift of its column; a shifted row
    overlaps or touches its target. All rows of a wrapped board have the same columns.
    """
    cells: list[int] = []
    for row, (target, shift) in zip(rows, targets, strict=True):
        if target is None:
            cells.extend([nowhere] * row.width)
            continue
        onto = range(target.start, target.start + target.width)
        if wrapped:
            turned = shift % row.width
            cells.extend(onto[turned:])
            cells.extend(onto[:turned])
            continue
        first = row.column + shift - target.column
        low, high = max(first, 0), min(first + row.width, target.width)
        cells.extend([nowhere] * (low - first))
        cells.extend(onto[low:high])
        cells.extend([nowhere] * (first + row.width - high))
    cells.append(nowhere)
    return tuple(cells)


def cyclic_distance(difference: int, period: int) -> int:
    """The absolute difference of a coordinate that repeats after `period`; a period of 0 means that it does not repeat."""
    length = abs(difference)
    return min(length % period, -length % period) if period else length


def checked_extent(extent: Extent | None, dimensions: int) -> Extent:
    """Check the extent given for an unbounded space. Raises `ValueError` unless it holds a cell of `dimensions` coordinates."""
    if extent is None:
        raise ValueError("an unbounded space needs the extent of its window")
    if not len(extent.low) == len(extent.high) == dimensions:
        raise ValueError(f"the extent of this space needs {dimensions} coordinates")
    if any(low > high for low, high in zip(extent.low, extent.high, strict=True)):
        raise ValueError("the extent contains no cell")
    return extent


def extent_of(size: Sequence[int], names: Sequence[str]) -> Extent:
    """The extent of a bounded space, from coordinate zero on; `names` say what the sizes count. Raises `ValueError`."""
    if len(size) != len(names):
        raise ValueError(f"the size of this space must be given as {' x '.join(names)}")
    if any(length < 1 for length in size):
        raise ValueError("a bounded space needs at least one cell along each coordinate")
    return Extent((0,) * len(size), tuple(length - 1 for length in size))


def rotation_table(count: int, *cycles: Sequence[int]) -> tuple[int, ...]:
    """The next direction clockwise for each of `count` directions; those in `cycles` turn in their cycle, the others stay."""
    following = list(range(count))
    for cycle in cycles:
        for here, there in pairwise((*cycle, cycle[0])):
            following[here] = there
    return tuple(following)
