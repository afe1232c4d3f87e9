"""Renames an entity in every text; refused if some text would link differently afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.editor.project.checks import checked
from rulewright.editor.project.name_index import Meaning, NameIndex, Place
from rulewright.editor.project.workspace import Workspace, is_shipped
from rulewright.editor.texts.symbols import NameKind, Namespace, Occurrence, Symbol
from rulewright.grammar.parsing.node_builder import RESERVED

Edits = Mapping[Path, Sequence[tuple[Span, str]]]
"""Replacements for spans of texts."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
WITH_DOTS = {Namespace.MODULE, Namespace.PUZZLE}
NOT_RENAMED = {Namespace.CITATION, Namespace.CODE}

MOST_PUZZLES = 12
"""The maximum number of puzzles set up to check whether a rename breaks them; the texts of all are read."""


class CannotRename(Exception):
    """The reason why a name cannot be renamed."""


def renamed_span(index: NameIndex, path: Path, line: int, column: int) -> Span | None:
    """The span of the name at a place; None if it cannot be renamed."""
    found = index.at(path, line, column)
    if found is None or found[1].symbol.namespace in NOT_RENAMED:
        return None
    return _renamed_part(*found)


def rename(index: NameIndex, path: Path, line: int, column: int, name: str) -> Edits:
    """The edits that rename the entity at a place. Raises `CannotRename`."""
    found = index.at(path, line, column)
    if found is None or found[1].symbol.namespace in NOT_RENAMED:
        raise CannotRename("there is no name of the project here to rename")
    _, meaning = found
    _require_name(meaning, name)
    places = index.uses(meaning)
    for place in places:
        if is_shipped(place.path) and not index.workspace.is_own(place.path):
            raise CannotRename(f"`{meaning.symbol.name}` is also used in {place.path.name}, which belongs to the library")
    edits: dict[Path, list[tuple[Span, str]]] = {}
    for place in places:
        edits.setdefault(place.path, []).append((_renamed_part(place.occurrence, meaning), name))
    affected = _affected(index, edits)
    if name != meaning.symbol.name:
        _require_new(index, affected, evolve(meaning.symbol, name=name))
    _require_links(index, edits, affected, name)
    return edits


def _renamed_part(occurrence: Occurrence, meaning: Meaning) -> Span:
    """The name itself, without affixes that the language adds."""
    span, length = occurrence.span, len(meaning.symbol.name)
    return evolve(span, end_column=span.column + length)


def _require_name(meaning: Meaning, name: str) -> None:
    dotted = meaning.symbol.namespace in WITH_DOTS
    if not (_DOTTED if dotted else _NAME).fullmatch(name):
        raise CannotRename(f"`{name}` is not a valid name: use letters, digits and `_`, and do not start with a digit")
    if name in RESERVED:
        raise CannotRename(f"`{name}` is a reserved word")


def edited_text(text: str, edits: Sequence[tuple[Span, str]]) -> str:
    """A text with some spans replaced."""
    lines = text.split("\n")
    for span, new in sorted(edits, key=lambda edit: (edit[0].line, edit[0].column), reverse=True):
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + new + line[span.end_column - 1 :]
    return "\n".join(lines)


# What a rename would break -------------------------------------------------------------------------------------------


def _require_new(index: NameIndex, affected: Sequence[Path], symbol: Symbol) -> None:
    """Raise `CannotRename` if another entity that some text sees has the name: no text need be linked to tell."""
    for path in affected:
        found = index.visible(path).find(symbol)
        if found is not None and found.kind is not NameKind.NEED:
            where = found.declarations[0]
            raise CannotRename(f"`{symbol.name}` is already in {where.path.name}, line {where.occurrence.span.line}")


def _require_links(index: NameIndex, edits: Edits, affected: Sequence[Path], name: str) -> None:
    """Raise `CannotRename` if a text has a new error afterwards."""
    before = index.workspace
    texts = {path: edited_text(before.text(path), changed) for path, changed in edits.items()}
    after = before.with_texts(texts)
    for path in affected:
        new = _errors(after, path)
        if new and (told := [error for error in new if error.code not in {one.code for one in _errors(before, path)}]):
            raise CannotRename(f"the name `{name}` would cause an error in {path.name}: {told[0].message}")


def _affected(index: NameIndex, edits: Edits) -> list[Path]:
    """The changed modules, those that extend them, and a few of the puzzles, since setting one up takes long."""
    changed = set(edits)
    rules = [path for paths in index.workspace.found.values() for path in paths if index.workspace.is_own(path)]
    depending = [path for path in rules if changed & set(index.workspace.closure((path,)).readings)]
    depending.sort(key=lambda path: path not in changed)
    puzzles = [path for path in changed if path not in depending]
    return [*depending, *puzzles[:MOST_PUZZLES]]


def _errors(workspace: Workspace, path: Path) -> list[Diagnostic]:
    try:
        return [diagnostic for diagnostic in checked(workspace, path) if not diagnostic.warning]
    except RulesError as error:
        return list(error.diagnostics)


def uses_at(index: NameIndex, path: Path, line: int, column: int, with_declarations: bool) -> tuple[Place, ...]:
    """Every place of the entity named at a place."""
    found = index.at(path, line, column)
    if found is None:
        return ()
    places = index.uses(found[1])
    return tuple(place for place in places if with_declarations or place.occurrence.declares is None)
