"""One character for each terrain, marker and piece of a game, and the legend that explains them."""

from __future__ import annotations

import string
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from rulewright.base.records import define, field, frozen
from rulewright.base.styled_text import Line, Style, Styled, columns, escape, line
from rulewright.grammar.tree.looks import Appearance
from rulewright.puzzles.notation.drawings import player_piece
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Storage, TileKind, Variable

TERRAIN_STYLES = (Style.BLUE, Style.GREEN, Style.YELLOW, Style.MAGENTA, Style.CYAN, Style.RED)
BASE = "·"
"""The symbol of the first terrain, which fills the rest of a tile."""
PIECE = "@"
"""The symbol of pieces that puzzles draw as `@1`."""


@frozen
class Symbol:
    """A character with its name in the legend."""

    letter: str
    name: str
    style: Style = Style.PLAIN

    @property
    def styled(self) -> Styled:
        return Styled(self.letter, self.style)


@define
class Symbols:
    """The symbols of a game. Those requested through the methods are recorded for the legend.

    `said` and `glyphs` are the colours and glyphs set by the rules, by name.
    """

    terrains: tuple[Symbol, ...]
    markers: tuple[Symbol, ...]
    variables: dict[str, Symbol]
    members: dict[tuple[str, int], Symbol]
    players: dict[int, Style] = field(factory=dict)
    has_ports: bool = False
    said: Mapping[str, Style] = field(factory=dict)
    glyphs: Mapping[str, str] = field(factory=dict)
    _used: dict[Symbol, None] = field(factory=dict, init=False)
    _names: dict[str, str] = field(factory=dict, init=False)

    @classmethod
    def of(cls, game: Game) -> Symbols:
        """Symbols for a game: the glyph or shape of a look, else a free letter of the name."""
        taken = {BASE, PIECE, *_shared_glyphs(game)}

        def letter(name: str, upper: bool) -> str:
            said = glyph_of(game.looks[name].appearance) if name in game.looks else ""
            if len(said) == 1 and said not in taken:
                taken.add(said)
                return said
            wished = [c.upper() if upper else c.lower() for c in name if c.isalpha()]
            spare = string.ascii_letters + string.digits
            chosen = next((c for c in (*wished, *(c.swapcase() for c in wished), *spare) if c not in taken), "?")
            taken.add(chosen)
            return chosen

        def terrain(number: int, name: str) -> Symbol:
            style = coloured(game, name, TERRAIN_STYLES[number % len(TERRAIN_STYLES)])
            return Symbol(BASE if number == 0 else letter(name, True), name, style)

        terrains = tuple(terrain(n, name) for n, name in enumerate(game.enumerations.get("terrain", ())))
        markers = tuple(
            Symbol(letter(name, False), name, coloured(game, name, Style.WARNING))
            for name in game.enumerations.get("marker", ())
        )
        drawn = {player_piece(game, space) for space in game.spaces}
        variables: dict[str, Symbol] = {}
        members: dict[tuple[str, int], Symbol] = {}
        for variable in game.variables.values():
            if _stands_on_a_cell(variable):
                mark = PIECE if variable.name in drawn else letter(variable.name, True)
                variables[variable.name] = Symbol(mark, variable.name, coloured(game, variable.name, Style.PIECE))
            elif isinstance(variable.index, types.Cell) and not variable.is_board and not variable.is_turn:
                match variable.type:
                    case types.Enumeration(name):
                        for value, member in enumerate(game.enumerations[name]):
                            if (name, value) not in members:
                                members[name, value] = Symbol(
                                    letter(member, True), member, coloured(game, member, Style.STRONG)
                                )
                    case _:
                        variables[variable.name] = Symbol(
                            letter(variable.name, False), variable.name, coloured(game, variable.name, Style.STRONG)
                        )
        players = {number: coloured(game, f"player {number}", Style.PIECE) for number in range(1, (game.players.high or 0) + 1)}
        has_ports = any(space.per_side for space in game.spaces.values())
        appearances = {name: look.appearance for name, look in game.looks.items()}
        said = {name: look.colour.style for name, look in appearances.items() if look.colour is not None}
        glyphs = {name: glyph for name, look in appearances.items() if look.glyph and (glyph := glyph_of(look))}
        return cls(terrains, markers, variables, members, players, has_ports, said, glyphs)

    @property
    def tell_tiles_apart(self) -> bool:
        """Whether pictures of tiles say more than their names: they have no room for single ports."""
        return len(self.terrains) > 1 and not self.has_ports

    def terrain(self, number: int) -> Symbol:
        return self._note(self.terrains[number]) if 0 <= number < len(self.terrains) else Symbol(" ", "")

    def marker(self, number: int) -> Symbol:
        return self._note(self.markers[number])

    def variable(self, name: str) -> Symbol:
        return self._note(self.variables[name])

    def member(self, enumeration: str, value: int) -> Symbol:
        return self._note(self.members[enumeration, value])

    def style_of(self, symbol: Symbol, variable: Variable, index: int | None, name: str = "") -> Style:
        """The style of a piece: the colour of its player, or of the member `name` if the rules set one."""
        if isinstance(variable.index, types.Player) and index is not None:
            return self.players.get(index, symbol.style)
        return self.said.get(name, symbol.style)

    def tile(self, kind: TileKind) -> Styled:
        """A tile by its name, or by its glyph in pictures, in its colour or that of its set."""
        glyph = self.glyphs.get(kind.name, "")
        if glyph:
            self.note_names({kind.name: glyph})
        return Styled(escape(glyph or kind.name), self.said.get(kind.name, self.said.get(kind.group, Style.PLAIN)))

    def note_names(self, cut: dict[str, str]) -> None:
        """Record abbreviated names of tiles for the legend."""
        self._names |= {name: short for name, short in cut.items() if name != short}

    def legend(self) -> list[Line]:
        """The meanings of the symbols drawn so far, in the order of the game; empty if there are none."""
        every = (*self.terrains, *self.markers, *self.variables.values(), *self.members.values())
        shown = [symbol for symbol in every if symbol in self._used]
        parts: list[str | Styled] = []
        for symbol in shown:
            parts += ["   " if parts else "", symbol.styled, f" {symbol.name}"]
        names = columns([f"{short} {name}" for name, short in self._names.items()])
        return [line(*parts)] * bool(parts) + [line(row) for row in names]

    def _note(self, symbol: Symbol) -> Symbol:
        self._used[symbol] = None
        return symbol


