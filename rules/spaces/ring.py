"""Rings: positions from 0 on, the last beside the first."""

from __future__ import annotations

from ...grammar.classes import frozen
from ...grammar.modules import Shape
from .rows import circles, folded
from .window import NO_DIRECTION, Window

DIRECTIONS = ("forward", "back")
BOTH = (0, 1)


@frozen(cache_hash=True)
class RingWindow(Window):
    """A ring: from half-way round, forward is as near as back and comes first."""

    def toward(self, a: int, b: int) -> int:
        if a == b or self.size in (a, b):
            return NO_DIRECTION
        return 0 if 2 * ((b - a) % self.size) <= self.size else 1

    def distance(self, a: int, b: int) -> int:
        return -1 if self.size in (a, b) else folded(b - a, self.size)


def ring_window(size: tuple[int, ...]) -> RingWindow:
    """The ring of `size` (cells,)."""
    if len(size) != 1 or size[0] < 1:
        raise ValueError("the size of a ring is its number of cells, at least one")
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
        clockwise=circles(2, BOTH),
        coordinates=tuple((position,) for position in range(count)),
        periods=(count,),
    )
