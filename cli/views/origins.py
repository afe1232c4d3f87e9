"""The place of a clause as text."""

from __future__ import annotations

from rulewright.base.input_files import display_path
from rulewright.base.spans import Span


def place_text(span: Span) -> str:
    """`harbour.rules:12`; empty for a span outside any file."""
    return f"{display_path(span.source)}:{span.line}" if span.line else ""