def glyph_of(appearance: Appearance) -> str:
    """The character for a look: its own, or that of its drawing; "" if it has none, or standard output cannot show it."""
    drawn = "" if appearance.drawing is None else appearance.drawing.glyph
    said = appearance.glyph or drawn
    return said if said.isprintable() and _can_be_shown(said) else ""


def _can_be_shown(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def coloured(game: Game, name: str, otherwise: Style) -> Style:
    """The style for the colour that the rules set for a thing; `otherwise` if they set none."""
    said = game.looks[name].appearance.colour if name in game.looks else None
    return otherwise if said is None else said.style


def _shared_glyphs(game: Game) -> Iterator[str]:
    """Glyphs shared by several things: pictures distinguish them by colour, text by letters."""
    named = {*game.variables, *(name for members in game.enumerations.values() for name in members)}
    counts = Counter(glyph_of(look.appearance) for name, look in game.looks.items() if name in named)
    return (glyph for glyph, count in counts.items() if count > 1)


def _stands_on_a_cell(variable: Variable) -> bool:
    """Whether a variable gives the place of a piece: `ship of player: cell of sea`."""
    return (
        isinstance(variable.type, types.Cell)
        and variable.storage is Storage.VALUE
        and not isinstance(variable.index, types.Cell)
        and not variable.is_loop
    )
