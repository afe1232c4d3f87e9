"""Sizes of lines of text."""

from __future__ import annotations

LINE, SIZE = 22.0, 14.0
"""Pixels: from line to line of text, of a letter."""

LETTER = 0.62
"""The approximate width of a letter, as a share of its height."""
