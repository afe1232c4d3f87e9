"""The reach of a change of an item: its users, their users, up to the puzzles; and the inverse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex, Place
from rulewright.editor.texts.symbols import NameKind, Occurrence

INNER = {NameKind.LOCAL, NameKind.PARAMETER, NameKind.ROLE, NameKind.CLAUSE, NameKind.NODE}
"""Kinds of names inside items, which are not items themselves."""

LAST = {NameKind.SCORE, NameKind.INVARIANT, NameKind.WHENEVER, NameKind.POINT}
"""Kinds of items that affect puzzles without being used by another item."""

MOST_PUZZLES = 200
"""Folders with more puzzles are not searched."""


@frozen
class ReachedItem:
    """An item of a text: the span of its name, and the whole span. An item without a name is shown by its first words."""

    path: Path
    name: str
    kind: NameKind
    span: Span
    whole: Span


Reach = Mapping[ReachedItem, tuple[Span, ...]]
"""Items, each with the places of the references between the two."""


def item_at(index: NameIndex, path: Path, line: int, column: int) -> ReachedItem | None:
    """The item whose name, or the name of one of whose parts, is at a place."""
    found, around = index.at(path, line, column), _around(index, path, line)
    if found is None:
        return around if around is not None and around.span.line == line else None
    occurrence, meaning = found
    if occurrence.declares is None and around is not None and around.span == occurrence.span:
        return around  # it begins a change
    declared = meaning.declarations[0]
    return _declared(declared) or _around(index, declared.path, declared.occurrence.span.line)


def reached_from(index: NameIndex, item: ReachedItem) -> Reach:
    """The users of an item in all texts that can be linked with it; for an item that acts by itself, the puzzles."""
    found = index.at(item.path, item.span.line, item.span.column)
    reach: dict[ReachedItem, tuple[Span, ...]] = {}
    if found is not None:
        declared = set(found[1].declarations)
        for place in index.uses(found[1]):
            user = _around(index, place.path, place.occurrence.span.line) if place not in declared else None
            if user is not None:
                reach[user] = (*reach.get(user, ()), place.occurrence.span)
    if item.kind in LAST:
        reach |= {puzzle: (puzzle.span,) for puzzle in _puzzles_with(index, item.path)}
    return reach


def reached_by(index: NameIndex, item: ReachedItem) -> Reach:
    """The items that an item uses."""
    reach: dict[ReachedItem, tuple[Span, ...]] = {}
    for one in index.names(item.path).occurrences:
        if not item.whole.line <= one.span.line <= item.whole.end_line or one.declares is not None:
            continue
        meaning = index.meaning(item.path, one)
        used = _declared(meaning.declarations[0]) if meaning is not None else None
        if used is not None and used != item and used.kind is not NameKind.MODULE:
            reach[used] = (*reach.get(used, ()), one.span)
    return reach


def _declared(place: Place) -> ReachedItem | None:
    """The item that a place declares, if it declares one."""
    one = place.occurrence
    if one.declares is None or one.declares in INNER:
        return None
    return ReachedItem(place.path, one.name, one.declares, one.span, one.whole or one.span)


def _around(index: NameIndex, path: Path, line: int) -> ReachedItem | None:
    """The item of a text that contains a line, by the name that its first line declares or changes."""
    with suppress(OSError, RulesError):
        reading = index.workspace.reading(path)
        for root in reading.roots:
            whole = reading.source.span(root.start, root.last)
            if whole.line <= line <= whole.end_line:
                head = reading.source.span(root.start, root.end)
                return _headed(path, reading.source.code[root.start : root.end], head, whole, index.names(path).occurrences)
    return None


def _headed(path: Path, text: str, head: Span, whole: Span, names: Iterable[Occurrence]) -> ReachedItem:
    here = [one for one in names if (head.line, head.column) <= (one.span.line, one.span.column) and _ends_in(one.span, head)]
    for one in here:
        if one.declares is not None and one.declares not in INNER:
            return ReachedItem(path, one.name, one.declares, one.span, whole)
    word = text.split(maxsplit=1)[0].rstrip(":") if text.split() else ""
    if word in ("change", "drop") and here:
        return ReachedItem(path, f"{word} {here[0].name}", NameKind.CLAUSE, here[0].span, whole)
    span = Span(head.source, head.line, head.column, head.line, head.column + len(word))
    return ReachedItem(path, word, NameKind.POINT, span, whole)


def _ends_in(span: Span, head: Span) -> bool:
    return (span.end_line, span.end_column) <= (head.end_line, head.end_column)


def _puzzles_with(index: NameIndex, path: Path) -> Iterator[ReachedItem]:
    """The puzzles of the folder whose rules include a module."""
    puzzles = index.workspace.puzzles()
    for puzzle in puzzles if len(puzzles) <= MOST_PUZZLES else ():
        with suppress(OSError, RulesError):
            if path in index.workspace.closure((puzzle,)).readings and (item := _around(index, puzzle, 1)) is not None:
                yield item
