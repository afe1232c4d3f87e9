"""Checks a file: its text, linking, the rules as a whole, the position of a puzzle.

A check is a generator that yields between stages, so that its caller can handle other requests first or drop it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.readings import Reading
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.studies.rule_checks import OverlapSearch, check_rules

from .workspace import Closure, Linked, Workspace

Diagnostics = tuple[Diagnostic, ...]
Check = Generator[None, None, Diagnostics]
"""Yields between its stages, and returns the diagnostics."""

MOST_ELSEWHERE = 3
"""The maximum number of errors of another file shown where a file names it."""

MOST_POSITIONS = 2000
"""The maximum number of lines of play counted during editing."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"`([^`]*)`")


def check_file(workspace: Workspace, path: Path) -> Check:
    """The diagnostics of a file in its current version, all with places in that file.

    The result is cached until a text that the file depends on changes its content.
    """
    reading = workspace.reading(path)
    yield
    closure = workspace.closure((path,))
    kept = workspace.checked.get(path)
    if kept is not None and kept[0].says_what(closure):
        return kept[1]
    found = list(reading.diagnostics)
    match reading.tree:
        case Module() as module:
            found += yield from _check_module(workspace, path, module)
        case Puzzle() as puzzle:
            found += yield from _check_puzzle(workspace, path, puzzle, reading)
    diagnostics = tuple(dict.fromkeys(found))
    workspace.checked[path] = closure, diagnostics
    return diagnostics


def checked(workspace: Workspace, path: Path) -> Diagnostics:
    """The diagnostics of a file, at once. Raises `RulesError` as its stages do."""
    check = check_file(workspace, path)
    try:
        while True:
            next(check)
    except StopIteration as end:
        found: Diagnostics = end.value
        return found


# Modules --------------------------------------------------------------------------------------------------------------


def _check_module(workspace: Workspace, path: Path, module: Module) -> Check:
    project = workspace.project(workspace.closure((path,)))
    try:
        project.refuse_a_shipped_name(path, module, workspace.text(path))
    except RulesError as error:
        return error.diagnostics
    linked = workspace.link((path,))
    yield
    try:
        if linked.closure.is_whole:
            findings = check_rules(linked.load, lambda: project.load_part(path), OverlapSearch.NONE)
            return _placed(findings.diagnostics, path, _place_of_name(module), linked.closure)
        linked.load()
    except RulesError as error:
        return _placed(_first_hand(error.diagnostics, linked.closure), path, _place_of_name(module), linked.closure)
    return ()


def _place_of_name(module: Module) -> Span:
    """Where errors of other files are shown: at the first name after `extends`, else at the head."""
    return next((span for _, span in module.header.extends), module.header.span)


# Puzzles --------------------------------------------------------------------------------------------------------------


def _check_puzzle(workspace: Workspace, path: Path, puzzle: Puzzle, reading: Reading) -> Check:
    texts = workspace.texts
    try:
        roots = [texts.find(name, span, path.parent) for name, span in puzzle.rules]
    except RulesError as error:
        return error.diagnostics
    if not reading.is_whole:
        return ()
    linked = workspace.link(roots)
    yield
    place = puzzle.rules[0][1]
    try:
        linked.load()
        return (yield from _check_position(puzzle, linked))
    except RulesError as error:
        wanted = error.diagnostics if linked.game is not None else _first_hand(error.diagnostics, linked.closure)
        return _placed(wanted, path, place, linked.closure)


def _check_position(puzzle: Puzzle, linked: Linked) -> Check:
    from rulewright.puzzles.checks import warnings_of
    from rulewright.puzzles.from_tree import set_up_position
    from rulewright.studies.verdicts import check_verdicts

    position = set_up_position(puzzle, linked.load())
    yield
    few = puzzle.positions is None or max(puzzle.positions.counts) <= MOST_POSITIONS
    check_verdicts(position if few else evolve(position, puzzle=evolve(puzzle, positions=None)))
    return warnings_of(position)


# Places ---------------------------------------------------------------------------------------------------------------


def _placed(diagnostics: Iterable[Diagnostic], path: Path, place: Span, closure: Closure) -> Diagnostics:
    """The diagnostics of a file itself; errors elsewhere in its closure that stop the file are reported at one place."""
    own, elsewhere = [], []
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span is None or span.source == str(path):
            own.append(diagnostic if span else evolve(diagnostic, labels=(Label(place),)))
        elif not diagnostic.warning:
            elsewhere.append(_said_here(diagnostic, span, place))
    return (*own, *elsewhere[:MOST_ELSEWHERE])


def _said_here(diagnostic: Diagnostic, span: Span, place: Span) -> Diagnostic:
    message = f"{diagnostic.message} (in {Path(span.source).name}, line {span.line})"
    return evolve(diagnostic, message=message, labels=(Label(place), *diagnostic.labels))


# Consequences ---------------------------------------------------------------------------------------------------------


def _first_hand(diagnostics: Diagnostics, closure: Closure) -> Diagnostics:
    """Errors that are not consequences of unreadable lines: those whose names such lines do not mention."""
    lost = set().union(*map(_unread_words, closure.readings.values())) if not closure.is_whole else set()
    if not lost:
        return diagnostics
    return tuple(diagnostic for diagnostic in diagnostics if not _names_in(diagnostic) & lost)


def _names_in(diagnostic: Diagnostic) -> set[str]:
    quoted = set(_WORD.findall(" ".join(_QUOTED.findall(diagnostic.message))))
    return quoted | {"flow"} if diagnostic.code == "RW130" else quoted


def _unread_words(reading: Reading) -> set[str]:
    """The words of the lines refused or not examined, and of their blocks."""
    if reading.is_whole:
        return set()
    code = reading.source.code
    covered = [(start, read.line.last) for start, read in reading.lines.items() if read.tree is None]
    for diagnostic in reading.diagnostics:
        if (span := diagnostic.span) is not None and not diagnostic.warning:
            starts = reading.source.line_starts
            with suppress(IndexError):
                covered.append((starts[span.line - 1], starts[span.line] if span.line < len(starts) else len(code)))
    return {word for start, end in covered for word in _WORD.findall(code, start, end)}
