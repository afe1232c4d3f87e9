"""An outline: rows in boxes, children below their parents and joined to them, coloured by origin."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rulewright.base.records import frozen
from rulewright.pictures.palette import Palette, by_number
from rulewright.pictures.svg import Element, Paint, drawing, group, path, polygon_data, text

BORDER, INDENT, LINE, LETTER, STRIPE = 20.0, 28.0, 18.0, 13.0, 6.0
"""Pixels: around the outline, from level to level, between lines, of a letter, of the stripe in the colour of the source."""

SHARE = 0.62
"""The approximate width of a letter, as a share of its height."""

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
    drawn = [text((0, 0), title, 16, palette.ink, "start", bold=True)]
    parents: dict[int, float] = {}
    down = 24.0
    widest = LETTERS * SHARE * LETTER + 2 * BORDER
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
        drawn.append(group(_box(row, lines, (widest, height - 8), colours[row.source], palette), (left, down), row.name))
        parents[row.depth] = down + height - 8
        down += height
    width, height = widest + INDENT * max(row.depth for row in rows) + 2 * BORDER, down + 2 * BORDER
    paper = path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(palette.paper))
    described = "; ".join(f"{'- ' * row.depth}{row.name}: {row.text} ({row.place})" for row in rows)
    return drawing((width, height), (paper, group(drawn, (BORDER, BORDER + 8))), title, described)


def _box(row: Row, lines: Sequence[str], size: tuple[float, float], colour: str, palette: Palette) -> list[Element]:
    """A box with a stripe in the colour of the source: the name, where it is from, and the text."""
    (width, height), pad = size, STRIPE + 8
    found = [path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(palette.ground, palette.faint, 0.5))]
    found.append(path(polygon_data([(0, 0), (STRIPE, 0), (STRIPE, height), (0, height)]), Paint(colour)))
    found.append(text((pad, 0.6 * LINE + 2), _name(row)[0], LETTER, palette.ink, "start", bold=True))
    found += [text((pad, (1.6 + at) * LINE), line, LETTER, palette.ink, "start") for at, line in enumerate(lines)]
    found.append(text((width - 8, 0.6 * LINE + 2), row.place, LETTER - 2, palette.faint, "end"))
    return found


def _name(row: Row) -> list[str]:
    """The name in lines that end before the place."""
    return wrap(row.name, max(LETTERS // 3, LETTERS - len(row.place) - 4)) or [""]
