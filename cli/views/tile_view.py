"""Drawing with characters: a grid of them for text and boxes, and on it a tile with the terrain of each side at that side."""

from __future__ import annotations

import string
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby

from rulewright.base.records import define, field, frozen
from rulewright.base.styled_text import Line, Style, Styled, columns, escape, line
from rulewright.grammar.tree.looks import Appearance
from rulewright.grammar.tree.modules import Shape
from rulewright.puzzles.notation.drawings import player_piece
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, TileKind, Variable

# Symbols --------------------------------------------------------------------------------------------------------------
# One character for each terrain, marker and piece of a game, and the legend that explains them.


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

        def symbol(name: str, upper: bool, style: Style, mark: str = "") -> Symbol:
            return Symbol(mark or letter(name, upper), name, coloured(game, name, style))

        def terrain(number: int, name: str) -> Symbol:
            return symbol(name, True, TERRAIN_STYLES[number % len(TERRAIN_STYLES)], BASE if number == 0 else "")

        terrains = tuple(terrain(n, name) for n, name in enumerate(game.enumerations.get("terrain", ())))
        markers = tuple(symbol(name, False, Style.WARNING) for name in game.enumerations.get("marker", ()))
        drawn = {player_piece(game, space) for space in game.spaces}
        variables: dict[str, Symbol] = {}
        members: dict[tuple[str, int], Symbol] = {}
        for variable in game.variables.values():
            if _stands_on_a_cell(variable):
                mark = PIECE if variable.name in drawn else ""
                variables[variable.name] = symbol(variable.name, True, Style.PIECE, mark)
            elif isinstance(variable.index, types.Cell) and not variable.is_board and not variable.is_turn:
                match variable.type:
                    case types.Enumeration(name):
                        for value, member in enumerate(game.enumerations[name]):
                            if (name, value) not in members:
                                members[name, value] = symbol(member, True, Style.STRONG)
                    case _:
                        variables[variable.name] = symbol(variable.name, False, Style.STRONG)
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
        and not variable.is_zone
        and not isinstance(variable.index, types.Cell)
        and not variable.is_loop
    )


# A grid of characters for text and boxes ------------------------------------------------------------------------------
# A grid of characters for text and boxes, whose walls join where they meet.


