"""Semantic tokens: what each name of a text stands for, which only the project knows."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.texts.symbols import NameKind, Namespace, Occurrence
from rulewright.rules.linking.functions.meanings import FUNCTION_FORMS


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
