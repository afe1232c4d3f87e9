"""Help while a line is written: the parameters of a call, and the form of the item once a line is finished."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.project.workspace import PUZZLE, Workspace
from rulewright.editor.texts.symbols import NameKind, Namespace, Symbol
from rulewright.grammar.formatter import FormattingError, format_text
from rulewright.rules.linking.functions.call import FUNCTION_FORMS

from .hover import parameter_types

_CALLED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*$")
_TEXT = re.compile(r'"[^"\n]*"?')
FARTHEST = 2000
"""In characters: how far before the place the call may begin."""


@frozen
class Signature:
    """A way to call something: `parameters` are as written in `label`; `about` describes the value."""

    label: str
    parameters: tuple[str, ...]
    about: str = ""


@frozen
class SignatureHelp:
    """The signatures of a call, and the index of the current parameter, from 0."""

    signatures: tuple[Signature, ...]
    active: int


def signature_help(index: NameIndex, path: Path, offset: int) -> SignatureHelp | None:
    """The signatures of the innermost call around an offset of a text."""
    text = index.workspace.reading(path).source.code[max(0, offset - FARTHEST) : offset]
    called, active = _innermost_call(_TEXT.sub(lambda found: "_" * len(found[0]), text))
    if not called:
        return None
    signatures = tuple(_signatures(index, path, called))
    return SignatureHelp(signatures, active) if signatures else None


def _innermost_call(text: str) -> tuple[str, int]:
    """The name before the innermost bracket still open at the end, and the number of commas after it."""
    depth, commas = 0, 0
    for at in range(len(text) - 1, -1, -1):
        letter = text[at]
        if letter in ")}]":
            depth += 1
        elif letter in "({[":
            if depth == 0:
                found = _CALLED.search(text, 0, at) if letter == "(" else None
                return (found[1], commas) if found else ("", 0)
            depth -= 1
        elif letter == "," and depth == 0:
            commas += 1
    return "", 0


def _signatures(index: NameIndex, path: Path, name: str) -> Iterator[Signature]:
    for form in FUNCTION_FORMS.get(name, ()):
        parameters = tuple(part.strip() for part in form.call.partition("(")[2].rstrip(")").split(","))
        yield Signature(f"{form.call}: {form.result}", parameters, form.meaning)
    visible = index.visible(path)
    game = index.workspace.game_around(path)
    for namespace in (Namespace.VALUE, Namespace.FLOW):
        meaning = visible.find(Symbol(namespace, name))
        if meaning is None or meaning.kind not in (NameKind.DEFINITION, NameKind.RULE, NameKind.PROCEDURE, NameKind.NEED):
            continue
        names = [symbol.name for symbol in visible.declarations if _is_parameter(symbol, name)]
        types = parameter_types(game, name) if game is not None else {}
        parameters = tuple(f"{one}: {types[one]}" if one in types else one for one in names)
        yield Signature(f"{name}({', '.join(parameters)})", parameters)


def _is_parameter(symbol: Symbol, item: str) -> bool:
    return symbol.namespace is Namespace.PARAMETER and symbol.owner == item


# Formatting on type ---------------------------------------------------------------------------------------------------


HEAD = "module scratch:\n\n"
"""The header above an item that is formatted by itself."""


def format_above(workspace: Workspace, path: Path, line: int) -> list[tuple[Span, str]]:
    """The edits that format the item above a newly started line; nothing from that line on changes.

    Empty if the item cannot be read yet, since its layout is then unknown.
    """
    lines = workspace.text(path).split("\n")
    if not 1 < line <= len(lines) or lines[line - 1].strip():
        return []
    first, last = _item_around(lines, line)
    head = "" if path.suffix == PUZZLE or lines[first - 1].startswith("module ") else HEAD
    rows = lines[first - 1 : line - 1] + lines[line:last]
    while rows[1:] and (rows[-1].startswith("#") or not rows[-1].strip()):
        rows.pop()  # comments above the next item
    text = "\n".join(rows)
    try:
        formatted = format_text(f"{head}{text}\n", str(path), workspace.limits)
    except (RulesError, FormattingError):
        return []
    before, after = text.split("\n"), formatted.removeprefix(head).rstrip("\n").split("\n")
    finished = line - first
    edits = []
    for kind, begin, end, new_begin, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal" and end <= finished:
            place = Span(str(path), first + begin, 1, first + end, 1)
            edits.append((place, "".join(f"{row}\n" for row in after[new_begin:new_end])))
    return edits


def _item_around(lines: list[str], line: int) -> tuple[int, int]:
    """The first and last line of the unindented item around a line, with its block."""
    first = line - 1
    while first > 1 and not _begins(lines[first - 1]):
        first -= 1
    last = line
    while last < len(lines) and not _begins(lines[last]):
        last += 1
    return first, last


def _begins(line: str) -> bool:
    return bool(line) and not line[0].isspace() and line[0] != "#"
