"""Renders diagnostics for people."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from .diagnostics import Diagnostic, Label
from .input_files import scan_text
from .limits import DEFAULT_LIMITS, Limits
from .spans import Span
from .styled_text import Line, Style, Styled, escape, escaped_path, line, plain, width

LONGEST_EXCERPT = 160
"""In characters: longer source lines are shown around the caret only."""


def render(diagnostic: Diagnostic, limits: Limits = DEFAULT_LIMITS) -> list[Line]:
    """A diagnostic with its places, the marked source under each, and the help.

    ```
    error[RW012]: unexpected end of the line
     --> harbour.rules:3:11
      |
    3 | define x =
      |           ^ a value is missing here
      = help: …
    ```
    """
    style = Style.WARNING if diagnostic.warning else Style.ERROR
    word = "warning" if diagnostic.warning else "error"
    code = f"[{diagnostic.code}]" if diagnostic.code.startswith("RW") else ""
    lines = [line(Styled(f"{word}{code}", style), Styled(f": {escape(diagnostic.message)}", Style.STRONG))]
    places = [label for label in diagnostic.labels if label.span.line > 0]
    gutter = max((len(str(label.span.line)) for label in places), default=1)
    for number, label in enumerate(places):
        lines += _place(label, gutter, number == 0, style if number == 0 else Style.NOTE, limits)
    if diagnostic.help:
        lines.append(line(" " * gutter, Styled(" = help: ", Style.NOTE), escape(diagnostic.help)))
    return lines


def rendered(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics as plain text, one after the other."""
    return "\n".join(plain(parts) for diagnostic in diagnostics for parts in render(diagnostic))


def _place(label: Label, gutter: int, is_first: bool, style: Style, limits: Limits) -> list[Line]:
    span, arrow = label.span, "-->" if is_first else ":::"
    where = f"{escaped_path(span.source)}:{span.line}:{span.column}"
    lines = [line(" " * gutter, Styled(arrow, Style.FAINT), " ", where)]
    source = _source_line(span, limits)
    if source is None:
        if label.text:
            lines.append(line(" " * gutter, Styled("  = ", Style.FAINT), escape(label.text)))
        return lines
    text, column, end = _excerpt(source, span)
    before, marked = escape(text[: column - 1]), escape(text[column - 1 : end - 1])
    bar = Styled(" | ", Style.FAINT)
    caret = Styled("^" * max(1, width(marked)), style)
    said = (Styled(f" {escape(label.text)}", style),) if label.text else ()
    lines.append(line(" " * gutter, Styled(" |", Style.FAINT)))
    lines.append(line(Styled(str(span.line).rjust(gutter), Style.FAINT), bar, escape(text)))
    lines.append(line(" " * gutter, bar, " " * width(before), caret, *said))
    return lines


def _excerpt(source: str, span: Span) -> tuple[str, int, int]:
    """The part of a source line to show, with the columns of the span in it."""
    end = span.end_column if span.end_line == span.line else len(source) + 1
    end = max(span.column + 1, min(end, len(source) + 1))
    if len(source) <= LONGEST_EXCERPT:
        return source, span.column, end
    first = max(0, span.column - 1 - LONGEST_EXCERPT // 2)
    text = source[first : first + LONGEST_EXCERPT]
    return text, span.column - first, min(end - first, len(text) + 1)


def _source_line(span: Span, limits: Limits) -> str | None:
    """The line that a span begins on, None if the file is not, or no longer, readable."""
    try:
        status = Path(span.source).stat()
    except OSError:
        return None
    lines = _lines_of(Path(span.source).resolve(), status.st_mtime_ns, status.st_size, limits)
    return lines[span.line - 1] if 0 < span.line <= len(lines) else None


@lru_cache(maxsize=64)
def _lines_of(path: Path, _changed: int, _size: int, limits: Limits) -> tuple[str, ...]:
    """The lines of a source file in its current version, cached, since many diagnostics may point into one file."""
    text = scan_text(path, limits)
    return tuple(text.split("\n")) if text else ()
