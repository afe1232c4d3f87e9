"""The nodes of formats and their lines."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import declarations

from .node_builder import NodeClasses, all_or_none, collected, made
from .read_statements import StatementBuilder

NOTHING = "none"
"""What a glyph of an empty cell shows."""


@frozen
class RowsLine(Located):
    """`rows "/"`: what stands between the rows of a format."""

    between: str


@frozen
class RunsLine(Located):
    """`runs`: digits count empty cells."""


class FormatBuilder(StatementBuilder):
    """Builds the nodes of formats."""

    NODES: ClassVar[NodeClasses] = {
        **StatementBuilder.NODES,
        "format": declarations.Format,
        "format_rows": RowsLine,
        "format_runs": RunsLine,
        "thing": made(declarations.Thing, "name player"),
        "letters": declarations.Letters,
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
