"""The types and modifiers of semantic tokens, by the names of the protocol."""

from __future__ import annotations

TYPES = (
    *("namespace", "enum", "enumMember", "class", "struct", "property", "variable", "parameter", "function", "method"),
    *("event", "decorator"),
)
"""The token types."""

MODIFIERS = ("declaration", "readonly", "defaultLibrary")
"""The token modifiers."""
