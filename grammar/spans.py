"""Where a piece of text stands."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import field, frozen


@frozen
class Span:
    """A stretch of one source text. Lines and columns count from 1; the end column is exclusive."""

    source: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


NOWHERE_IN_TEXT = Span("", 0, 0, 0, 0)


def span_field() -> Span:
    """The span attribute of a node: part of the node, ignored by equality and hashing."""
    value: Span = field(default=NOWHERE_IN_TEXT, eq=False, repr=False, kw_only=True)
    return value


def names_field(default: Any = attrs.NOTHING) -> Any:
    """An attribute of pairs of name and span; equality looks at the names only."""
    return field(default=default, eq=lambda pairs: tuple(name for name, _ in pairs))
