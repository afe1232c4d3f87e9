"""Sizes of texts, captions, icons, pieces and chips."""

from __future__ import annotations

LINE, SIZE = 22.0, 14.0
"""Pixels: from line to line of text, of a letter."""

CAPTION = 0.26
"""The height of a caption, in widths of a cell. Lines between nodes are interrupted behind it."""

ICON = 18.0
"""The width of an icon in pixels."""

PIECE = 0.2
"""Half the size of a piece on a cell, in widths of a cell."""

CHIP = (76.0, 20.0)
"""Width and height of a chip of a pile in pixels."""

LETTER = 0.62
"""The approximate width of a letter, as a share of its height."""
