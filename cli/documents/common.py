"""Parts of many documents."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Answer = int | str | None
"""An expected or proved answer: a number, or text for a word or a fraction."""


class Fault(TypedDict):
    """An error or warning; an unknown place or hint is null."""

    code: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    hint: str | None


class Errors(TypedDict):
    """What ended a command before it had a result. `positions` are puzzles that show a clash of exceptions (`check`)."""

    schema: Literal["rulewright/errors/1"]
    errors: list[Fault]
    positions: NotRequired[list[str]]


class Origin(TypedDict):
    """Where a clause was written; null if unknown."""

    module: str | None
    file: str | None
    line: int | None
