"""The rows of a pretty-printed text: indented, aligned, and broken if they are too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span

WIDTH, INDENT = 120, 4
"""In columns: the width of a printed line, and the indent of a level."""

# Where to break a long line, best places first; never inside a text or after a colon.
_BREAKS = (
    re.compile(r'(?<!:) (?=else "|cite |when )'),
    re.compile(r"(?<=,) |(?<!:) (?=and |or |else |then |where |for )"),
    re.compile(r"(?<!:) "),
)


@frozen
class PrintedRow:
    """A logical line to print. `span` is that of its node; if `vague`, the node is somewhere within it.

    `tail` is printed as a separate continuation; `gap` asks for a blank line above if there is no source to consult.
    """

    indent: int
    text: str
    span: Span = NO_SPAN
    vague: bool = False
    tail: str = ""
    gap: bool = False
    free: bool = False  # printed line for line as it is: drawings, in which columns have a meaning

    def lines(self) -> Iterator[str]:
        """The row as lines of text."""
        margin = " " * self.indent
        if self.free:
            yield from (margin + text for text in self.text.split("\n"))
            return
        deeper = " " * (self.indent + (2 * INDENT if self.text.endswith(":") else INDENT))
        yield from _broken(margin, self.text, deeper)
        if self.tail:
            yield from _broken(deeper, self.tail, deeper)


def _broken(margin: str, text: str, deeper: str) -> Iterator[str]:
    while len(margin) + len(text) > WIDTH:
        at = _break(text, WIDTH - len(margin))
        if at is None:
            break
        yield margin + text[:at]
        margin, text = deeper, text[at + 1 :]
    yield margin + text


def _break(text: str, room: int) -> int | None:
    hidden = re.sub(r'"[^"]*"', lambda quoted: '"' * len(quoted[0]), text)
    for pattern in _BREAKS:
        places = [place.start() for place in pattern.finditer(hidden) if room // 3 < place.start() <= room]
        if places:
            return places[-1]
    return next((place.start() for place in _BREAKS[-1].finditer(hidden, room)), None)


def aligned(rows: Sequence[Sequence[str]], gaps: Sequence[int]) -> list[str]:
    """Texts of rows of cells, each column padded to its widest cell and followed by `gaps` blanks."""
    widths = [max((len(row[i]) for row in rows if i < len(row)), default=0) for i in range(len(gaps))]
    texts: list[str] = []
    for row in rows:
        cells = [cell.ljust(width) + " " * gap for cell, width, gap in zip(row, widths, gaps, strict=False)]
        texts.append("".join(cells + list(row[len(gaps) :])).rstrip())
    return texts


def text_of_rows(rows: Iterable[PrintedRow]) -> str:
    """The rows as a text."""
    lines: list[str] = []
    for row in rows:
        if row.gap and lines:
            lines.append("")
        lines.extend(row.lines())
    return "\n".join(lines) + "\n"
