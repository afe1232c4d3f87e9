"""Parts of many documents."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from rulewright.base.input_files import display_path
from rulewright.base.spans import Span

from .document import Document, Of

Answer = int | str | None
"""An expected or proved answer: a number, or text for a word or a fraction."""


def file_of(span: Span | None) -> str | None:
    """The file of a place, as it is shown."""
    return display_path(span.source) if span is not None and span.line else None


def line_of(span: Span | None) -> int | None:
    """The line of a place."""
    return None if span is None else span.line or None


def column_of(span: Span | None) -> int | None:
    """The column of a place."""
    return span.column if span is not None and span.line else None


MaybeFile: TypeAlias = Annotated[str | None, Of("span", file_of)]
MaybeLine: TypeAlias = Annotated[int | None, Of("span", line_of)]
File: TypeAlias = Annotated[str, Of("span", file_of)]
Line: TypeAlias = Annotated[int, Of("span", line_of)]
"""The place of what has a `span`; null if it is not known."""

Path: TypeAlias = Annotated[str, Of("path")]
"""The file of what has a `path`."""


class Fault(TypedDict):
    """An error or warning; an unknown place or hint is null."""

    code: str
    message: str
    file: MaybeFile
    line: MaybeLine
    column: Annotated[int | None, Of("span", column_of)]
    hint: Annotated[str | None, Of("help")]


class Errors(Document):
    """What ended a command before it had a result. `positions` are puzzles that show a clash of exceptions (`check`)."""

    errors: list[Fault]
    positions: NotRequired[list[str]]


class Origin(TypedDict):
    """Where a clause was written; null if unknown."""

    module: str | None
    file: MaybeFile
    line: MaybeLine
