"""Cuts a text into records, one for each position: rows of characters, the words after them, and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.base.diagnostics import Sink
from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.rules.linking.alphabets import Alphabet

REMARK = ";"
"""What a line of remarks begins with."""

HEADING = re.compile(r"[A-Za-z][A-Za-z ]*: *(?P<said>.*)")
"""`Title: First room`: a remark, whose words stand after the colon."""


@frozen
class Part(Located):
    """A piece of a line."""

    text: str


@frozen
class Record(Located):
    """The rows of a position from north to south, the words after them, and what is remarked on it."""

    rows: tuple[Part, ...]
    words: tuple[Part, ...] = ()
    remarks: tuple[str, ...] = ()


def records(text: str, source: str, alphabet: Alphabet, sink: Sink) -> Iterator[Record]:
    """The records of a text. Reports RW390 for a row that is not as long as the others."""
    lines = [Part(line.rstrip("\r"), span=_span(source, number, 0, line)) for number, line in enumerate(text.split("\n"), 1)]
    if alphabet.format.between is None:
        yield from _of_lines(lines, alphabet)
        return
    for line in lines:
        if line.text.strip() and not _is_remark(line.text, alphabet):
            yield _of_line(line, alphabet, sink)


def _span(source: str, line: int, column: int, text: str) -> Span:
    return Span(source, line, column + 1, line, column + 1 + len(text))


def _is_remark(line: str, alphabet: Alphabet) -> bool:
    first = line.lstrip()[:1]
    return first in (REMARK, "#") and first not in alphabet.glyphs and first not in alphabet.spare


def _of_lines(lines: list[Part], alphabet: Alphabet) -> Iterator[Record]:
    """Records whose rows are lines. Other lines are remarks: on the rows above if no blank line is between, else on those
    below."""
    known = {*alphabet.glyphs, *alphabet.spare, *("0123456789" if alphabet.format.runs else "")}
    rows: list[Part] = []
    remarks: list[str] = []
    has_ended = False
    for line in lines:
        bare = line.text.strip()
        is_row = bool(bare) and bare[0] in known and not HEADING.fullmatch(bare)
        if rows and (not bare or (is_row and has_ended)):
            yield Record(tuple(rows), remarks=tuple(remarks), span=rows[0].span)
            rows, remarks, has_ended = [], [], False
        if is_row:
            rows.append(line)
        elif bare:
            remarks.append(_remark(bare))
            has_ended = bool(rows)
    if rows:
        yield Record(tuple(rows), remarks=tuple(remarks), span=rows[0].span)


def _remark(line: str) -> str:
    heading = HEADING.fullmatch(line)
    return heading["said"] if heading else line.lstrip(REMARK).strip()


def _of_line(line: Part, alphabet: Alphabet, sink: Sink) -> Record:
    """A record on one line: the board, the words of the fields, and a remark."""
    place = line.span
    found = ((match.start(), match[0]) for match in re.finditer(r"\S+", line.text))
    board, *words = [Part(word, span=_span(place.source, place.line, at, word)) for at, word in found]
    rest = words[len(alphabet.fields) :]
    remark = line.text[rest[0].span.column - 1 :].strip() if rest else ""
    rows = tuple(_rows(board, alphabet, sink))
    return Record(rows, tuple(words[: len(alphabet.fields)]), (remark,) if remark else (), span=board.span)


def _rows(board: Part, alphabet: Alphabet, sink: Sink) -> Iterator[Part]:
    between, text, span = alphabet.format.between, board.text, board.span
    if between:
        pieces = text.split(between)
        wanted = alphabet.height
        if len(pieces) != wanted:
            message = f"wrong number of rows: expected {wanted}, found {len(pieces)}"
            sink.error("RW390", message, span, help=f"divide the rows by `{between}`, from north to south")
    else:
        wanted = alphabet.width * alphabet.height
        if len(text) != wanted:
            message = f"wrong number of characters: expected {wanted}, found {len(text)}"
            sink.error("RW390", message, span, help=f"write {alphabet.height} rows of {alphabet.width} without blanks")
        pieces = [text[at : at + alphabet.width] for at in range(0, len(text), alphabet.width)]
    at = span.column - 1
    for piece in pieces:
        yield Part(piece, span=_span(span.source, span.line, at, piece or " "))
        at += len(piece) + len(between or "")
