"""Requests of other programs as JSON, which may be malformed, and answers to those that are refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .diagnostics import Diagnostic, RulesError

DEEPEST = 64
"""The maximum nesting of a message."""


class Refused(Exception):
    """A refused request; the message and the help are for the user, `more` is for the program that displays them."""

    def __init__(self, message: str, help: str = "", **more: Any) -> None:
        super().__init__(message)
        self.message, self.help, self.more = message, help, more

    @property
    def text(self) -> str:
        """The message, followed by the help."""
        return f"{self.message}: {self.help}" if self.help else self.message

    @property
    def as_data(self) -> dict[str, Any]:
        """The refusal as data for an answer."""
        return {"message": self.message, "help": self.help, **self.more}


def refusal_of(error: RulesError | OSError | Refused) -> dict[str, Any]:
    """Any expected error as data for an answer; for errors in texts, with their locations."""
    match error:
        case Refused():
            return error.as_data
        case RulesError(diagnostics=found):
            first = found[0]
            return {"message": first.message, "help": first.help, "diagnostics": [diagnostic_data(one) for one in found]}
        case OSError():
            return {"message": f"{error.filename or 'a file'}: {error.strerror or error}".lower(), "help": ""}


def diagnostic_data(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic with its first location; `file` is an absolute path."""
    span = diagnostic.span
    place = {"file": span.source, "line": span.line, "column": span.column} if span is not None else {}
    return {"code": diagnostic.code, "message": diagnostic.message, "help": diagnostic.help, **place}


def text_in(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """The text of a request under a name. Raises `Refused` if there is none."""
    found = data.get(name, default)
    if not isinstance(found, str):
        raise Refused(f"the request has no text `{name}`")
    return found


def object_in(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The object of a request under a name. Raises `Refused` if there is none."""
    found = data.get(name)
    if not isinstance(found, dict):
        raise Refused(f"the request has no object `{name}`")
    return found


def texts_in(data: Mapping[str, Any], name: str) -> list[str]:
    """The list of texts of a request under a name; empty if there is nothing. Raises `Refused` if it is anything else."""
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Refused(f"`{name}` must be a list of texts")
    return found


def number_in(data: Mapping[str, Any], name: str, low: int, high: int, default: int) -> int:
    """The number of a request under a name, within bounds. Raises `Refused` if it is out of bounds or no number."""
    found = data.get(name, default)
    if not isinstance(found, int) or isinstance(found, bool) or not low <= found <= high:
        raise Refused(f"`{name}` must be a number from {low} to {high}")
    return found


def decoded_message(text: str | bytes) -> object:
    """What a message holds, unchecked. Raises `Refused` if it is not JSON."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refused("the message is not valid JSON") from None


def checked_message(message: object) -> dict[str, Any]:
    """A decoded message, if it is an object without flaws. Raises `Refused`."""
    if not isinstance(message, dict):
        raise Refused("the message is not a JSON object, or is too large")
    inside: list[object] = [message]
    for _ in range(DEEPEST):
        inside = [part for value in inside for part in _parts(value)]
        if not inside:
            break
    else:
        raise Refused(f"the message is nested more than {DEEPEST} levels deep")
    if not _is_text(json.dumps(message, ensure_ascii=False)):
        raise Refused("the message has half of a surrogate pair, which is not a character")
    return message


def number_of(message: object) -> int | str | None:
    """The `id` of a message, malformed or not, to which a refusal answers; None if it has none."""
    number = message.get("id") if isinstance(message, dict) else None
    return number if isinstance(number, int | str) and not isinstance(number, bool) and _is_text(str(number)) else None


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parts(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
