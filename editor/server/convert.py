"""Converts places and names of files: ours count columns in characters, the protocol's in the editor's chosen encoding; the
protocol's files are addresses (URIs).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.records import frozen
from rulewright.base.spans import Span

SOURCE = "rulewright"


@frozen
class TextPlaces:
    """Converts places of one text; `lines` are its lines, without `line_end`."""

    lines: Sequence[str]
    codec: PositionCodec
    line_end: str = "\n"

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column, both from 1, clamped to the end of the text."""
        if line > len(self.lines):
            line, column = max(1, len(self.lines)), 1 << 30
        text = self.lines[line - 1] if self.lines and line > 0 else ""
        units = self.codec.client_num_units(text[: max(0, column - 1)])
        return types.Position(max(0, line - 1), units)

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def edit(self, span: Span, new: str) -> types.TextEdit:
        """The edit that replaces a span, with the line ends of the text."""
        return types.TextEdit(self.range(span), self._ended(new))

    def rewritten(self, new: str) -> types.TextEdit:
        """The edit that replaces the whole text, with its line ends."""
        whole = types.Range(types.Position(0, 0), self.position(len(self.lines) + 1, 1))
        return types.TextEdit(whole, self._ended(new))

    def _ended(self, new: str) -> str:
        return new.replace("\n", self.line_end)

    def place(self, position: types.Position) -> tuple[int, int]:
        """Line and column, both from 1."""
        text = self.lines[position.line] if position.line < len(self.lines) else ""
        units, column = 0, 0
        while column < len(text) and units < position.character:
            units += self.codec.client_num_units(text[column])
            column += 1
        return position.line + 1, column + 1


def diagnostic_of(
    diagnostic: Diagnostic, places: TextPlaces, elsewhere: Sequence[types.DiagnosticRelatedInformation]
) -> types.Diagnostic:
    """A diagnostic of the text; further labels become related places."""
    span = diagnostic.span or Span("", 1, 1, 1, 1)
    label = diagnostic.labels[0].text if diagnostic.labels else ""
    message = diagnostic.message + (f" ({label})" if label else "")
    return types.Diagnostic(
        places.range(span),
        message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else ""),
        types.DiagnosticSeverity.Warning if diagnostic.warning else types.DiagnosticSeverity.Error,
        diagnostic.code,
        source=SOURCE,
        related_information=list(elsewhere) or None,
    )


# Addresses ------------------------------------------------------------------------------------------------------------

LONGEST = 4096
"""The maximum length of an address, in characters."""


def is_address(uri: str) -> bool:
    """Whether a text can be the address of anything."""
    try:
        name = to_fs_path(uri)
    except ValueError:
        return False
    return len(uri) <= LONGEST and "\0" not in (name or "")


def path_of(uri: str) -> Path | None:
    """The file of a URI; None if it is not on this machine, or if there can be no such file."""
    name = to_fs_path(uri) if is_address(uri) and uri.startswith("file:") else None
    return Path(name) if name and Path(name).is_absolute() else None


def uri_of(path: str | Path) -> str:
    """The URI of a file."""
    return from_fs_path(str(path)) or ""
