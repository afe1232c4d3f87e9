"""The types and modifiers of semantic tokens, by the names of the protocol."""

from __future__ import annotations

TYPES = (
    *("namespace", "enum", "enumMember", "class", "struct", "property", "variable", "parameter", "function", "method"),
    *("event", "decorator"),
)
"""What a name can be."""

MODIFIERS = ("declaration", "readonly", "defaultLibrary")
"""What can be said of it besides."""
