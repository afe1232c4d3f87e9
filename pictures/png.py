"""Renders a picture as PNG by resvg with bundled fonts, so that it looks the same everywhere.

These lack Chinese characters: a picture that has some takes the fonts of the system for them.
"""

from __future__ import annotations

from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
FIRST_CHINESE = "\u2e80"


def to_png(svg: str) -> bytes:
    """The PNG file's bytes. Raises `ImportError` if resvg_py is not installed (the extra `pictures`)."""
    import resvg_py

    fonts = sorted(map(str, FONTS.glob("*.ttf")))
    is_covered = all(letter < FIRST_CHINESE for letter in svg)
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=is_covered, font_files=fonts, font_family="DejaVu Sans")
    )
