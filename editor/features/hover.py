"""Hover: the declaration of the name at a place, its value, its clauses with their modules, its picture."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.editor.project.name_index import Meaning, NameIndex, Place
from rulewright.editor.texts.symbols import NameKind, Namespace, Occurrence
from rulewright.grammar.explain import explanation, titles
from rulewright.rules.clauses.citations import catalogues_for
from rulewright.rules.clauses.clause_text import Clause, clauses_of
from rulewright.rules.linking.functions.call import FUNCTION_FORMS, FunctionForm
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.merging.rulebook import ItemKind
from rulewright.rules.model.game import Game
from rulewright.rules.model.types import describe

MOST_LINES = 14
"""The maximum number of lines shown of a declaration."""

TILE_SIZE = 72.0
"""Pixels."""

WITH_CLAUSES = {
    *(NameKind.DEFINITION, NameKind.ACTION, NameKind.RULE, NameKind.PROCEDURE, NameKind.PATTERN, NameKind.WHENEVER),
    *(NameKind.SCORE, NameKind.INVARIANT, NameKind.PARTITION),
}
"""Kinds of items shown with their clauses after merging all modules."""


CITE_NOTHING = {NameKind.MODULE, NameKind.PUZZLE, NameKind.LOCAL, NameKind.PARAMETER, NameKind.COLUMN, NameKind.ROLE}


@frozen
class Hover:
    """A text in Markdown, about a span."""

    span: Span
    text: str


def hover(index: NameIndex, path: Path, line: int, column: int) -> Hover | None:
    """The hover text for a place."""
    occurrence = index.names(path).at(line, column)
    if occurrence is None:
        return None
    match occurrence.may_be[0].namespace:
        case Namespace.CODE:
            text = page_of_code(occurrence.name)
        case Namespace.CITATION:
            text = _cited(index, path, occurrence.name)
        case _:
            text = _about_name(index, path, occurrence)
    return Hover(occurrence.span, text) if text else None


def page_of_code(code: str) -> str:
    """The page of a code of a diagnostic; empty if there is none."""
    if code not in titles():
        return ""
    found = explanation(code)
    return f"**{code}: {found.title}**\n\n{found.page}"


def _about_name(index: NameIndex, path: Path, occurrence: Occurrence) -> str:
    meaning = index.meaning(path, occurrence)
    if meaning is None:
        return "\n\n".join(map(_function, FUNCTION_FORMS.get(occurrence.name, ())))
    game = index.workspace.game_around(path)
    declared = [f"```rules\n{declaration_text(index, one)}\n```\n*{_where(index, one)}*" for one in meaning.declarations]
    parts = [*declared, _type(meaning, game)]
    if meaning.kind in WITH_CLAUSES:
        parts.append(_clauses(index, path, meaning.symbol.name, _module_of(index, meaning.declarations[0].path)))
    if game is not None and any(place.occurrence.declares is NameKind.TILE for place in meaning.declarations):
        parts.append(picture_of_tile(game, meaning.symbol.name))
    parts += [_cited(index, meaning.declarations[0].path, cite) for cite in _cites(index, meaning)]
    return "\n\n".join(filter(None, parts))


def _function(form: FunctionForm) -> str:
    return f"```rules\n{form.call}: {form.result}\n```\n{form.meaning}"


# Declarations ---------------------------------------------------------------------------------------------------------


def declaration_text(index: NameIndex, place: Place) -> str:
    """The lines of a declaration, at most `MOST_LINES`; of a parameter or local name, its line."""
    whole = place.occurrence.whole or place.occurrence.span
    lines = index.workspace.text(place.path).split("\n")
    first = lines[whole.line - 1]
    if place.occurrence.declares in (NameKind.LOCAL, NameKind.PARAMETER, NameKind.COLUMN, NameKind.ROLE):
        return first.strip()
    margin = len(first) - len(first.lstrip())
    shown = [line[margin:] if not line[:margin].strip() else line for line in lines[whole.line - 1 : whole.end_line]]
    return "\n".join(shown if len(shown) <= MOST_LINES else [*shown[: MOST_LINES - 1], "    …"]).rstrip()


def _where(index: NameIndex, place: Place) -> str:
    module = _module_of(index, place.path)
    kind = (place.occurrence.declares or NameKind.NEED).value
    return f"{kind}, {module or place.path.name}, line {place.occurrence.span.line}"


def _module_of(index: NameIndex, path: Path) -> str:
    return next((one.name for one in index.names(path).occurrences if one.declares is NameKind.MODULE), "")


def _type(meaning: Meaning, game: Game | None) -> str:
    if game is None:
        return ""
    symbol = meaning.symbol
    match symbol.namespace:
        case Namespace.VALUE if symbol.name in game.definitions:
            definition = game.definitions[symbol.name]
            given = ", ".join(f"{name}: {describe(type)}" for name, type in definition.parameters)
            return f"Comes to {describe(definition.type)}" + (f", for {given}." if given else ".")
        case Namespace.VALUE if symbol.name in game.variables:
            variable = game.variables[symbol.name]
            of = f", for {describe(variable.index)}" if variable.index is not None else ""
            return f"Holds {describe(variable.type)}{of}."
        case Namespace.PARAMETER:
            found = parameter_types(game, symbol.owner).get(symbol.name)
            return f"Is {found}." if found else ""
        case _:
            return ""


def parameter_types(game: Game, item: str) -> dict[str, str]:
    """The types of a definition's or action's parameters, in words."""
    if item in game.definitions:
        return {name: describe(type) for name, type in game.definitions[item].parameters}
    if item in game.actions:
        return {parameter.name: describe(parameter.type) for parameter in game.actions[item].parameters}
    return {}


# Clauses --------------------------------------------------------------------------------------------------------------


def merged_clauses(index: NameIndex, path: Path) -> Sequence[Clause]:
    """The clauses of everything a file is linked with, after all changes; empty if the modules do not merge."""
    workspace, roots = index.workspace, index.workspace.roots_of(path)
    with suppress(RulesError):
        if len(roots) == 1:
            combination = workspace.project(workspace.closure(roots)).combine(roots[0])
            return clauses_of(combination.book, combination.family)
    return ()


def _clauses(index: NameIndex, path: Path, name: str, module: str) -> str:
    """The clauses of an item in order, exceptions below their base clauses, each with its module.

    Empty if all of them are as `module` declares them.
    """
    found = [clause for clause in merged_clauses(index, path) if clause.place.key.name == name]
    found = [clause for clause in found if clause.place.path] or found
    if {clause.module for clause in found} <= {module} and not any(clause.cite for clause in found):
        return ""
    rows = []
    for clause in found:
        depth = len(clause.place.path) - 1 if clause.place.key.kind is ItemKind.DEFINE else 0
        cite = f" [{clause.cite}]" if clause.cite else ""
        rows.append(f"{'    ' * depth}{clause.written}  # {clause.module}:{clause.span.line}{cite}")
    return "```rules\n" + "\n".join(rows) + "\n```"


def _cites(index: NameIndex, meaning: Meaning) -> Iterator[str]:
    """The rulebook clauses that a declaration itself cites."""
    for place in meaning.declarations:
        whole = place.occurrence.whole
        if whole is None or place.occurrence.declares in CITE_NOTHING:
            continue
        inside = [one for one in index.names(place.path).occurrences if whole.line <= one.span.line <= whole.end_line]
        cites = [one for one in inside if one.may_be[0].namespace is Namespace.CITATION]
        if place.occurrence.declares is not NameKind.CLAUSE:
            column = min((one.span.column for one in cites), default=0)
            cites = [one for one in cites if one.span.column == column and column <= whole.column + 9]
        yield from (one.name for one in cites[:1])


def _cited(index: NameIndex, path: Path, name: str) -> str:
    """The entry of a clause catalogue beside or above the file; empty if there is none."""
    root = SHIPPED if path.is_relative_to(SHIPPED) else index.workspace.folder
    with suppress(OSError, KeyError):
        entry = catalogues_for(path, root)[name]
        section = f" ({entry.section})" if entry.section else ""
        return f"**{name}**{section}: {entry.statement}"
    return ""


# Pictures -------------------------------------------------------------------------------------------------------------


def picture_of_tile(game: Game, name: str) -> str:
    """A tile as a Markdown image with embedded data; empty if there is no such tile."""
    from rulewright.pictures.boards.cell_shapes import cell_shape
    from rulewright.pictures.boards.tile_picture import TileArtist
    from rulewright.pictures.look import LIGHT, Looks
    from rulewright.pictures.svg import drawing, group, to_text

    kind = next((kind for kind in game.tiles if kind.name == name), None)
    boards = [space for space in game.spaces.values() if space.of_tiles]
    if kind is None or not boards:
        return ""
    side = TILE_SIZE * 1.2
    tile = TileArtist(game, Looks.of(game), LIGHT, cell_shape(boards[0].shape), TILE_SIZE).tile(kind)
    picture = to_text(drawing((side, side), (group((tile,), (side / 2, side / 2)),), name, f"the tile {name}"))
    return f"![{name}](data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()})"
