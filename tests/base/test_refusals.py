"""Malformed messages are refused with the reason, and answered by number if they have one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.base.refusals import DEEPEST, Refused, checked_message, decoded_message, number_of


def nested(depth: int) -> dict[str, Any]:
    """An object of so many levels."""
    inside: Any = {}
    for level in range(depth - 1):
        inside = {"x": inside} if level % 2 else [inside]
    return {"x": inside}


@pytest.mark.parametrize(
    "content", ["", "{", b"\xff", b'"\xc0\x80"', "[" * 200_000, "NaN", "[Infinity]", "9" * 10_000, '{"a": 1} x']
)
def test_what_is_not_json_is_refused(content: str | bytes) -> None:
    with pytest.raises(Refused, match="not valid JSON"):
        decoded_message(content)


@pytest.mark.parametrize("message", [None, 1, "x", [], [{}]])
def test_what_is_no_object_is_refused(message: object) -> None:
    with pytest.raises(Refused, match="not a JSON object"):
        checked_message(message)


def test_deep_messages_are_refused() -> None:
    assert checked_message(nested(DEEPEST - 1))
    for depth in (DEEPEST, DEEPEST + 1, 900):
        with pytest.raises(Refused, match="more than 64 levels"):
            checked_message(nested(depth))


@pytest.mark.parametrize("text", [r'{"a": "\ud800"}', r'{"\udfff": 1}', r'{"a": [["x\udc00\ud800"]]}'])
def test_half_of_a_surrogate_pair_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="surrogate"):
        checked_message(json.loads(text))
    assert checked_message(json.loads(r'{"a": "\ud834\udd1e"}')) == {"a": "𝄞"}


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ({"id": 3}, 3),
        ({"id": "a"}, "a"),
        ({"id": True}, None),
        ({"id": [1]}, None),
        ({}, None),
        ([], None),
        ({"id": "\ud800"}, None),
    ],
)
def test_the_number_of_a_malformed_message(message: object, number: object) -> None:
    assert number_of(message) == number
