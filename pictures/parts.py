"""Parts of a picture with their sizes, including lines of text, and their arrangement in columns and rows."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen

from .palette import Palette
from .svg import Element, group, text

LINE, SIZE = 22.0, 14.0
"""Pixels: from line to line of text, of a letter."""

LETTER = 0.62
"""The approximate width of a letter, as a share of its height."""


@frozen
class Part:
    """A part of a picture with its size in pixels; its upper left corner is at (0, 0)."""

    size: tuple[float, float]
    element: Element


def written(content: str, palette: Palette, bold: bool = False) -> Part:
    """A line of text."""
    element = text((0.0, LINE / 2), content, SIZE, palette.ink, "start", bold)
    return Part((len(content) * SIZE * LETTER, LINE), element)


def stacked(parts: Sequence[Part]) -> Part:
    """Parts below one another."""
    found, down = [], 0.0
    for part in parts:
        found.append(group((part.element,), (0.0, down)))
        down += part.size[1]
    return Part((max((part.size[0] for part in parts), default=0.0), down), group(found))


def in_row(parts: Sequence[Part], gap: float = 0.0) -> Part:
    """Parts side by side, aligned at the bottom."""
    found, right = [], 0.0
    height = max((part.size[1] for part in parts), default=0.0)
    for part in parts:
        found.append(group((part.element,), (right, height - part.size[1])))
        right += part.size[0] + gap
    return Part((max(0.0, right - gap), height), group(found))
