"""The entrance: from the tree's `space` line to its window."""

from __future__ import annotations

from ...grammar.modules import Shape, Space
from .square import square_window
from .window import Extent, Window

__all__ = ["Extent", "open_window"]


def open_window(space: Space, extent: Extent | None = None) -> Window:
    """The window of a space. `extent` is that of an unbounded one and ignored for a bounded one.

    What the space asks for and cannot have (a wrapped unbounded board, say) is a ValueError that says why.
    """
    match space.shape:
        case Shape.SQUARE:
            return square_window(space.size, space.neighbours or 4, space.wrapped, extent)
        case _:
            raise ValueError(f"there is no window of a {space.shape.value} yet")
