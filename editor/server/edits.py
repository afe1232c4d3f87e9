"""Requests that change a text: formatting."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.formatter import format_text

from .editor_server import EditorServer


def register(server: EditorServer) -> None:
    """Answer what changes a text."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def format_document(ls: EditorServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        path = ls.file_of(params.text_document.uri)
        return None if path is None else _formatted(ls, path)


def _formatted(ls: EditorServer, path: Path) -> list[types.TextEdit] | None:
    """The edit that formats a text; none where it cannot be read, for then its layout cannot be known."""
    workspace = ls.workspace_of(path)
    text = workspace.text(path)
    try:
        formatted = format_text(text, str(path), workspace.limits)
    except RulesError:
        return None
    return [] if formatted == text else [types.TextEdit(ls.places(path).whole, formatted)]
