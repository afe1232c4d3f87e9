"""Quick fixes for diagnostics: the nearest name, a module that declares a missing name, a restored clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.records import field, frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.texts.symbols import OF_ITEMS, NameKind, Symbol
from rulewright.grammar.explain import titles
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle

_SUGGESTED = re.compile(r"did you mean `([^`]+)`\?")
_QUOTED = re.compile(r"`([^`]+)`")
_WRITE = re.compile(r"\bwrite `([^`…]+)`(?:$| for| to| and)")
_DROP = re.compile(r"^\s*(?:change [^:]+:\s*)?drop\b")

MOST_MODULES = 4
"""The maximum number of modules offered for one missing name."""

UNKNOWN = frozenset({"RW103", "RW110", "RW111", "RW112", "RW125", "RW126", "RW176"})
"""Codes whose messages quote an undeclared name."""


@frozen
class QuickFix:
    """An offer: a title, the edits that it makes, and the diagnostic that it is about. `explains` is a code to explain."""

    title: str
    edits: Mapping[Path, Sequence[tuple[Span, str]]] = field(factory=dict)
    about: Diagnostic | None = None
    explains: str = ""
    is_preferred: bool = False


def quick_fixes(index: NameIndex, path: Path, diagnostics: Sequence[Diagnostic], first: int, last: int) -> list[QuickFix]:
    """The quick fixes for some lines of a text with these diagnostics."""
    found: list[QuickFix] = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span is not None and span.line <= last and first <= span.end_line:
            found += _for_diagnostic(index, path, diagnostic, span)
    found += _restored(index, path, first, last)
    return found


def _for_diagnostic(index: NameIndex, path: Path, diagnostic: Diagnostic, span: Span) -> Iterator[QuickFix]:
    lines = index.workspace.text(path).split("\n")
    if span.source == str(path):
        if suggested := _SUGGESTED.search(diagnostic.help):
            yield from _renamed(path, lines, diagnostic, span, suggested[1])
        elif span.line == span.end_line and (written := _WRITE.search(diagnostic.help)):
            yield QuickFix(f"Write `{written[1]}`", {path: [(span, written[1])]}, diagnostic)
        if diagnostic.code == "RW001":
            yield QuickFix("Indent with spaces", {path: list(_without_tabs(path, lines))}, diagnostic, is_preferred=True)
        yield from _extended(index, path, diagnostic)
    for label in diagnostic.labels[1:]:
        if label.text == "dropped here":
            yield from _undropped(index, Path(label.span.source), label.span.line, diagnostic)
    if diagnostic.code in titles():
        yield QuickFix(f"Explain {diagnostic.code}: {titles()[diagnostic.code]}", about=diagnostic, explains=diagnostic.code)


def _renamed(path: Path, lines: list[str], diagnostic: Diagnostic, span: Span, name: str) -> Iterator[QuickFix]:
    """Replace the misspelt word, which the message quotes, within the diagnostic's span."""
    wrong = _QUOTED.search(diagnostic.message)
    text = lines[span.line - 1]
    end = span.end_column - 1 if span.end_line == span.line else len(text)
    if wrong is None or (at := text.find(wrong[1], span.column - 1, end)) < 0:
        return
    place = Span(str(path), span.line, at + 1, span.line, at + 1 + len(wrong[1]))
    yield QuickFix(f"Change to `{name}`", {path: [(place, name)]}, diagnostic, is_preferred=True)


def _without_tabs(path: Path, lines: list[str]) -> Iterator[tuple[Span, str]]:
    for number, line in enumerate(lines, 1):
        for found in re.finditer(r"\t", line):
            yield Span(str(path), number, found.start() + 1, number, found.end() + 1), "    "


# Modules --------------------------------------------------------------------------------------------------------------


def _extended(index: NameIndex, path: Path, diagnostic: Diagnostic) -> Iterator[QuickFix]:
    """Modules that declare a missing name, to extend or to add to a puzzle's rules."""
    missing = _QUOTED.search(diagnostic.message)
    if diagnostic.code not in UNKNOWN or missing is None:
        return
    symbols = {Symbol(namespace, missing[1]) for namespace in OF_ITEMS}
    seen = set(index.workspace.closure((path,)).readings)
    offered = 0
    for name, file in index.workspace.modules().items():
        if file in seen or offered == MOST_MODULES:
            continue
        declared = [one for one in index.names_or_none(file) if one.declares is not None and one.may_be[0] in symbols]
        if any(one.declares is not NameKind.NEED for one in declared) and (edit := extending_edit(index, path, name)):
            offered += 1
            yield QuickFix(f"Extend `{name}`, which declares `{missing[1]}`", {path: [edit]}, diagnostic)


def extending_edit(index: NameIndex, path: Path, name: str) -> tuple[Span, str] | None:
    """The edit that makes a module extend one more, or adds one to a puzzle's rules."""
    match index.workspace.reading(path).tree:
        case Module(header):
            if header.extends:
                return _behind(header.extends[-1][1]), f", {name}"
            head = header.span
            first = Span(str(path), head.line + 1, 1, head.line + 1, 1)
            return first, f"    extends {name}\n"
        case Puzzle() as puzzle if puzzle.rules:
            return _behind(puzzle.rules[-1][1]), f" + {name}"
        case _:
            return None


def _behind(span: Span) -> Span:
    return Span(span.source, span.end_line, span.end_column, span.end_line, span.end_column)


# Clauses --------------------------------------------------------------------------------------------------------------


def _restored(index: NameIndex, path: Path, first: int, last: int) -> Iterator[QuickFix]:
    """Restore what lines drop."""
    lines = index.workspace.text(path).split("\n")
    for number in range(first, min(last, len(lines)) + 1):
        if _DROP.match(lines[number - 1]):
            yield from _undropped(index, path, number, None)


def _undropped(index: NameIndex, path: Path, number: int, about: Diagnostic | None) -> Iterator[QuickFix]:
    """Remove the line that drops something, and the head of a change left empty."""
    if not index.workspace.is_own(path):
        return
    lines = index.workspace.text(path).split("\n")
    if number > len(lines) or not _DROP.match(lines[number - 1]):
        return
    begin = number
    if lines[number - 1].startswith(" ") and _is_alone(lines, number):
        begin = number - 1
    span = Span(str(path), begin, 1, number + 1, 1)
    what = lines[number - 1].split("#")[0].partition("drop")[2].strip()
    yield QuickFix(f"Restore `{what}`", {path: [(span, "")]}, about)


def _is_alone(lines: list[str], number: int) -> bool:
    """Whether a line is the only one below the head of its change."""
    above, below = lines[number - 2], lines[number] if number < len(lines) else ""
    return above.startswith("change ") and not below.startswith(" ")
