"""Splits a text into logical lines and blocks by indentation (the offside rule, Landin 1966), with comments blanked out."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import islice

from rulewright.base.diagnostics import Sink
from rulewright.base.input_files import file_too_large
from rulewright.base.limits import Limits
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span

# Control characters, bidirectional formatting characters, other line endings, lone surrogates.
_INVISIBLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_PART = re.compile(r"\w+|[^\w\s]")


@frozen
class Comment:
    """A comment with its `#`; `alone` if nothing else is on its line."""

    line: int
    column: int
    text: str
    alone: bool


@frozen
class SourceText:
    """One text: `code` is the text with comments replaced by blanks, of the same length. Its lines are counted from
    `first_line` on."""

    name: str
    text: str
    code: str
    comments: tuple[Comment, ...]
    first_line: int = 1

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset at which each line starts."""
        starts = [0]
        starts.extend(i + 1 for i, letter in enumerate(self.text) if letter == "\n")
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset; columns are counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line + self.first_line - 1, offset - self.line_starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        return Span(self.name, *self.position(start), *self.position(end))


@define
class LogicalLine:
    """A logical line: a line with its continuations, without its block. `opens` if it ends in a colon."""

    start: int
    end: int
    indent: int
    opens: bool
    block: list[LogicalLine] = field(factory=list)

    @property
    def last(self) -> int:
        """The offset at which the line and its block end."""
        line = self
        while line.block:
            line = line.block[-1]
        return line.end

    def take_in_block(self) -> None:
        """Make the block a continuation of the line."""
        self.end, self.opens = self.last, False
        self.block.clear()


def read_source(text: str, name: str, sink: Sink, limits: Limits, first_line: int = 1) -> SourceText | None:
    """Blank the comments and report forbidden characters and lines. None if the text is too large to examine."""
    if len(text.encode("utf-8", "surrogatepass")) > limits.file_bytes:
        sink.diagnostics.append(file_too_large(name, limits))
        return None
    code: list[str] = []
    comments: list[Comment] = []
    for number, raw in enumerate(text.split("\n"), start=first_line):
        line = raw.removesuffix("\r")
        rest, comment = _without_comment(line)
        if comment:
            comments.append(Comment(number, len(rest) + 1, comment.rstrip(), not rest.strip()))
        code.append(rest.ljust(len(raw)))
        _check_characters(line, rest, name, number, sink, limits)
    source = SourceText(name, text, "\n".join(code), tuple(comments), first_line)
    _check_parts(source, sink, limits)
    return source


def _check_parts(source: SourceText, sink: Sink, limits: Limits) -> None:
    """Refuse to parse a text that must have too many nodes: few nodes have more than two words or signs of their own."""
    if part := next(islice(_PART.finditer(source.code), 2 * limits.nodes, None), None):
        report_too_many_parts(sink, source.span(*part.span()), limits)


def report_too_many_parts(sink: Sink, span: Span, limits: Limits) -> None:
    """Report a text that would take too long to parse."""
    sink.error("RW053", f"the file has more than {limits.nodes} parts", span, help="split the file into several modules")


def _without_comment(line: str) -> tuple[str, str]:
    """Split at the first `#` that is not inside a string."""
    if "#" not in line:
        return line, ""
    end = 0
    for i, part in enumerate(line.split('"')):
        if i % 2 == 0 and "#" in part:
            end += part.index("#")
            return line[:end], line[end:]
        end += len(part) + 1
    return line, ""


def _check_characters(line: str, rest: str, name: str, number: int, sink: Sink, limits: Limits) -> None:
    def report(code: str, message: str, start: int, end: int, help: str) -> None:
        """Report what is wrong between two offsets of the line."""
        sink.error(code, message, Span(name, number, start + 1, number, end + 1), help=help)

    most = limits.line_length
    if len(line) > most:
        message = f"the line is longer than {most} characters"
        report("RW051", message, most, len(line), "continue it on the next line, indented more deeply")
    if "\t" in line:
        tab = line.index("\t")
        report("RW001", f"line {number} contains a tab", tab, tab + 1, "indent with spaces, four for each level")
    if unseen := _INVISIBLE.search(line):
        message = f"the text contains an invisible character (U+{ord(unseen[0]):04X})"
        report("RW002", message, unseen.start(), unseen.start() + 1, "delete it")
    if rest.count('"') % 2:
        report("RW003", "unterminated text", rest.rindex('"'), len(rest.rstrip()), 'add the closing `"` on the same line')


def blocks_of(source: SourceText, sink: Sink, limits: Limits, drawings: bool = False) -> list[LogicalLine]:
    """The unindented lines, with their blocks. With `drawings`, the block below an opening line in the outermost block is a
    list of rows whose indentation has no meaning."""
    return _BlockReader(source, sink, limits, drawings).lines()


@define
class TextReader:
    """Base of what reads a text within limits, and reports its errors."""

    source: SourceText
    sink: Sink
    limits: Limits


@define
class _BlockReader(TextReader):
    drawings: bool
    roots: list[LogicalLine] = field(factory=list)
    stack: list[tuple[int, list[LogicalLine]]] = field(factory=list)

    def lines(self) -> list[LogicalLine]:
        self.stack.append((0, self.roots))
        start = 0
        for raw in self.source.code.split("\n"):
            content = raw.strip()
            if content:
                indent = len(raw) - len(raw.lstrip())
                first = start + indent
                self._add(LogicalLine(first, first + len(content), indent, content.endswith(":")))
            start += len(raw) + 1
        return self.roots

    def _add(self, line: LogicalLine) -> None:
        indent, block = self.stack[-1]
        last = block[-1] if block else None
        if last is None:
            if line.indent:
                self._error("RW004", "the first line must not be indented", line, "remove the indentation")
            block.append(line)
        elif line.indent > last.indent and self.drawings and len(self.stack) == 2 and last.opens:
            last.block.append(line)
        elif line.indent > indent:
            self._deeper(last, line)
        else:
            left = self.stack[-1]
            while line.indent < self.stack[-1][0]:
                left = self.stack.pop()
            if line.indent != self.stack[-1][0]:
                self._between(line, left)
            block = self.stack[-1][1]
            block.append(line)

    def _between(self, line: LogicalLine, left: tuple[int, list[LogicalLine]]) -> None:
        """Report a line indented between two levels, and continue as if it were at the nearer one."""
        if left[0] - line.indent <= line.indent - self.stack[-1][0]:
            self.stack.append(left)
        nearer = self.stack[-1][0]
        self._error(
            "RW004",
            f"the indentation of {line.indent} columns matches no block above",
            line,
            f"indent it by {nearer} columns, or to the level of the block that it belongs to",
        )
        line.indent = nearer

    def _deeper(self, last: LogicalLine, line: LogicalLine) -> None:
        if last.opens:
            if len(self.stack) > self.limits.nesting:
                message = f"blocks are nested deeper than {self.limits.nesting} levels"
                self._error("RW052", message, line, "move the inner part to a procedure")
                self.stack[-1][1].append(line)
            else:
                last.block.append(line)
                self.stack.append((line.indent, last.block))
        else:
            last.end = line.end
            last.opens = self.source.code[line.end - 1] == ":"

    def _error(self, code: str, message: str, line: LogicalLine, help: str) -> None:
        self.sink.error(code, message, self.source.span(line.start, line.end), help=help)