_WALLS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Wall characters, indexed by the bit set of their arms."""

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
"""Bits of a set of arms."""


@define
class Canvas:
    """Characters by (column, row), both from 0; text lies over walls."""

    _letters: dict[tuple[int, int], Styled] = field(factory=dict)
    _arms: dict[tuple[int, int], int] = field(factory=dict)

    def text(self, column: int, row: int, text: str, style: Style = Style.PLAIN) -> None:
        """Write one line of text from this place on."""
        for along, letter in enumerate(text):
            self._letters[column + along, row] = Styled(letter, style)

    def box(self, column: int, row: int, width: int, height: int) -> None:
        """Draw walls around an inside of that size; `column` and `row` are those of the upper left corner."""
        right, bottom = column + width + 1, row + height + 1
        for x in range(column, right):
            for y in (row, bottom):
                self._join((x, y), _EAST)
                self._join((x + 1, y), _WEST)
        for y in range(row, bottom):
            for x in (column, right):
                self._join((x, y), _SOUTH)
                self._join((x, y + 1), _NORTH)

    def lines(self) -> list[Line]:
        """The rows of the grid without trailing blanks."""
        places = [*self._letters, *self._arms]
        rows = max((y for _, y in places), default=-1) + 1
        ends = [max((x for x, y in places if y == row), default=-1) + 1 for row in range(rows)]
        return [_joined([self._at(x, row) for x in range(end)]) for row, end in enumerate(ends)]

    def _join(self, place: tuple[int, int], arm: int) -> None:
        self._arms[place] = self._arms.get(place, 0) | arm

    def _at(self, column: int, row: int) -> Styled:
        found = self._letters.get((column, row))
        if found is not None:
            return found
        arms = self._arms.get((column, row), 0)
        return Styled(_WALLS[arms], Style.FAINT if arms else Style.PLAIN)


def _joined(letters: list[Styled]) -> Line:
    """Join neighbours of the same style."""
    runs = groupby(letters, lambda letter: letter.style)
    return tuple(Styled("".join(letter.text for letter in run), style) for style, run in runs)


# A tile as a small picture --------------------------------------------------------------------------------------------


CENTRE = "c"


@frozen
class Stencil:
    """The layout of a picture: each letter of `rows` is a spot, which shows the region with the sides listed in `spots`."""

    rows: tuple[str, ...]
    spots: dict[str, tuple[str, ...]]
    opposite: tuple[frozenset[str], ...]

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def middle(self, spot: str) -> tuple[int, int]:
        """The row and the column of the middle of a spot."""
        row = next(number for number, text in enumerate(self.rows) if spot in text)
        text = self.rows[row]
        return row, (text.index(spot) + text.rindex(spot)) // 2


def _stencil(rows: tuple[str, ...], spots: dict[str, str], opposite: str) -> Stencil:
    return Stencil(
        rows,
        {spot: tuple(sides.split()) for spot, sides in spots.items()},
        tuple(frozenset(pair.split("-")) for pair in opposite.split()),
    )


_SQUARE = _stencil(
    ("1nnnnn2", "wwcccee", "4sssss3"),
    {"n": "N", "e": "E", "s": "S", "w": "W", "1": "N W", "2": "N E", "3": "S E", "4": "S W", CENTRE: ""},
    "N-S E-W",
)
_HEX = _stencil(
    ("aaa1bbb", "wwcccee", "ddd2fff"),
    {"a": "NW", "b": "NE", "e": "E", "f": "SE", "d": "SW", "w": "W", "1": "NW NE", "2": "SW SE", CENTRE: ""},
    "NW-SE NE-SW E-W",
)
_STENCILS = {Shape.SQUARE: _SQUARE, Shape.CUBE: _SQUARE, Shape.HEX: _HEX}


def stencil_of(shape: Shape) -> Stencil | None:
    """The stencil for tiles of a shape; None if tiles have no sides."""
    return _STENCILS.get(shape)


def draw_tile(kind: TileKind, stencil: Stencil, symbols: Symbols) -> list[list[Styled]]:
    """The picture of a tile, one character per element."""
    owners = {spot: _owner(kind, spot, stencil) for spot in stencil.spots}
    picture = [[_ground(kind, owners[spot], symbols) for spot in row] for row in stencil.rows]
    standing: dict[str, list[Styled]] = {}
    for number, region in enumerate(kind.regions):
        if region.markers:
            spot = _best_spot(number, owners, stencil)
            for marker, count in region.markers:
                standing.setdefault(spot, []).extend(_markers(marker, count, symbols))
    for spot, letters in standing.items():
        row, middle = stencil.middle(spot)
        kept = letters[: stencil.width]
        first = min(max(0, middle - (len(kept) - 1) // 2), stencil.width - len(kept))
        picture[row][first : first + len(kept)] = kept
    return picture


def _owner(kind: TileKind, spot: str, stencil: Stencil) -> int:
    """The region shown in a spot: the one that touches all its sides, else the ground of the tile."""
    sides = set(stencil.spots[spot])
    for number, region in enumerate(kind.regions[1:], 1):
        own = set(region.sides)
        if sides <= own if sides else not own or any(pair <= own for pair in stencil.opposite):
            return number
    return 0


def _ground(kind: TileKind, region: int, symbols: Symbols) -> Styled:
    return symbols.terrain(kind.regions[region].terrain if kind.regions else -1).styled


def _best_spot(region: int, owners: dict[str, int], stencil: Stencil) -> str:
    """The spot for the markers of a region: the centre if it belongs to the region, else one of its sides."""
    if owners[CENTRE] == region:
        return CENTRE
    own = [spot for spot, sides in stencil.spots.items() if len(sides) == 1 and owners[spot] == region]
    return own[0] if own else CENTRE


def _markers(marker: int, count: int, symbols: Symbols) -> list[Styled]:
    symbol = symbols.marker(marker)
    return [symbol.styled] * count if count <= 2 else [symbol.styled, Styled(str(count), symbol.style)]
