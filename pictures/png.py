"""A picture as a PNG file, by resvg and with fonts of our own, so that it looks the same everywhere."""

from __future__ import annotations

from pathlib import Path

FONTS = Path(__file__).parent / "fonts"


def to_png(svg: str, zoom: float = 1.0) -> bytes:
    """The picture in pixels. Raises `ImportError` where resvg_py is not installed (the extra `pictures`)."""
    import resvg_py

    fonts = sorted(map(str, FONTS.glob("*.ttf")))
    found = resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=fonts, font_family="DejaVu Sans", zoom=zoom
    )
    return bytes(found)
