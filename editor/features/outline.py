"""The outline of a text: its items, and within them their clauses; and every item of a project by name."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex, Place
from rulewright.editor.texts.symbols import NameKind, TextNames
from rulewright.grammar.readings import Reading

LEFT_OUT = {NameKind.LOCAL, NameKind.PARAMETER, NameKind.ROLE, NameKind.NODE}
"""Kinds of names left out of the outline."""

NAMELESS = ("players", "flow", "rank", "winner", "state")
"""Keywords of items without a name, shown by the keyword."""

CHANGE = "change"
"""The keyword of items that name another item: both words are shown."""

MOST_FOUND = 500
"""The maximum number of names that a search returns."""


@frozen
class OutlineEntry:
    """An entry: its name and kind, the span of its name, its whole span, and its children."""

    name: str
    kind: NameKind
    span: Span
    whole: Span
    inside: tuple[OutlineEntry, ...] = ()


def outline_of(reading: Reading, names: TextNames) -> tuple[OutlineEntry, ...]:
    """The entries of a text, each nested by indentation."""
    entries = [
        OutlineEntry(one.name, one.declares, one.span, one.whole)
        for one in names.occurrences
        if one.declares is not None and one.declares not in LEFT_OUT and one.whole is not None
    ]
    entries += _nameless(reading)
    return tuple(_nested(sorted(entries, key=lambda entry: (_start(entry.whole), _backwards(entry.whole)))))


def _nameless(reading: Reading) -> Iterator[OutlineEntry]:
    for line in reading.roots:
        head = reading.source.code[line.start : line.end].partition(":")[0].rstrip()
        word = head.partition(" ")[0]
        if word == CHANGE or word in NAMELESS:
            shown = head if word == CHANGE else word
            span = reading.source.span(line.start, line.start + len(shown))
            yield OutlineEntry(shown, NameKind.POINT, span, reading.source.span(line.start, line.last))


def _nested(entries: list[OutlineEntry]) -> Iterator[OutlineEntry]:
    while entries:
        first = entries.pop(0)
        inside: list[OutlineEntry] = []
        while entries and _end(entries[0].whole) <= _end(first.whole) and first.whole != entries[0].whole:
            inside.append(entries.pop(0))
        yield evolve(first, inside=tuple(_nested(inside)))


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _backwards(span: Span) -> tuple[int, int]:
    return -span.end_line, -span.end_column


def items_named(index: NameIndex, query: str) -> list[tuple[Place, NameKind]]:
    """The declarations in a project's own texts whose names contain the letters of a query in order."""
    found: list[tuple[Place, NameKind]] = []
    for path in index.workspace.own():
        for one in index.names_or_none(path):
            if one.declares is not None and one.declares not in LEFT_OUT and _fits(query.lower(), one.name.lower()):
                found.append((Place(path, one), one.declares))
    found.sort(key=lambda pair: (query.lower() not in pair[0].occurrence.name.lower(), pair[0].occurrence.name))
    return found[:MOST_FOUND]


def _fits(query: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query)
