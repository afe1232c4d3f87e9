"""The nodes of formats and their lines."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.spans import Span
from rulewright.grammar.tree import declarations

from .node_builder import NodeClasses, Property, all_or_none, collected, inside, made, says
from .read_statements import StatementBuilder

NOTHING = "none"
"""What a glyph of an empty cell shows."""


class FormatBuilder(StatementBuilder):
    """Builds the nodes of formats."""

    NODES: ClassVar[NodeClasses] = {
        **StatementBuilder.NODES,
        "format": declarations.Format,
        "format_rows": says("between"),
        "format_runs": made(Property, "", field="runs", value=True),
        "thing": made(declarations.Thing, "name player"),
        "letters": inside(says("letters"), declarations.Letters),
        "spot": collected,
        "field_word": made(declarations.Choice, "text *cells"),
        "field_words": collected,
        "field": made(declarations.Field, "name choices", choices=all_or_none),
    }

    def glyph(self, span: Span, *parts: str | declarations.Thing) -> declarations.Glyph:
        things = tuple(part for part in parts if isinstance(part, declarations.Thing) and part.name != NOTHING)
        return declarations.Glyph(tuple(part for part in parts if isinstance(part, str)), things, span=span)

    def idle_field(self, span: Span, text: str) -> declarations.Field:
        return declarations.Field("", (declarations.Choice(text, span=span),), span=span)
