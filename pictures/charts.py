"""Charts: curves over numbers and shares, each point with its interval, if any; histograms; outlines of rows in boxes, joined
to their parents. Texts above a chart are no wider than it."""

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
"""Drawn beside the chart: about as many labels."""

DASHES = ("", "7 3", "2 3", "9 3 2 3")
"""The lines of several curves, so that they differ in black and white, too."""

NARROWEST = 320.0
"""Pixels: the least width of the texts above a chart."""


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


def curves(title: str, remarks: Sequence[str], axes: tuple[str, str], drawn: Sequence[Curve], palette: Palette) -> Element:
    """The curves under a title and remarks, each a line; `axes` names the horizontal axis and the vertical one."""
    points = [point for curve in drawn for point in curve.points]
    known = [value for point in points for value in (point.value, point.low, point.high) if value is not None]
    room = (max(known) - min(known) or 1) * 0.05
    across = _Scale(min(point.at for point in points), max(point.at for point in points), WIDE)
    up = _Scale(min(known) - room, max(known) + room, TALL)
    keys = len(drawn) if len(drawn) > 1 else 0
    top = 18.0 * keys + 2.5 * LETTER
    lines = [Paint("", palette.of(by_number(at)), 1.5, DASHES[at % len(DASHES)]) for at in range(len(drawn))]
    parts = []
    for at, (curve, paint) in enumerate(zip(drawn[:keys], lines, strict=False)):
        middle = 18.0 * at
        parts.append(path(f"M0 {middle:.1f}L{BORDER:.1f} {middle:.1f}", paint))
        parts.append(path(_dot(BORDER / 2, middle), Paint(paint.stroke)))
        parts.append(text((BORDER + 6, middle), curve.name, LETTER, palette.ink, "start"))
    parts.append(text((0, top - 1.2 * LETTER), axes[1], LETTER, palette.ink, "start"))
    parts.append(group(_axes(across, up, sorted({point.at for point in points}), axes[0], palette), (LEFT, top)))
    shown = zip(drawn, lines, strict=True)
    parts += [group(_curve(curve, across, up, paint), (LEFT, top), curve.name) for curve, paint in shown]
    described = "; ".join(
        f"{curve.name}: " + ", ".join(f"{point.at:g}: {point.value:.4g}" for point in curve.points) for curve in drawn
    )
    return _sheet(title, remarks, parts, (LEFT + WIDE, top + TALL + 3 * LETTER), described, palette)


def _sheet(
    title: str, remarks: Sequence[str], parts: Sequence[Element], size: tuple[float, float], described: str, palette: Palette
) -> Element:
    """Parts that need a size of their own on paper, under a title and remarks that are wrapped to their width."""
    width = max(size[0], NARROWEST)
    titled = wrap(title, int(width / (16 * SHARE * 1.1))) or [""]
    said = [written for remark in remarks for written in wrap(remark, int(width / (LETTER * SHARE)))]
    down = 22.0 * len(titled)
    heading = [text((0, 22.0 * at), part, 16, palette.ink, "start", bold=True) for at, part in enumerate(titled)]
    heading += [text((0, down + 18 * at), part, LETTER, palette.ink, "start") for at, part in enumerate(said)]
    below = down + 18.0 * len(said) + 4
    width, height = width + 2 * BORDER, below + size[1] + 2 * BORDER
    paper = path(polygon_data(_box(width, height)), Paint(palette.paper))
    shown = group([*heading, group(parts, (0.0, below))], (BORDER, BORDER + 8))
    return drawing((width, height), (paper, shown), title, described)


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


def _curve(curve: Curve, across: _Scale, up: _Scale, paint: Paint) -> list[Element]:
    places = [(across.of(point.at), TALL - up.of(point.value)) for point in curve.points]
    found: list[Element] = []
    if len(places) > 1:
        found.append(path("M" + "L".join(f"{left:.1f} {top:.1f}" for left, top in places), paint))
    solid = Paint("", paint.stroke, 1.5)
    for (left, top), point in zip(places, curve.points, strict=True):
        said = f"{point.at:g}: {point.value:.4g}"
        parts = []
        if point.low is not None and point.high is not None:
            low, high = TALL - up.of(point.low), TALL - up.of(point.high)
            caps = "".join(f"M{left - CAP:.1f} {end:.1f}L{left + CAP:.1f} {end:.1f}" for end in (low, high))
            parts.append(path(f"M{left:.1f} {low:.1f}L{left:.1f} {high:.1f}{caps}", solid))
            said += f" ({point.low:.4g} to {point.high:.4g})"
        parts.append(path(_dot(left, top), Paint(paint.stroke)))
        found.append(group(parts, title=said))
    return found


