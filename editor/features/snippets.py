"""Snippets for items, lines and entries, with placeholders: `${1:name}`, and `$0` for the final cursor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from rulewright.base.records import frozen
from rulewright.grammar.parsing.line_kinds import LineKind


@frozen
class Snippet:
    """A text offered for the word it begins with; `about` describes it."""

    word: str
    about: str
    body: str


@cache
def snippets() -> Mapping[LineKind, Sequence[Snippet]]:
    """The snippets by the kind of line they start, from `snippets.txt`, where a heading names the kind, the word and what it is
    about."""
    found: dict[LineKind, list[Snippet]] = {}
    for text in Path(__file__).with_name("snippets.txt").read_text("utf-8").split("== ")[1:]:
        heading, body = text.removesuffix("\n").split("\n", maxsplit=1)
        kind, word, about = heading.split(" | ")
        found.setdefault(LineKind[kind.upper()], []).append(Snippet(word, about, body))
    return found
