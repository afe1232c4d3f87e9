"""Finite windows of square, hex and cube grids, rings and graphs: cells, directions, steps, lines, distances."""

from .from_tree import open_window
from .window import NO_DIRECTION, Extent, Window

__all__ = ["NO_DIRECTION", "Extent", "Window", "open_window"]
