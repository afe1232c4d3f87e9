"""Charts: curves over numbers, each point with its interval, if any; histograms; outlines of rows in boxes, joined to their
parents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Colour

from .look import Palette, by_number
from .svg import Element, Paint, drawing, group, path, polygon_data, text

BORDER, WIDE, TALL, LEFT, LETTER = 20.0, 520.0, 260.0, 56.0, 12.0
"""Pixels: around the chart, its width and height, room for the numbers beside it, the height of a letter."""

SHARE, CAP, DOT = 0.62, 4.0, 3.0
"""The approximate width of a letter as a share of its height; half the cap of an interval, and of a point, in pixels."""

TICKS = 5
"""The approximate number of labels beside the chart."""


@frozen
class Point:
    """A value at a number, with its interval."""

    at: float
    value: float
    low: float | None = None
    high: float | None = None


@frozen
class Curve:
    """Points from left to right, at least one, under a name."""

    name: str
    points: tuple[Point, ...]


@frozen
class _Scale:
    """Maps numbers to pixels."""

    low: float
    high: float
    length: float

    def of(self, value: float) -> float:
        return self.length * (value - self.low) / ((self.high - self.low) or 1)

    @property
    def ticks(self) -> list[float]:
        """Round numbers from the least to the greatest."""
        step = 10 ** math.floor(math.log10(((self.high - self.low) or 1) / TICKS))
        step *= next(factor for factor in (1, 2, 5, 10) if (self.high - self.low) / (factor * step) <= TICKS + 1)
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def curves(title: str, remarks: Sequence[str], below: str, drawn: Sequence[Curve], palette: Palette) -> Element:
    """The curves under a title and remarks, each a line; `below` names the horizontal axis."""
    points = [point for curve in drawn for point in curve.points]
    known = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
    room = (max(known) - min(known) or 1) * 0.05
    across = _Scale(min(point.at for point in points), max(point.at for point in points), WIDE)
    up = _Scale(min(known) - room, max(known) + room, TALL)
    top = 24.0 + 18 * (len(remarks) + (len(drawn) > 1) * len(drawn)) + LETTER
    parts = []
    if len(drawn) > 1:
        for at, curve in enumerate(drawn):
            colour = palette.of(by_number(at))
            parts.append(text((0, 24.0 + 18 * (len(remarks) + at)), f"● {curve.name}", LETTER, colour, "start"))
    parts.append(group(_axes(across, up, sorted({point.at for point in points}), below, palette), (LEFT, top)))
    for at, curve in enumerate(drawn):
        parts.append(group(_curve(curve, across, up, palette.of(by_number(at))), (LEFT, top), curve.name))
    described = "; ".join(
        f"{curve.name}: " + ", ".join(f"{point.at:g}: {point.value:.4g}" for point in curve.points) for curve in drawn
    )
    return _sheet(title, remarks, parts, (LEFT + WIDE, top + TALL + 4 * LETTER), described, palette)


def _sheet(
    title: str, remarks: Sequence[str], parts: Sequence[Element], size: tuple[float, float], described: str, palette: Palette
) -> Element:
    """A title and remarks, and parts that need a size of their own, on paper."""
    heading = [text((0, 0), title, 16, palette.ink, "start", bold=True)]
    heading += [text((0, 24.0 + 18 * at), remark, LETTER, palette.ink, "start") for at, remark in enumerate(remarks)]
    widest = max([size[0], 16 * SHARE * len(title) * 1.1, *(LETTER * SHARE * len(remark) for remark in remarks)])
    width, height = widest + 2 * BORDER, size[1] + 2 * BORDER
    paper = path(polygon_data(_box(width, height)), Paint(palette.paper))
    return drawing((width, height), (paper, group([*heading, *parts], (BORDER, BORDER + 8))), title, described)


def _box(width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a box at the origin."""
    return [(0, 0), (width, 0), (width, height), (0, height)]


def _axes(across: _Scale, up: _Scale, numbers: Sequence[float], below: str, palette: Palette) -> list[Element]:
    """Grid lines at round numbers, and labels below: of the points, or round numbers if there are many."""
    found: list[Element] = []
    for tick in up.ticks:
        height = TALL - up.of(tick)
        found.append(path(f"M0 {height:.1f}L{WIDE:.1f} {height:.1f}", Paint("", palette.faint, 0.5)))
        found.append(text((-6, height), f"{tick:g}", LETTER, palette.ink, "end"))
    for number in numbers if len(numbers) <= 2 * TICKS else across.ticks:
        found.append(text((across.of(number), TALL + LETTER + 2), f"{number:g}", LETTER, palette.ink))
    found.append(text((WIDE / 2, TALL + 2.6 * LETTER), below, LETTER, palette.ink))
    found.append(path(f"M0 {TALL:.1f}L{WIDE:.1f} {TALL:.1f}", Paint("", palette.ink, 1.0)))
    return found


def _curve(curve: Curve, across: _Scale, up: _Scale, colour: str) -> list[Element]:
    places = [(across.of(point.at), TALL - up.of(point.value)) for point in curve.points]
    found: list[Element] = []
    if len(places) > 1:
        found.append(path("M" + "L".join(f"{left:.1f} {top:.1f}" for left, top in places), Paint("", colour, 1.5)))
    for (left, top), point in zip(places, curve.points, strict=True):
        said = f"{point.at:g}: {point.value:.4g}"
        parts = []
        if point.low is not None and point.high is not None:
            low, high = TALL - up.of(point.low), TALL - up.of(point.high)
            caps = "".join(f"M{left - CAP:.1f} {end:.1f}L{left + CAP:.1f} {end:.1f}" for end in (low, high))
            parts.append(path(f"M{left:.1f} {low:.1f}L{left:.1f} {high:.1f}{caps}", Paint("", colour, 1.5)))
            said += f" ({point.low:.4g} to {point.high:.4g})"
        corners = [(left - DOT, top), (left, top - DOT), (left + DOT, top), (left, top + DOT)]
        parts.append(path(polygon_data(corners), Paint(colour)))
        found.append(group(parts, title=said))
    return found


