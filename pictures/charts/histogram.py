"""A histogram: a bar for each number or interval, with its count."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Colour
from rulewright.pictures.palette import Palette
from rulewright.pictures.svg import Element, Paint, drawing, group, path, polygon_data, text

BORDER, TALL, WIDE, GAP, LETTER = 20.0, 220.0, 30.0, 6.0, 12.0
"""Pixels: around the chart, the height of the highest bar, the least width of a bar, between bars, of a letter."""

SHARE = 0.62
"""The approximate width of a letter, as a share of its height."""


@frozen
class Bar:
    """A bar: the name below it, and its count."""

    name: str
    count: int


def histogram(title: str, remarks: Sequence[str], bars: Sequence[Bar], palette: Palette) -> Element:
    """The bars from left to right, under a title and remarks, each a line. There is at least one bar."""
    most, total = max(bar.count for bar in bars), sum(bar.count for bar in bars)
    letters = max(max(len(bar.name), len(str(bar.count))) for bar in bars)
    pitch = max(WIDE, letters * LETTER * SHARE) + GAP
    lines = [text((0, 0), title, 16, palette.ink, "start", bold=True)]
    lines += [text((0, 24.0 + 18 * at), remark, LETTER, palette.ink, "start") for at, remark in enumerate(remarks)]
    top = 24.0 + 18 * len(remarks) + LETTER
    floor = top + TALL
    drawn = [group(lines)]
    for at, bar in enumerate(bars):
        middle, height = (at + 0.5) * pitch, TALL * bar.count / max(1, most)
        left, right = middle - (pitch - GAP) / 2, middle + (pitch - GAP) / 2
        corners = [(left, floor - height), (right, floor - height), (right, floor), (left, floor)]
        parts = [path(polygon_data(corners), Paint(palette.of(Colour.BLUE)))] if bar.count else []
        parts += [text((middle, floor - height - 0.8 * LETTER), str(bar.count), LETTER, palette.ink)] if bar.count else []
        parts.append(text((middle, floor + LETTER), bar.name, LETTER, palette.ink))
        drawn.append(group(parts, title=f"{bar.name}: {bar.count} of {total} ({100 * bar.count / max(1, total):.1f} %)"))
    across = len(bars) * pitch
    drawn.append(path(f"M0 {floor:.1f}L{across:.1f} {floor:.1f}", Paint("", palette.ink, 1.0)))
    widest = max([across, 16 * SHARE * len(title) * 1.1, *(LETTER * SHARE * len(remark) for remark in remarks)])
    width, height = widest + 2 * BORDER, floor + 2 * LETTER + 2 * BORDER
    paper = path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(palette.paper))
    described = ", ".join(f"{bar.name}: {bar.count}" for bar in bars)
    return drawing((width, height), (paper, group(drawn, (BORDER, BORDER + 8))), title, described)
