"""Looks without effect: for names that are drawn nowhere, and words that say nothing of what they are for."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import Sink, suggest
from rulewright.grammar.tree.looks import Look, SpaceStyle, Standing
from rulewright.grammar.tree.modules import Shape, Visibility
from rulewright.rules.model import game as model
from rulewright.rules.model import types
from rulewright.rules.model.game import Definition, Game
from rulewright.rules.model.traversal import variables_in

LONGEST = 20
"""The greatest number on a track, so that a phone has room for it."""


def check_looks(game: model.Game, sink: Sink) -> None:
    """Warnings: RW280, a look of the requested modules for something never drawn, or for an unknown name; RW281, a word that
    says nothing of such a thing.

    A module that they extend may draw more than a variant keeps, such as players whom a game for one has not.
    """
    drawn, named = drawn_names(game), {*game.variables, *(score.name for score in game.scores)}
    for look in (look for look in game.looks.values() if look.name in game.looks_of_roots):
        appearance = look.appearance
        if look.name in drawn:
            for word, where in _without_effect(game, look):
                sink.warn(
                    "RW281", f"`{word}` has no effect on `{look.name}`", look.span, help=f"delete the word: it is for {where}"
                )
        is_worded = bool(appearance.label or appearance.showing or appearance.standing)
        if look.name not in drawn and not (is_worded and look.name in named):
            help = suggest(
                look.name,
                drawn,
                "a look is for a space, terrain, marker, tile, player, state variable, enum member or open truth of a cell",
            )
            sink.warn("RW280", f"`{look.name}` is never drawn", look.span, help=help)


def _without_effect(game: model.Game, look: Look) -> Iterator[tuple[str, str]]:
    """The words of a look that say nothing of what it is for, and what they are for."""
    appearance, space = look.appearance, game.spaces.get(look.name)
    variable = game.variables.get(look.name)
    if appearance.showing is not None and variable is None:
        yield appearance.showing.value, "state variables and zones"
    match appearance.standing:
        case Standing.EXIT if look.name not in game.definitions and not _is_of_cells(variable):
            yield "exit", "pieces, and definitions and truth values of cells"
        case Standing.BELOW | Standing.STACK as stands if variable is None or not variable.is_zone:
            yield stands.value, "zones"
        case Standing.CARD if all(look.name not in (kind.name, kind.group) for kind in game.tiles):
            yield "card", "tiles"
        case Standing.STOREYS if variable is None or not isinstance(variable.index, types.Cell):
            yield "storeys", "numbers of cells"
        case Standing.TRACK if variable is None or not _has_room(variable):
            yield "track", f"numbers up to {LONGEST}, not of cells"
    if appearance.around and not _lies_around(game, look.name, appearance.around):
        yield f"around {appearance.around}", "rings, around a square grid of a size or an isometric cube grid"
    if appearance.space is None:
        return
    if space is None:
        yield appearance.space.value, "spaces"
    elif appearance.space is SpaceStyle.ISOMETRIC and space.shape is not Shape.CUBE:
        yield appearance.space.value, "cube grids"
    elif appearance.space in (SpaceStyle.POINTS, SpaceStyle.THIRDS, SpaceStyle.FRAMED) and not (
        space.shape is Shape.SQUARE and space.size
    ):
        yield appearance.space.value, "square grids of a size"


def _is_of_cells(variable: model.Variable | None) -> bool:
    return variable is not None and types.Cell in (type(variable.type), type(variable.index))


def _has_room(variable: model.Variable) -> bool:
    """Whether a track has room for the values of a variable."""
    is_number = isinstance(variable.type, types.Number) and not isinstance(variable.index, types.Cell)
    return is_number and variable.high <= LONGEST


def _lies_around(game: model.Game, ring: str, other: str) -> bool:
    outer, inner, look = game.spaces.get(ring), game.spaces.get(other), game.looks.get(other)
    is_isometric = look is not None and look.appearance.space is SpaceStyle.ISOMETRIC
    if outer is None or inner is None or outer.shape is not Shape.RING:
        return False
    return bool(inner.size) and (inner.shape is Shape.SQUARE or is_isometric)


def drawn_names(game: model.Game) -> frozenset[str]:
    """The names that a picture of the game can show; players as `player 1`."""
    found = {*game.spaces, *game.enumerations.get("terrain", ()), *game.enumerations.get("marker", ())}
    found |= {name for kind in game.tiles for name in (kind.name, kind.group)}
    for variable in game.variables.values():
        for type in (variable.index, variable.type):
            if isinstance(type, types.Enumeration):
                found |= {*game.members(type)}
        if not variable.is_board and isinstance(variable.type, types.Cell | types.Number | types.Truth | types.Player):
            found.add(variable.name)
    found |= {definition.name for definition in game.definitions.values() if is_drawable(game, definition)}
    return frozenset(found | {f"player {number}" for number in range(1, game.players.high + 1)})


def drawn_definitions(game: Game) -> tuple[Definition, ...]:
    """The definitions with a look that can be drawn: true or false for one cell, and read from public information."""
    said = (definition for name, definition in game.definitions.items() if name in game.looks)
    return tuple(definition for definition in said if is_drawable(game, definition))


def is_drawable(game: Game, definition: Definition) -> bool:
    """Whether a definition is a truth value of a cell and reveals nothing hidden."""
    if definition.type != types.Truth() or [type.__class__ for _, type in definition.parameters] != [types.Cell]:
        return False
    read = variables_in(game.definitions, definition.value, definition.cases)
    return all(game.variables[name].visibility is Visibility.OPEN for name in read if name in game.variables)