# Histograms -----------------------------------------------------------------------------------------------------------

HIGHEST, LEAST, GAP = 220.0, 30.0, 6.0
"""Pixels: the height of the highest bar, the least width of a bar, between bars."""


@frozen
class Bar:
    """A bar: the name below it, and its count."""

    name: str
    count: int


def histogram(title: str, remarks: Sequence[str], bars: Sequence[Bar], palette: Palette) -> Element:
    """The bars from left to right, under a title and remarks, each a line. There is at least one bar."""
    most, total = max(bar.count for bar in bars), sum(bar.count for bar in bars)
    letters = max(max(len(bar.name), len(str(bar.count))) for bar in bars)
    pitch = max(LEAST, letters * LETTER * SHARE) + GAP
    floor = 24.0 + 18 * len(remarks) + LETTER + HIGHEST
    drawn = []
    for at, bar in enumerate(bars):
        middle, height = (at + 0.5) * pitch, HIGHEST * bar.count / max(1, most)
        left, right = middle - (pitch - GAP) / 2, middle + (pitch - GAP) / 2
        corners = [(left, floor - height), (right, floor - height), (right, floor), (left, floor)]
        parts = [path(polygon_data(corners), Paint(palette.of(Colour.BLUE)))] if bar.count else []
        parts += [text((middle, floor - height - 0.8 * LETTER), str(bar.count), LETTER, palette.ink)] if bar.count else []
        parts.append(text((middle, floor + LETTER), bar.name, LETTER, palette.ink))
        drawn.append(group(parts, title=f"{bar.name}: {bar.count} of {total} ({100 * bar.count / max(1, total):.1f} %)"))
    across = len(bars) * pitch
    drawn.append(path(f"M0 {floor:.1f}L{across:.1f} {floor:.1f}", Paint("", palette.ink, 1.0)))
    described = ", ".join(f"{bar.name}: {bar.count}" for bar in bars)
    return _sheet(title, remarks, drawn, (across, floor + 2 * LETTER), described, palette)


# Outlines -------------------------------------------------------------------------------------------------------------

INDENT, LINE, SIGN, STRIPE = 28.0, 18.0, 13.0, 6.0
"""Pixels: from level to level, between lines, the height of a letter, the stripe in the colour of the source."""

LETTERS = 76
"""The number of letters on a line of a box."""


@frozen
class Row:
    """A row at a depth from 0: a name, a text, the source that gives its colour, and a place in that source."""

    depth: int
    name: str
    text: str
    source: str
    place: str


def outline(title: str, rows: Sequence[Row], palette: Palette) -> Element:
    """The rows from top to bottom under a title. There is at least one row."""
    colours = {source: palette.of(by_number(at)) for at, source in enumerate(dict.fromkeys(row.source for row in rows))}
    drawn = []
    parents: dict[int, float] = {}
    down = 24.0
    widest = LETTERS * SHARE * SIGN + 2 * BORDER
    for row in rows:
        left = row.depth * INDENT
        lines = [*_name(row)[1:], *(line for said in row.text.splitlines() for line in wrap(said, LETTERS))]
        height = LINE * (2 + len(lines))
        middle = down + LINE / 2 + 3
        if row.depth:
            across = left - INDENT + INDENT / 2
            start = parents.get(row.depth - 1, down)
            drawn.append(
                path(
                    f"M{across:.1f} {start:.1f}L{across:.1f} {middle:.1f} {left:.1f} {middle:.1f}",
                    Paint("", palette.faint, 1.5),
                )
            )
        drawn.append(group(_row(row, lines, (widest, height - 8), colours[row.source], palette), (left, down), row.name))
        parents[row.depth] = down + height - 8
        down += height
    described = "; ".join(f"{'- ' * row.depth}{row.name}: {row.text} ({row.place})" for row in rows)
    size = widest + INDENT * max(row.depth for row in rows), down
    return _sheet(title, (), drawn, size, described, palette)


def _row(row: Row, lines: Sequence[str], size: tuple[float, float], colour: str, palette: Palette) -> list[Element]:
    """A box with a stripe in the colour of the source: the name, where it is from, and the text."""
    (width, height), pad = size, STRIPE + 8
    found = [path(polygon_data(_box(width, height)), Paint(palette.ground, palette.faint, 0.5))]
    found.append(path(polygon_data(_box(STRIPE, height)), Paint(colour)))
    found.append(text((pad, 0.6 * LINE + 2), _name(row)[0], SIGN, palette.ink, "start", bold=True))
    found += [text((pad, (1.6 + at) * LINE), line, SIGN, palette.ink, "start") for at, line in enumerate(lines)]
    found.append(text((width - 8, 0.6 * LINE + 2), row.place, SIGN - 2, palette.faint, "end"))
    return found


def _name(row: Row) -> list[str]:
    """The name in lines that end before the place."""
    return wrap(row.name, max(LETTERS // 3, LETTERS - len(row.place) - 4)) or [""]
