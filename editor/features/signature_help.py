"""Help while a line is written: the parameters of a call, and the form of the item once a line is finished."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.base.records import frozen
from rulewright.editor.project.name_index import NameIndex
from rulewright.editor.texts.symbols import NameKind, Namespace, Symbol
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
    called, active = innermost_call(_TEXT.sub(lambda found: "_" * len(found[0]), text))
    if not called:
        return None
    signatures = tuple(_signatures(index, path, called))
    return SignatureHelp(signatures, active) if signatures else None


def innermost_call(text: str) -> tuple[str, int]:
    """The name before the innermost bracket still open at the end of a text, and the number of commas after it."""
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
        names = [one.name for one in visible.declarations if one.namespace is Namespace.PARAMETER and one.owner == name]
        types = parameter_types(game, name) if game is not None else {}
        parameters = tuple(f"{one}: {types[one]}" if one in types else one for one in names)
        yield Signature(f"{name}({', '.join(parameters)})", parameters)
