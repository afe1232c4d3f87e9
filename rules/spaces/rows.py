"""Cells numbered row by row: the steps and lengths that square, hex and cube windows share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ...grammar.classes import frozen
from .window import Extent


@frozen
class Row:
    """Neighbouring cells from west to east: `start` is the first cell's index, `column` its column."""

    start: int
    column: int
    width: int


def stepped(rows: Sequence[Row], targets: Iterable[tuple[Row | None, int]], nowhere: int, wrapped: bool) -> tuple[int, ...]:
    """Where one direction leads from every cell of `rows`, and from `nowhere`.

    `targets` gives for each row the row it leads to, or None, and the change of column; a row so moved overlaps or
    touches the row it leads to. Rows of a wrapped board have all the same columns.
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


def folded(difference: int, period: int) -> int:
    """The length of a difference of one coordinate that returns after `period`; 0 is never."""
    length = abs(difference)
    return min(length % period, -length % period) if period else length


def checked_extent(extent: Extent | None, dimensions: int) -> Extent:
    """The extent of an unbounded space, refused with a ValueError unless it holds a cell."""
    if extent is None:
        raise ValueError("an unbounded space needs the extent of its window")
    if not len(extent.low) == len(extent.high) == dimensions:
        raise ValueError(f"the extent of this space has {dimensions} coordinates")
    if any(low > high for low, high in zip(extent.low, extent.high, strict=True)):
        raise ValueError("the extent holds no cell")
    return extent


def extent_of(size: Sequence[int], names: Sequence[str]) -> Extent:
    """The extent of a bounded space, from coordinate zero on; `names` are what its sizes count."""
    if len(size) != len(names):
        raise ValueError(f"the size of this space is {' x '.join(names)}")
    if any(length < 1 for length in size):
        raise ValueError("a bounded space has at least one cell along each coordinate")
    return Extent((0,) * len(size), tuple(length - 1 for length in size))


def circles(count: int, *turning: Sequence[int]) -> tuple[int, ...]:
    """The next direction clockwise for `count` directions, given those that turn into each other; the others stay."""
    following = list(range(count))
    for circle in turning:
        for here, there in pairwise((*circle, circle[0])):
            following[here] = there
    return tuple(following)
