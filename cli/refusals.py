"""What is wrong with a call rather than with a text: errors without a place."""

from __future__ import annotations

from ..grammar.diagnostics import Diagnostic, RulesError

USAGE, FILE, INTERNAL = "usage", "file", "internal"
"""The codes of errors that no text causes; they have no page."""


def refusal(code: str, message: str, hint: str = "") -> RulesError:
    """The error to raise."""
    return RulesError((Diagnostic(code, message, help=hint),))
