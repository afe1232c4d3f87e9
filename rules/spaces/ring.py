"""Rings: positions from 0 on; the last is a neighbour of the first."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Shape

from .rows import cyclic_distance, rotation_table
from .window import NO_DIRECTION, Window

DIRECTIONS = ("forward", "back")

BOTH = (0, 1)


@frozen(cache_hash=True)
class RingWindow(Window):
    """A ring. If both ways are equally long, `toward` is forward."""

    def toward(self, start: int, end: int) -> int:
        if start == end or self.size in (start, end):
            return NO_DIRECTION
        return 0 if 2 * ((end - start) % self.size) <= self.size else 1

    def distance(self, start: int, end: int) -> int:
        return -1 if self.size in (start, end) else cyclic_distance(end - start, self.size)


def ring_window(size: tuple[int, ...]) -> RingWindow:
    """The ring of `size` (cells,). Raises `ValueError`."""
    if len(size) != 1 or size[0] < 1:
        raise ValueError("the size of a ring must be its number of cells, at least one")
    (count,) = size
    return RingWindow(
        shape=Shape.RING,
        size=count,
        directions=DIRECTIONS,
        words=DIRECTIONS,
        steps=((*range(1, count), 0, count), (count - 1, *range(count - 1), count)),
        around=BOTH,
        diagonals=(),
        opposite=(1, 0),
        clockwise=rotation_table(2, BOTH),
        coordinates=tuple((position,) for position in range(count)),
        periods=(count,),
    )
