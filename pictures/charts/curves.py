"""Curves over numbers, each point with its interval, if any."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.pictures.palette import Palette, by_number
from rulewright.pictures.svg import Element, Paint, drawing, group, path, polygon_data, text

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
    parts = [text((0, 0), title, 16, palette.ink, "start", bold=True)]
    parts += [text((0, 24.0 + 18 * at), remark, LETTER, palette.ink, "start") for at, remark in enumerate(remarks)]
    if len(drawn) > 1:
        for at, curve in enumerate(drawn):
            colour = palette.of(by_number(at))
            parts.append(text((0, 24.0 + 18 * (len(remarks) + at)), f"● {curve.name}", LETTER, colour, "start"))
    parts.append(group(_axes(across, up, sorted({point.at for point in points}), below, palette), (LEFT, top)))
    for at, curve in enumerate(drawn):
        parts.append(group(_curve(curve, across, up, palette.of(by_number(at))), (LEFT, top), curve.name))
    widest = max([LEFT + WIDE, 16 * SHARE * len(title) * 1.1, *(LETTER * SHARE * len(remark) for remark in remarks)])
    width, height = widest + 2 * BORDER, top + TALL + 4 * LETTER + 2 * BORDER
    paper = path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(palette.paper))
    described = "; ".join(
        f"{curve.name}: " + ", ".join(f"{point.at:g}: {point.value:.4g}" for point in curve.points) for curve in drawn
    )
    return drawing((width, height), (paper, group(parts, (BORDER, BORDER + 8))), title, described)


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
