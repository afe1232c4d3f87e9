"""File names, and the places of clauses, as the commands print them."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path
from rulewright.base.spans import Span


def check_writable(path: Path) -> None:
    """Raises `RulesError` for an unwritable file, before time is spent on its contents."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise file_error(f"`{display_path(path)}` cannot be written", "choose a file in an existing folder")


def place_text(span: Span) -> str:
    """`harbour.rules:12`; empty for a span outside any file."""
    return f"{display_path(span.source)}:{span.line}" if span.line else ""
