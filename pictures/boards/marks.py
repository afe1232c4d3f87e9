"""Marks: everything on a cell besides its tile, with its drawing and its name."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Drawing
from rulewright.grammar.tree.modules import Visibility
from rulewright.rules.model import types
from rulewright.rules.model.game import Definition, TileKind, Variable
from rulewright.rules.play.cell_contents import LyingPiece, Piece, ValueOfCell
from rulewright.rules.play.engine import Engine, State, describe_value
from rulewright.rules.spaces.window import Window

from ..look import Look, Looks
from ..shapes import DRAWINGS, scaled
from .cell_shapes import Point, bearing


@frozen
class Mark:
    """Something on a cell besides its tile."""

    look: Look
    title: str
    label: str = ""
    spot: Point | None = None
    bar: tuple[Point, Point] | None = None
    """For a true value of an edge: a bar from end to end."""
    is_frame: bool = False
    """Drawn around the cell, not on it."""


@frozen
class MarkMaker:
    """Makes the marks of the cells of a window."""

    engine: Engine
    looks: Looks
    window: Window

    def of_content(self, content: ValueOfCell | Piece | LyingPiece, state: State) -> Mark:
        match content:
            case LyingPiece(kind, owner):
                return self._lying_mark(self.engine.game.tiles[kind - 1], owner)
            case Piece(variable, index):
                return self._piece_mark(variable, index, state)
            case ValueOfCell(variable, value):
                return self._value_mark(variable, value)

    def _piece_mark(self, variable: Variable, index: int | None, state: State) -> Mark:
        """A piece at the place its variable gives, in the colour and drawing of its player, if any."""
        look = self.looks.variable(variable.name)
        if variable.index is None or index is None:
            return Mark(look, variable.name)
        if isinstance(variable.index, types.Player):
            player = self.looks.player(index)
            colour = player.colour if self.engine.instance.players > 1 else look.colour
            label = str(index) if self.engine.instance.players > 1 else ""
            shape = look.data if self.looks.draws(variable.name) else player.data
            return Mark(Look(colour, self._kind_of_player(index, state) or shape), f"{variable.name} of {index}", label)
        name = describe_value(self.engine, variable.index, index)
        if isinstance(variable.index, types.Enumeration):
            look = self._look_of_member(variable, self.looks.member(index, name), name)
            return Mark(look, f"{variable.name} of {name}", "" if name in self.looks.said else name[:2])
        return Mark(look, f"{variable.name} of {name}", name[:2])

    def _kind_of_player(self, player: int, state: State) -> str:
        """The drawing set for a publicly visible enum value of a player: a captain's kind of ship, say."""
        for column in self.engine.layout.columns.values():
            variable = column.variable
            is_of_players = variable.index == types.Player() and variable.visibility is Visibility.OPEN
            if is_of_players and isinstance(variable.type, types.Enumeration):
                value = state[column.start + player - column.offset]
                name = self.engine.game.enumerations[variable.type.name][value]
                if self.looks.draws(name):
                    return self.looks.member(value, name).data
        return ""

    def _look_of_member(self, variable: Variable, member: Look, name: str) -> Look:
        """The drawing of the variable in the colour of the member; if only one has a look, that look."""
        said = self.looks.variable(variable.name)
        colour = said.colour if variable.name in self.looks.said and name not in self.looks.said else member.colour
        return Look(colour, said.data if self.looks.draws(variable.name) else member.data)

    def _lying_mark(self, kind: TileKind, owner: int) -> Mark:
        """A cell of a piece on the board, in the colour of its owner, if any."""
        look = self.looks.tile(kind.name, kind.group)
        label = "" if self.looks.draws(kind.name) or self.looks.draws(kind.group) else kind.name[:3]
        if not owner:
            return Mark(look, kind.name, label)
        return Mark(Look(self.looks.player(owner).colour, look.data), f"{kind.name} of {owner}", label)

    def _value_mark(self, variable: Variable, value: int) -> Mark:
        """The mark of a cell's value in a variable over cells."""
        look = self.looks.variable(variable.name)
        match variable.type:
            case types.Truth():
                return Mark(look, variable.name)
            case types.Enumeration(name):
                member = self.engine.game.enumerations[name][value]
                return Mark(self.looks.member(value, member), member)
            case types.Number():
                return Mark(Look(look.colour, look.data), f"{variable.name} {value}", str(value))
            case types.Player():
                disc = Look(self.looks.player(value).colour, DRAWINGS[Drawing.DISC])
                return Mark(disc, f"{variable.name} {value}", str(value))
            case other:
                told = describe_value(self.engine, other, value)
                return self._pointing(variable, value, told) or Mark(look, told, told[:3])

    def _pointing(self, variable: Variable, value: int, told: str) -> Mark | None:
        """A direction as an arrow, or as the rotated drawing of its look; None if it has no bearing."""
        directions, look = self.window.directions, self.looks.variable(variable.name)
        if not isinstance(variable.type, types.Direction) or not 0 <= value < len(directions):
            return None
        turned = bearing(self.window.shape, directions[value])
        drawing = look.data if look.data and self.looks.draws(variable.name) else DRAWINGS[Drawing.ARROW]
        return None if turned is None else Mark(Look(look.colour, scaled(drawing, 1.0, turned)), f"{variable.name} {told}")

    def of_definition(self, definition: Definition, is_flat: bool) -> Mark:
        """The mark of a definition that holds for a cell: a frame, on a flat board without a drawing for it."""
        look = self.looks.definition(definition.name)
        return Mark(look, definition.name, is_frame=is_flat and not self.looks.draws(definition.name))
