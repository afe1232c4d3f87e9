"""Where a piece of text stands."""

from __future__ import annotations

from attrs import field

from .records import frozen


@frozen
class Span:
    """A stretch of one source text. Lines and columns count from 1; the end column is exclusive."""

    source: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __reduce__(self) -> str | tuple[type[Span], tuple[str, int, int, int, int]]:
        """For pickle and `copy`: the span of what has no place stays that one object."""
        return "NO_SPAN" if self is NO_SPAN else (Span, (self.source, self.line, self.column, self.end_line, self.end_column))

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


NO_SPAN = Span("", 0, 0, 0, 0)


@frozen
class Located:
    """The base of what is read from text, and of what that becomes: its place, which equality and hashing ignore."""

    span: Span = field(default=NO_SPAN, eq=False, repr=False, kw_only=True)


def names_without_spans(pairs: tuple[tuple[str, Span], ...]) -> tuple[str, ...]:
    """What equality looks at in an attribute of pairs of name and span."""
    return tuple(name for name, _ in pairs)
