"""What an editor shows of a text by itself: its outline, what folds, what each name stands for, and inferred types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex, Place
from rulewright.editor.texts.symbols import NameKind, Namespace, Occurrence, TextNames
from rulewright.grammar.parsing.lines import LogicalLine
from rulewright.grammar.readings import Reading
from rulewright.rules.linking.functions.call import FUNCTION_FORMS

from .hover import parameter_types

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
    return tuple(_nested(sorted(entries, key=_outermost_first)))


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


def _outermost_first(entry: OutlineEntry) -> tuple[int, ...]:
    return entry.whole.line, entry.whole.column, -entry.whole.end_line, -entry.whole.end_column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


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


# Folding --------------------------------------------------------------------------------------------------------------


def folds(reading: Reading) -> list[tuple[int, int, bool]]:
    """The first and last line (from 1) of each fold, and whether it is a comment."""
    return sorted({*_blocks(reading, reading.roots), *_comments(reading)})


def _blocks(reading: Reading, lines: Sequence[LogicalLine]) -> Iterator[tuple[int, int, bool]]:
    for line in lines:
        first, last = reading.source.position(line.start)[0], reading.source.position(line.last)[0]
        if last > first:
            yield first, last, False
        yield from _blocks(reading, line.block)


def _comments(reading: Reading) -> Iterator[tuple[int, int, bool]]:
    first = last = -1
    for line in [*(comment.line for comment in reading.source.comments if comment.alone), 0]:
        if line != last + 1:
            if last > first:
                yield first, last, True
            first = line
        last = line


# Semantic tokens ------------------------------------------------------------------------------------------------------
# What each name of a text stands for, which only the project knows.


@frozen
class SemanticToken:
    """A name with its type and its modifiers."""

    span: Span
    type: str
    modifiers: tuple[str, ...] = ()


def tokens_of(index: NameIndex, path: Path) -> list[SemanticToken]:
    """The resolved names of a text, in order."""
    found: dict[tuple[int, int], SemanticToken] = {}
    for one in index.names(path).occurrences:
        place = one.span.line, one.span.column
        if place not in found and (token := _token(index, path, one)) is not None:
            found[place] = token
    return [found[place] for place in sorted(found)]


def _token(index: NameIndex, path: Path, one: Occurrence) -> SemanticToken | None:
    declared = ("declaration",) if one.declares is not None else ()
    if one.declares is not None and one.declares is not NameKind.NEED:
        return SemanticToken(one.span, one.declares.token, declared)
    meaning = index.meaning(path, one)
    if meaning is not None:
        fixed = ("readonly",) if meaning.symbol.namespace is Namespace.LOCAL else ()
        return SemanticToken(one.span, meaning.kind.token, declared + fixed)
    if one.name in FUNCTION_FORMS and one.may_be[-1].namespace is Namespace.VALUE:
        return SemanticToken(one.span, "function", ("defaultLibrary",))
    return None


TYPES = (
    *("namespace", "enum", "enumMember", "class", "struct", "property", "variable", "parameter", "function", "method"),
    *("event", "decorator"),
)
"""The token types."""

MODIFIERS = ("declaration", "readonly", "defaultLibrary")
"""The token modifiers."""


# Inlay hints ----------------------------------------------------------------------------------------------------------
# Inferred types as inlay hints: of parameters without a domain, and of the values of definitions.


@frozen
class InlayHint:
    """A text that an editor shows after a place; line and column from 1."""

    line: int
    column: int
    text: str


def inlay_hints(index: NameIndex, path: Path, first: int, last: int) -> list[InlayHint]:
    """The hints of some lines."""
    game = index.workspace.game_around(path)
    if game is None:
        return []
    lines = index.workspace.text(path).split("\n")
    found: list[InlayHint] = []
    for one in index.names(path).occurrences:
        symbol, span = one.may_be[0], one.span
        if one.declares is not NameKind.PARAMETER or not first <= span.line <= last:
            continue
        says_its_domain = lines[span.line - 1][span.end_column - 1 :].lstrip().startswith("in ")
        kind = parameter_types(game, symbol.owner).get(symbol.name)
        if kind and not says_its_domain and symbol.owner in game.definitions:
            found.append(InlayHint(span.line, span.end_column, f": {kind.removeprefix('a ')}"))
    return found
