"""Mangled messages: JSON of which something was changed, as fuzz for servers."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**31 - 1, 2**31, 2**53, 2**64, 10**300),
    *("", "x", "\0", "a\nb", "x" * 5000, "\ud800", "\udfff\ud800", "é𝄞", "null", "-1", "__class__", "{0}", "%s", "1e999"),
    *("file:", "file://[", "file://host/x.rules", "file:///", "file:///%00.rules", "file:///" + "x" * 5000 + ".rules"),
    *(
        "file:///etc/passwd",
        "file:///dev/zero.rules",
        "/etc/passwd",
        "../x.rules",
        "untitled:1",
        "http://rules.example/x.rules",
    ),
    *("cell-1", "tile-1", "cell--1", "cell-99999999999999999999", "-1/0", "1/0", "9" * 5000),
    *([], {}, [[]], [None], [{}], {"": ""}, [1, 2, 3], ["x", "y"], {"line": -1, "character": 2**40}),
)


def mangled(message: Any, chance: random.Random) -> Any:
    """A message with one to three changes in it."""
    changed = copy.deepcopy(message)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_places(changed))
        if not places:
            return chance.choice(JUNK)
        holder, key = chance.choice(places)
        match chance.randrange(8):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 0:
                holder.pop(key)
            case 1 if isinstance(holder, dict):
                holder[chance.choice((key.upper(), key + "s", "", "id", "uri", "text"))] = holder.pop(key)
            case 2:
                holder[key] = [holder[key]] * chance.choice((1, 2, 50))
            case 3:
                holder[key] = {str(key): holder[key]}
            case 4:
                for _ in range(chance.choice((5, 70, 200))):
                    holder[key] = [holder[key]]
            case _:
                holder[key] = copy.deepcopy(chance.choice(JUNK))
    return changed


def mangled_bytes(content: bytes, chance: random.Random) -> bytes:
    """The bytes of a message with some of them cut, changed or added."""
    place = chance.randrange(len(content))
    match chance.randrange(5):
        case 0:
            return content[:place]
        case 1:
            return content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]
        case 2:
            return content[:place] + b"\xff\xfe\xc0\x80" + content[place:]
        case 3:
            return b"[" * chance.choice((1, 100, 100_000)) + content
        case _:
            return chance.choice((b"", b"\0", b"{", b"null", b"NaN", b'"x"', b"[]", b"{}", b"9" * 10_000, content + content))


def as_json(message: Any) -> bytes:
    return json.dumps(message).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in a message, by what holds it."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(entries):
        yield value, key
        yield from _places(inner)
