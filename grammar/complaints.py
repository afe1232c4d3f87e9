"""What the parser refuses, said in words of the language."""

from __future__ import annotations

from lark import UnexpectedInput

from .diagnostics import Sink
from .layout import Source
from .syntax import Kind


def complain(error: UnexpectedInput, kind: Kind, source: Source, start: int, end: int, sink: Sink) -> None:
    """Report why the text between two offsets is no line of this kind."""
    position = start + (error.pos_in_stream or 0)
    sink.error("RW011", "this does not belong here", source.span(position, position + 1))
