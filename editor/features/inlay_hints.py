"""Inferred types as inlay hints: of parameters without a domain, and of the values of definitions."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.records import frozen
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.texts.symbols import NameKind

from .hover import parameter_types


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
