"""The nodes of formats and their lines."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import declarations

from .node_builder import NodeClasses
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
        "format_rows": RowsLine,
        "format_runs": RunsLine,
        "letters": declarations.Letters,
    }

    def format(self, span: Span, name: str, drawing: str) -> declarations.Format:
        return declarations.Format(name, drawing, span=span)

    def thing(self, span: Span, name: str, player: int | None) -> declarations.Thing:
        return declarations.Thing(name, player or 0, span=span)

    def glyph(self, span: Span, *parts: str | declarations.Thing) -> declarations.Glyph:
        things = tuple(part for part in parts if isinstance(part, declarations.Thing) and part.name != NOTHING)
        return declarations.Glyph(tuple(part for part in parts if isinstance(part, str)), things, span=span)

    def spot(self, span: Span, column: int, row: int) -> tuple[int, int]:
        return column, row

    def field_word(self, span: Span, text: str, *cells: tuple[int, int] | str) -> declarations.Choice:
        return declarations.Choice(text, cells, span=span)

    def field_words(self, span: Span, *choices: declarations.Choice) -> tuple[declarations.Choice, ...]:
        return choices

    def field(self, span: Span, name: str, choices: tuple[declarations.Choice, ...] | None) -> declarations.Field:
        return declarations.Field(name, choices or (), span=span)

    def idle_field(self, span: Span, text: str) -> declarations.Field:
        return declarations.Field("", (declarations.Choice(text, span=span),), span=span)
