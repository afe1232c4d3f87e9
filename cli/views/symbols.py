"""One letter for each terrain, marker and piece of a game, and the legend that tells them."""

from __future__ import annotations

import string

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.puzzles.notation.write_drawings import player_piece
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Storage, Variable

from .styled_text import Line, Style, Styled, line

TERRAIN_STYLES = (Style.BLUE, Style.GREEN, Style.YELLOW, Style.MAGENTA, Style.CYAN, Style.RED)
BASE = "·"
"""The first terrain: what a tile shows where nothing else is said."""
PIECE = "@"
"""What puzzles draw as `@1`."""


@frozen
class Symbol:
    """A letter with the name that the legend gives it."""

    letter: str
    name: str
    style: Style = Style.PLAIN

    @property
    def styled(self) -> Styled:
        return Styled(self.letter, self.style)


@define
class Symbols:
    """The symbols of a game. Those asked for through the methods are remembered for the legend."""

    terrains: tuple[Symbol, ...]
    markers: tuple[Symbol, ...]
    variables: dict[str, Symbol]
    members: dict[tuple[str, int], Symbol]
    has_ports: bool = False
    _used: dict[Symbol, None] = field(factory=dict, init=False)

    @classmethod
    def of(cls, game: Game) -> Symbols:
        """Letters for a game, each from the name that it stands for where that is free."""
        taken = {BASE, PIECE}

        def letter(name: str, upper: bool) -> str:
            wished = [c.upper() if upper else c.lower() for c in name if c.isalpha()]
            spare = string.ascii_letters + string.digits
            chosen = next((c for c in (*wished, *(c.swapcase() for c in wished), *spare) if c not in taken), "?")
            taken.add(chosen)
            return chosen

        def terrain(number: int, name: str) -> Symbol:
            style = TERRAIN_STYLES[number % len(TERRAIN_STYLES)]
            return Symbol(BASE if number == 0 else letter(name, True), name, style)

        terrains = tuple(terrain(n, name) for n, name in enumerate(game.enumerations.get("terrain", ())))
        markers = tuple(Symbol(letter(name, False), name, Style.WARNING) for name in game.enumerations.get("marker", ()))
        drawn = {player_piece(game, space) for space in game.spaces}
        variables: dict[str, Symbol] = {}
        members: dict[tuple[str, int], Symbol] = {}
        for variable in game.variables.values():
            if _stands_on_a_cell(variable):
                mark = PIECE if variable.name in drawn else letter(variable.name, True)
                variables[variable.name] = Symbol(mark, variable.name, Style.PIECE)
            elif isinstance(variable.index, types.Cell) and not variable.is_board and not variable.is_turn:
                match variable.type:
                    case types.Enumeration(name):
                        for value, member in enumerate(game.enumerations[name]):
                            if (name, value) not in members:
                                members[name, value] = Symbol(letter(member, True), member, Style.STRONG)
                    case _:
                        variables[variable.name] = Symbol(letter(variable.name, False), variable.name, Style.STRONG)
        return cls(terrains, markers, variables, members, any(space.per_side for space in game.spaces.values()))

    @property
    def tell_tiles_apart(self) -> bool:
        """Whether pictures of tiles say more than their names: there is no room in them for single ports."""
        return len(self.terrains) > 1 and not self.has_ports

    def terrain(self, number: int) -> Symbol:
        return self._note(self.terrains[number]) if 0 <= number < len(self.terrains) else Symbol(" ", "")

    def marker(self, number: int) -> Symbol:
        return self._note(self.markers[number])

    def variable(self, name: str) -> Symbol:
        return self._note(self.variables[name])

    def member(self, enumeration: str, value: int) -> Symbol:
        return self._note(self.members[enumeration, value])

    def legend(self) -> list[Line]:
        """What the symbols drawn so far mean, in the order of the game; nothing when there are none."""
        every = (*self.terrains, *self.markers, *self.variables.values(), *self.members.values())
        shown = [symbol for symbol in every if symbol in self._used]
        if not shown:
            return []
        parts: list[str | Styled] = []
        for symbol in shown:
            parts += ["   " if parts else "", symbol.styled, f" {symbol.name}"]
        return [line(*parts)]

    def _note(self, symbol: Symbol) -> Symbol:
        self._used[symbol] = None
        return symbol


def _stands_on_a_cell(variable: Variable) -> bool:
    """Whether a variable says where a piece stands: `ship of player: cell of sea`."""
    return (
        isinstance(variable.type, types.Cell)
        and variable.storage is Storage.VALUE
        and not isinstance(variable.index, types.Cell)
        and not variable.is_loop
    )
