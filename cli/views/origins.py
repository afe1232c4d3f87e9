"""The origin of a clause: module, file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.base.input_files import display_path
from rulewright.base.spans import NO_SPAN, Span

if TYPE_CHECKING:
    from rulewright.cli.documents.common import Origin


def place_text(span: Span) -> str:
    """`harbour.rules:12`; empty for a span outside any file."""
    return f"{display_path(span.source)}:{span.line}" if span.line else ""


def origin_as_json(module: str = "", span: Span = NO_SPAN) -> Origin:
    """The module, file and line; null if unknown."""
    return {
        "module": module or None,
        "file": display_path(span.source) if span.line else None,
        "line": span.line or None,
    }