def _dot(left: float, top: float) -> str:
    """The path around a point."""
    return polygon_data([(left - DOT, top), (left, top - DOT), (left + DOT, top), (left, top + DOT)])


def shares(title: str, remarks: Sequence[str], below: str, rows: Sequence[tuple[str, Point]], palette: Palette) -> Element:
    """A row for each name with its share as a point in its interval; `below` names the axis, which is as long as from 0 to 100
    at least: estimates can be beyond."""
    ends = [end for _, point in rows for end in (point.value, point.low, point.high) if end is not None]
    across, tall = _Scale(min(0, *ends), max(100, *ends), WIDE - 2 * LEFT), 2.0 * LETTER * len(rows)
    left, blue = 1.1 * LETTER * SHARE * max(len(name) for name, _ in rows), palette.of(Colour.BLUE)
    parts, described = [], []
    for tick in across.ticks:
        parts.append(path(f"M{across.of(tick):.1f} 0L{across.of(tick):.1f} {tall:.1f}", Paint("", palette.faint, 0.5)))
        parts.append(text((across.of(tick), tall + LETTER), f"{tick:g}", LETTER, palette.ink))
    parts.append(path(f"M0 {tall:.1f}L{across.length:.1f} {tall:.1f}", Paint("", palette.ink, 1.0)))
    parts.append(text((across.length / 2, tall + 2.4 * LETTER), below, LETTER, palette.ink))
    for at, (name, point) in enumerate(rows):
        middle = (2 * at + 1) * LETTER
        said, drawn = f"{name}: {point.value:.1f}", [text((-8, middle), name, LETTER, palette.ink, "end")]
        if point.low is not None and point.high is not None:
            low, high = across.of(point.low), across.of(point.high)
            caps = "".join(f"M{end:.1f} {middle - CAP:.1f}L{end:.1f} {middle + CAP:.1f}" for end in (low, high))
            drawn.append(path(f"M{low:.1f} {middle:.1f}L{high:.1f} {middle:.1f}{caps}", Paint("", blue, 1.5)))
            said += f" ({point.low:.1f} to {point.high:.1f})"
        drawn.append(path(_dot(across.of(point.value), middle), Paint(blue)))
        parts.append(group(drawn, title=said))
        described.append(said)
    size = left + 8 + across.length + LETTER, tall + 3 * LETTER
    return _sheet(title, remarks, [group(parts, (left + 8, 0.0))], size, "; ".join(described), palette)


# Histograms -----------------------------------------------------------------------------------------------------------

HIGHEST, LEAST, GAP = 220.0, 30.0, 6.0
"""Pixels: the height of the highest bar, the least width of a bar, between bars."""

WIDEST = 80.0
"""Pixels: the greatest width of a bar that few others leave room for."""


@frozen
class Bar:
    """A bar: the name below it, and its count."""

    name: str
    count: int


def histogram(title: str, remarks: Sequence[str], axes: tuple[str, str], bars: Sequence[Bar], palette: Palette) -> Element:
    """The bars from left to right, under a title and remarks, each a line; `axes` names the horizontal axis and the vertical
    one. There is at least one bar."""
    most, total = max(bar.count for bar in bars), sum(bar.count for bar in bars)
    letters = max(max(len(bar.name), len(str(bar.count))) for bar in bars)
    pitch = max(LEAST, letters * LETTER * SHARE, min(WIDEST, NARROWEST / len(bars))) + GAP
    floor = 2.5 * LETTER + HIGHEST
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
    drawn.append(text((0, 0), axes[1], LETTER, palette.ink, "start"))
    drawn.append(text((across / 2, floor + 2.6 * LETTER), axes[0], LETTER, palette.ink))
    drawn.append(path(f"M0 {floor:.1f}L{across:.1f} {floor:.1f}", Paint("", palette.ink, 1.0)))
    described = ", ".join(f"{bar.name}: {bar.count}" for bar in bars)
    return _sheet(title, remarks, drawn, (across, floor + 3 * LETTER), described, palette)


# Outlines -------------------------------------------------------------------------------------------------------------

INDENT, LINE, SIGN, STRIPE = 28.0, 18.0, 13.0, 6.0
"""Pixels: from level to level, between lines, the height of a letter, the stripe in the colour of the source."""

LETTERS = 76
"""Characters on a line of a box."""


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
    down = 0.0
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
