"""Spaces: finite windows of square, hex, cube, ring and graph spaces."""

from .from_tree import open_window
from .window import NO_DIRECTION, Extent, Window

__all__ = ["NO_DIRECTION", "Extent", "Window", "open_window"]
