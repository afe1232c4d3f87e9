"""The definitions that have a look: properties of cells, drawn where they hold."""

from __future__ import annotations

from rulewright.grammar.tree.modules import Visibility

from . import types
from .game import Definition, Game
from .traversal import variables_in


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
