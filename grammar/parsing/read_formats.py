"""The nodes of formats and their lines."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import formats

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
        "letters": formats.Letters,
    }

    def format(self, span: Span, name: str, drawing: str) -> formats.Format:
        return formats.Format(name, drawing, span=span)

    def thing(self, span: Span, name: str, player: int | None) -> formats.Thing:
        return formats.Thing(name, player or 0, span=span)

    def glyph(self, span: Span, *parts: str | formats.Thing) -> formats.Glyph:
        things = tuple(part for part in parts if isinstance(part, formats.Thing) and part.name != NOTHING)
        return formats.Glyph(tuple(part for part in parts if isinstance(part, str)), things, span=span)

    def spot(self, span: Span, column: int, row: int) -> tuple[int, int]:
        return column, row

    def field_word(self, span: Span, text: str, *cells: tuple[int, int] | str) -> formats.Choice:
        return formats.Choice(text, cells, span=span)

    def field_words(self, span: Span, *choices: formats.Choice) -> tuple[formats.Choice, ...]:
        return choices

    def field(self, span: Span, name: str, choices: tuple[formats.Choice, ...] | None) -> formats.Field:
        return formats.Field(name, choices or (), span=span)

    def idle_field(self, span: Span, text: str) -> formats.Field:
        return formats.Field("", (formats.Choice(text, span=span),), span=span)
