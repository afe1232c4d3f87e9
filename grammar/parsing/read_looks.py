"""Reads a `look` from its words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from rulewright.base.diagnostics import Sink, suggest
from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree.looks import Appearance, Colour, Drawing, RegionStyle, Showing, SpaceSize, SpaceStyle, Standing

LONGEST_OUTLINE = 400
"""In characters."""

SHORT_TEXTS = {"glyph": 4, "label": 40}
"""The words of a look with a text, and how many characters it may have."""

WORDS: Mapping[str, Mapping[str, Enum]] = {
    "colour": {member.value: member for member in Colour},
    "drawing": {member.value: member for member in Drawing},
    "region": {member.value: member for member in RegionStyle},
    "space": {member.value: member for member in SpaceStyle},
    "size": {member.value: member for member in SpaceSize},
    "showing": {member.value: member for member in Showing},
    "standing": {member.value: member for member in Standing},
}
"""The words of each field of an appearance."""

_NUMBER = r"\s*+(?:,\s*+)?+-?+(?>1\.0{1,3}|0?\.\d{1,3}|0|1)"
_COMMANDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4}
_COMMAND = "|".join(rf"{command}(?:(?:{_NUMBER}){{{count}}})++" for command, count in _COMMANDS.items())
OUTLINE = re.compile(rf"\s*+M(?:{_NUMBER}){{2}}(?>\s*+(?>{_COMMAND}|Z))*+\s*+")
"""Path data: the commands M, L, H, V, C, Q and Z, absolute, in a square from -1 to 1. It never backtracks, so an almost
matching text from an untrusted source is refused in linear time."""


@frozen
class LookPart(Located):
    """`red`, `tower`, `glyph "W"`, `around shore`: a word, with its text or name if it has one."""

    word: str
    text: str | None = None
    name: str | None = None


def appearance(span: Span, parts: Sequence[LookPart], sink: Sink) -> Appearance:
    """The appearance that the parts describe. Reports RW060 (unknown or repeated word) and RW061 (an outline, glyph or
    label that cannot be drawn)."""
    said: dict[str, Any] = {}
    for part in parts:
        name, value = _meaning(part, sink)
        if name in said:
            sink.error("RW060", f"the {name} is given twice", part.span, help="delete one of the two")
        elif name:
            said[name] = value
    if len(said.keys() & {"drawing", "outline", "glyph"}) > 1:
        sink.error(
            "RW060",
            "a look can have only one of a drawing, an outline and a glyph",
            parts[-1].span,
            help="keep only one of them",
        )
    return Appearance(**said, span=span)


def _meaning(part: LookPart, sink: Sink) -> tuple[str, object]:
    """The field of an appearance and its value; "" if it was reported."""
    match part.word, part.text:
        case "around", None if part.name is not None:
            return "around", part.name
        case "glyph" | "label" as word, str() as short:
            if not 1 <= len(short) <= SHORT_TEXTS[word]:
                message = f"a {word} must have 1 to {SHORT_TEXTS[word]} characters"
                sink.error("RW061", message, part.span, help="shorten the text" if short else "write a text")
                return "", None
            return word, short
        case "outline", str() as outline:
            if len(outline) > LONGEST_OUTLINE or not OUTLINE.fullmatch(outline):
                message = "the outline is not valid path data"
                help = f"use M, L, H, V, C, Q and Z with numbers from -1 to 1, and at most {LONGEST_OUTLINE} characters"
                sink.error("RW061", message, part.span, help=help)
                return "", None
            return "outline", outline
        case word, None if part.name is None:
            for name, members in WORDS.items():
                if word in members:
                    return name, members[word]
    if part.word in ("outline", *SHORT_TEXTS):
        sink.error("RW060", f"`{part.word}` needs a text", part.span, help=f'write `{part.word} "…"`')
        return "", None
    words = ["around", *(word for members in WORDS.values() for word in members)]
    help = suggest(part.word, words, "see the section on looks in the language reference")
    said = " ".join(filter(None, (part.word, part.name)))
    message = "`around` needs the name of a space" if said == "around" else f"unknown word `{said}` in a look"
    sink.error("RW060", message, part.span, help=help)
    return "", None
