"""Locations in source texts."""

from __future__ import annotations

from .records import field, frozen


@frozen
class Span:
    """A stretch of one source text. Lines and columns count from 1; the end column is exclusive."""

    source: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __reduce__(self) -> str | tuple[type[Span], tuple[str, int, int, int, int]]:
        """For pickle and `copy`: `NO_SPAN` remains a single object."""
        return "NO_SPAN" if self is NO_SPAN else (Span, (self.source, self.line, self.column, self.end_line, self.end_column))

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


NO_SPAN = Span("", 0, 0, 0, 0)


@frozen
class Located:
    """Base class of syntax nodes and of what is made from them: it has a location, which equality and hashing ignore."""

    span: Span = field(default=NO_SPAN, eq=False, repr=False, kw_only=True)


@frozen
class Named(Located):
    """Base class of those that have a name."""

    name: str


def names_without_spans(pairs: tuple[tuple[str, Span], ...]) -> tuple[str, ...]:
    """The comparison key of an attribute that holds pairs of name and span."""
    return tuple(name for name, _ in pairs)
