"""From the syntax node of a space to its window."""

from __future__ import annotations

from functools import lru_cache
from typing import assert_never

from rulewright.base.records import evolve
from rulewright.grammar.tree.modules import Shape, Space

from .drawing import cell_names
from .window import Extent, Window

__all__ = ["Extent", "open_window", "sample_window"]


def open_window(space: Space, extent: Extent | None = None) -> Window:
    """The window of a space; `extent` is needed for an unbounded one and ignored for a bounded one.

    Raises `ValueError` for an impossible space, such as an unbounded board that is wrapped.
    """
    window = _window(space, extent)
    return evolve(window, names=cell_names(window, *space.corners)) if space.corners else window


@lru_cache(maxsize=256)
def sample_window(space: Space) -> Window:
    """The smallest window of a space, made once for equal ones; it suffices to know the directions."""
    zero = (0, 0, 0) if space.shape is Shape.CUBE else (0, 0)
    return open_window(space, None if space.size or space.edges else Extent(zero, zero))


def _window(space: Space, extent: Extent | None) -> Window:
    shape = space.shape
    if space.slanted and (shape is not Shape.HEX or len(space.size) != 2 or space.wrapped):
        raise ValueError("only a hex grid of columns and rows can be slanted, and cannot be wrapped then")
    if shape not in (Shape.SQUARE, Shape.CUBE):
        _refuse_neighbours(space)
    match shape:
        case Shape.SQUARE:
            from .square import square_window

            return square_window(space.size, space.neighbours or 4, space.wrapped, extent)
        case Shape.HEX:
            from .hex import hex_window

            return hex_window(space.size, space.wrapped, extent, space.slanted)
        case Shape.CUBE:
            from .square import cube_window

            return cube_window(space.size, space.neighbours or 4, space.wrapped, extent)
        case Shape.RING:
            from .ring import ring_window

            return ring_window(space.size)
        case Shape.GRAPH:
            if space.wrapped or space.size:
                raise ValueError("a graph has no size and cannot be wrapped: it is defined by its edges")
            from .graph import graph_window

            return graph_window(space.edges, space.nodes)
        case _:
            assert_never(shape)


_NEIGHBOURS = {Shape.HEX: 6, Shape.RING: 2}


def _refuse_neighbours(space: Space) -> None:
    """Only square and cube grids have a choice of neighbours; elsewhere the declared number must be the true one."""
    if space.neighbours not in (0, _NEIGHBOURS.get(space.shape, 0)):
        raise ValueError(f"the number of neighbours of a {space.shape.value} is fixed")
