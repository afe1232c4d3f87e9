"""The formatter: pretty-prints the syntax tree, with the comments and the single blank lines of the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulewright.base.diagnostics import Sink
from rulewright.base.limits import Limits
from rulewright.base.records import define, evolve, field
from rulewright.grammar.parsing.lines import Comment, read_source
from rulewright.grammar.printing.print_modules import module_rows
from rulewright.grammar.printing.print_puzzles import puzzle_rows
from rulewright.grammar.printing.rows import INDENT, PrintedRow
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle

from .editions import EDITIONS
from .from_text import parse_module, parse_puzzle

_HEAD = re.compile(r"([^\s:]+)(:?)")
"""The first word of a row, and whether a colon follows: `else:` is not the `else` of a continued expression."""


class FormattingError(Exception):
    """An internal error: formatting would have changed the meaning or lost a comment."""


def format_text(text: str, source: str, limits: Limits = Limits()) -> str:  # noqa: B008 - frozen
    """The text in standard layout. `source` ends in `.puzzle` for a puzzle. Raises `RulesError` if the text has an error."""
    text = EDITIONS.migrated(text)
    tree = _parse(text, source, limits)
    rows = list(puzzle_rows(tree) if isinstance(tree, Puzzle) else module_rows(tree))
    before = _comments(text, source, limits)
    formatted = "\n".join(_CommentPlacement(text.split("\n"), rows, before).lines()) + "\n"
    again = _parse(formatted, source, limits)
    if _plain(again) != _plain(tree):
        raise FormattingError(f"formatting would change the meaning of {source}")
    if Counter(c.text for c in _comments(formatted, source, limits)) != Counter(c.text for c in before):
        raise FormattingError(f"formatting would lose a comment of {source}")
    return formatted


def _parse(text: str, source: str, limits: Limits) -> Module | Puzzle:
    return parse_puzzle(text, source, limits) if source.endswith(".puzzle") else parse_module(text, source, limits)


def _comments(text: str, source: str, limits: Limits) -> tuple[Comment, ...]:
    read = read_source(text, source, Sink(), limits)
    return read.comments if read else ()


def _plain(tree: Module | Puzzle) -> Module | Puzzle:
    """The tree without what formatting may change: the common indentation of drawings."""
    if isinstance(tree, Module):
        return tree
    drawings = tuple(evolve(d, indents=tuple(indent - min(d.indents) for indent in d.indents)) for d in tree.drawings)
    return evolve(tree, drawings=drawings)


@define
class _PlacedRow:
    """A row with the comments that go with it."""

    row: PrintedRow
    line: int
    above: list[Comment] = field(factory=list)
    beside: list[Comment] = field(factory=list)
    below: list[Comment] = field(factory=list)


class _CommentPlacement:
    def __init__(self, source: list[str], rows: list[PrintedRow], comments: tuple[Comment, ...]) -> None:
        self.source = source
        self.places = self._located(rows)
        self.by_line = sorted(self.places, key=lambda place: place.line)
        for comment in comments:
            self._attach(comment)

    def _located(self, rows: list[PrintedRow]) -> list[_PlacedRow]:
        """The rows, each with its source line."""
        places: list[_PlacedRow] = []
        taken: set[int] = set()
        for row in rows:
            line = self._search(row, taken) if row.vague else row.span.line
            taken.add(line)
            places.append(_PlacedRow(row, line))
        return places

    def _search(self, row: PrintedRow, taken: set[int]) -> int:
        head = _HEAD.match(row.text)
        begins = re.compile(rf"\s*{re.escape(head[1])}\s*{head[2]}" if head else r"(?!)")
        for line in range(row.span.line, min(row.span.end_line, len(self.source)) + 1):
            if line not in taken and begins.match(self.source[line - 1]):
                return line
        return row.span.line

    def _attach(self, comment: Comment) -> None:
        earlier = [place for place in self.by_line if place.line <= comment.line]
        later = [place for place in self.by_line if place.line > comment.line]
        if not comment.alone and earlier:
            earlier[-1].beside.append(comment)
        elif earlier and self._closes_block(comment, earlier[-1].line, later[0].line if later else None):
            earlier[-1].below.append(comment)
        else:
            later[0].above.append(comment)

    def _closes_block(self, comment: Comment, before: int, after: int | None) -> bool:
        """Whether a comment at the end of a block belongs to the lines above it."""
        if after is None:
            return True
        return min(comment.column - 1, self._indent(before)) > self._indent(after)

    def _indent(self, line: int) -> int:
        text = self.source[line - 1]
        return len(text) - len(text.lstrip())

    def _gap(self, line: int) -> bool:
        """Whether there is a blank line above this line of the source."""
        return line > 1 and not self.source[line - 2].strip()

    def lines(self) -> Iterator[str]:
        """The formatted lines."""
        previous = 0
        first = True
        for place, beside in zip(self.places, self._beside(), strict=True):
            margin = " " * place.row.indent
            for comment in place.above:
                if self._gap(comment.line) and not first:
                    yield ""
                yield margin + comment.text
                first = False
            for comment in place.beside[:-1]:
                yield margin + comment.text
            if place.line != previous and self._gap(place.line) and not first:
                yield ""
            first, previous = False, place.line
            *most, last = place.row.lines()
            yield from most
            yield last + beside
            for comment in place.below:
                if self._gap(comment.line):
                    yield ""
                yield " " * self._below(comment, place.row) + comment.text

    def _below(self, comment: Comment, row: PrintedRow) -> int:
        """The indentation of a comment that closes a block."""
        deep = row.span.line and comment.column - 1 >= self._indent(row.span.line)
        return row.indent if deep else min(row.indent, -(-(comment.column - 1) // INDENT) * INDENT)

    def _beside(self) -> list[str]:
        """The comments at the ends of rows, aligned in one column for consecutive rows."""
        ends = [list(place.row.lines())[-1] for place in self.places]
        texts = [""] * len(ends)
        run: list[int] = []
        for index, place in enumerate(self.places):
            apart = place.above or place.beside[:-1] or self._gap(place.line)
            if run and (apart or place.row.indent != self.places[run[-1]].row.indent or self.places[run[-1]].below):
                self._align(run, ends, texts)
                run = []
            run.append(index)
        self._align(run, ends, texts)
        return texts

    def _align(self, run: list[int], ends: list[str], texts: list[str]) -> None:
        commented = [index for index in run if self.places[index].beside]
        width = max((len(ends[index]) for index in commented), default=0) + 2
        for index in commented:
            texts[index] = " " * (width - len(ends[index])) + self.places[index].beside[-1].text
