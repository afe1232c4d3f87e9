"""Messages of other programs in JSON, which may be malformed: objects of bounded depth, all of whose texts can be written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .refusals import Refused

DEEPEST = 64
"""The maximum nesting of a message."""


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
