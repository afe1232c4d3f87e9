"""Prints drawings of cells: those of patterns and of pieces."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.spans import Span
from rulewright.grammar.tree import modules

from .rows import INDENT, PrintedRow, aligned


def drawing_rows(rows: tuple[modules.PatternRow, ...], indent: int, span: Span) -> Iterator[PrintedRow]:
    """The rows of a drawing, under their levels if there are several; `span` is that of the thing drawn."""
    cells = [[role or "." for role in row.roles] for row in rows]
    texts = aligned(cells, [1] * max(map(len, cells), default=0))
    for before, row, text in zip((None, *rows), rows, texts, strict=False):
        deeper = any(other.level for other in rows)
        if deeper and (before is None or before.level != row.level):
            yield PrintedRow(indent, f"level {row.level}:", span, vague=True)
        yield PrintedRow(indent + INDENT * deeper, text, row.span)


def print_pieces(pieces: modules.Pieces) -> str:
    """The line of a set of pieces: `ships of player in sea, turned`."""
    options = ", turned" * pieces.turned + ", mirrored" * pieces.mirrored
    return f"{pieces.name}{' of player' * pieces.owned} in {pieces.space}{options}"


def piece_rows(lines: tuple[modules.PieceLine, ...]) -> Iterator[PrintedRow]:
    """The rows of pieces. A piece of one row is drawn on its line."""
    heads = aligned([(line.name, f"x{line.count}", print_drawing(line)) for line in lines], (2, 4))
    for line, head in zip(lines, heads, strict=True):
        below = bool(line.rows) and not print_drawing(line)
        yield PrintedRow(INDENT, head + ":" * below, line.span)
        if below:
            yield from drawing_rows(line.rows, 2 * INDENT, line.span)


def print_piece(line: modules.PieceLine) -> str:
    """A kind of piece on one line: its name, count, and cells by rows."""
    levels = [row.level for row in line.rows]
    rows = " / ".join(f"{_row(row)}" for row in line.rows)
    return f"{line.name} x{line.count} {rows}{f' on levels {levels}' * any(levels)}".rstrip()


def print_drawing(line: modules.PieceLine) -> str:
    """The drawing of a piece with one row; empty if it needs a block."""
    return _row(line.rows[0]) if len(line.rows) == 1 and not line.rows[0].level else ""


def _row(row: modules.PatternRow) -> str:
    return " ".join(role or "." for role in row.roles)
