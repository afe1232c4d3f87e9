"""A position in the making: what a puzzle says, entered on the sheet of a game that has been set up."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from attrs import field

from ..grammar import scenarios as p
from ..grammar.classes import define
from ..grammar.diagnostics import Label, Sink, nearest
from ..grammar.spans import Span
from ..rules import types
from ..rules.chance import shuffled
from ..rules.game import BOX, Game, Storage, Variable
from .drawings import corners, placed_cells
from .sheet import Coordinate, Key, Sheet, initial
from .to_drawings import piece_of
from .values import Vocabulary, is_zone, text_of

SEED_SETTING = "seed"
"""The state of chance, in groups of nine digits, the greatest first; a variable of this name goes first."""

SEED_BASE = 10**9

MOST_TILES = 10_000
"""How many tiles a puzzle may list."""


@define
class Draft:
    """`sheet` is changed in place. `places` and `spans` remember where the puzzle says what, `drawn` how far it draws."""

    vocabulary: Vocabulary
    sheet: Sheet
    sink: Sink
    places: list[tuple[int, Span]] = field(factory=list, init=False)
    spans: dict[tuple[str, int | Coordinate | None], Span] = field(factory=dict, init=False)
    drawn: list[tuple[str, Coordinate]] = field(factory=list, init=False)
    rest: tuple[Key, p.Rest] | None = field(default=None, init=False)

    @property
    def game(self) -> Game:
        return self.vocabulary.game

    def enter(self, puzzle: p.Puzzle) -> None:
        """Everything but the start. Errors go to the sink."""
        if puzzle.drawings:
            self.sheet.zones = dict.fromkeys(self.sheet.zones, ())
            self.sheet.fields |= {d.space: {} for d in puzzle.drawings if d.space in self.sheet.fields}
        for drawing in puzzle.drawings:
            self._drawing(drawing)
        for setting in puzzle.settings:
            self._setting(setting)
        if self.rest is not None and not self.sink.errors:
            self._shuffle_rest(*self.rest)

    # Drawings -------------------------------------------------------------------------------------

    def _drawing(self, drawing: p.Drawing) -> None:
        space = self.game.spaces.get(drawing.space)
        if space is None:
            help = nearest(drawing.space, list(self.game.spaces)) or "a list begins on the line of its colon"
            self.sink.error("RW301", f"there is no space `{drawing.space}`", drawing.span, help=help)
            return
        window = self.vocabulary.windows[space.name]
        cells = placed_cells(drawing, space, window, self.sink)
        for coordinate in corners(cells) if window.unbounded else ():
            if self.vocabulary.inside(space.name, coordinate, drawing.span) is None:
                return
            self.drawn.append((space.name, coordinate))
        for coordinate, cell in cells:
            self.spans[space.name, coordinate] = cell.span
            if cell.tile:
                self._draw_tile(space.name, coordinate, cell)
            for player in cell.players:
                self._draw_piece(space.name, coordinate, player, cell.span)

    def _draw_tile(self, space: str, coordinate: Coordinate, cell: p.DrawnCell) -> None:
        if not self.game.spaces[space].of_tiles:
            message = f"no tiles stand on `{space}`"
            self.sink.error("RW305", message, cell.span, help="write `.`, and `.@1` for a player")
            return
        tile = self.vocabulary.tile(cell.tile, cell.span)
        if tile is not None:
            self.sheet.fields[space][coordinate] = tile
            self.places.append((tile, cell.span))

    def _draw_piece(self, space: str, coordinate: Coordinate, player: int, span: Span) -> None:
        if self.vocabulary.player(player, span) is None:
            return
        piece = piece_of(self.game, space)
        if piece is None:
            message = f"players have nothing that stands on `{space}`"
            self.sink.error("RW307", message, span, help=f"`@{player}` is for a variable `… of player: cell of {space}`")
            return
        if self._once((piece, player), f"`{piece} {player}`", span):
            self.sheet.values[piece, player] = coordinate

    # Settings -------------------------------------------------------------------------------------

    def _setting(self, setting: p.Setting) -> None:
        variable = self.game.variables.get(setting.name)
        if variable is None and setting.name == SEED_SETTING:
            self._seed(setting)
            return
        if setting.open_to_all and (variable is None or not is_zone(variable)):
            message = "only the tiles of a zone can lie open"
            self.sink.error("RW312", message, setting.span, help="delete the word `open`, or write a comma before it")
        if variable is None:
            known = [*self.game.variables, SEED_SETTING]
            help = nearest(setting.name, known) or f"the game has: {', '.join(known)}"
            self.sink.error("RW310", f"the game has nothing called `{setting.name}`", setting.span, help=help)
            return
        if isinstance(variable.index, types.Cell):
            self._field(variable, variable.index.space, setting)
            return
        known_index, index = self._index(variable, setting)
        if known_index and self._once((variable.name, index), f"`{variable.name}`", setting.span):
            self._scalar(variable, (variable.name, index), setting)

    def _scalar(self, variable: Variable, key: Key, setting: p.Setting) -> None:
        if is_zone(variable):
            self._zone(variable, key, setting)
            return
        value = self.vocabulary.value(variable, setting.values, setting.span)
        if value is not None:
            self.sheet.values[key] = value

    def _index(self, variable: Variable, setting: p.Setting) -> tuple[bool, int | None]:
        """What a setting is of; False when an error was reported."""
        match variable.index, setting.index:
            case None, None:
                return True, None
            case None, p.Coordinate() | p.Word() | p.Amount() as given:
                message, help = f"`{variable.name}` has one value", f"write `{variable.name}: …`"
                self.sink.error("RW311", message, given.span, help=help)
                return False, None
            case _, None:
                help = f"write `{variable.name} {_example(self.game, variable.index)}: …`"
                self.sink.error("RW311", f"`{variable.name}` needs an index", setting.span, help=help)
                return False, None
            case (types.Player(), p.Amount(number)):
                index = self.vocabulary.player(number, setting.index.span)
                return index is not None, index
            case (types.Enumeration(name), p.Word(word)) if word in self.game.enumerations[name]:
                return True, self.game.enumerations[name].index(word)
            case _, given:
                message = f"`{text_of(given)}` is not what `{variable.name}` is of"
                help = f"write `{variable.name} {_example(self.game, variable.index)}: …`"
                self.sink.error("RW311", message, given.span, help=help)
                return False, None

    def _field(self, variable: Variable, space: str, setting: p.Setting) -> None:
        """A variable over cells: one cell's value, or the cells at which a truth variable is true."""
        cells = self.sheet.fields[variable.name]
        if setting.index is None:
            if variable.type != types.Truth():
                help = f"write `{variable.name} (column,row): …`"
                self.sink.error("RW311", f"`{variable.name}` needs a cell", setting.span, help=help)
                return
            cells.clear()
            if initial(self.vocabulary.engine, variable.name):
                cells |= dict.fromkeys(self.vocabulary.windows[space].coordinates, 0)
            for node in setting.values:
                if (coordinate := self.vocabulary.cell(space, node)) is not None:
                    cells[coordinate] = 1
                    self.spans[variable.name, coordinate] = node.span
            return
        coordinate = self.vocabulary.cell(space, setting.index)
        value = self.vocabulary.value(variable, setting.values, setting.span)
        if coordinate is None or value is None:
            return
        if self._once((variable.name, coordinate), f"this cell of `{variable.name}`", setting.span):
            cells[coordinate] = value
            if variable.is_board and isinstance(value, int):
                self.places += [(value, setting.span)] if value else []

    def _once(self, key: tuple[str, int | Coordinate | None], what: str, span: Span) -> bool:
        first = self.spans.setdefault(key, span)
        if first is not span:
            self.sink.error("RW315", f"{what} is given twice", span, Label(first, "first given here"), help="delete one")
        return first is span

    def _zone(self, variable: Variable, key: Key, setting: p.Setting) -> None:
        tiles: list[int] = []
        for node in setting.values:
            match node:
                case p.Piece(name, count):
                    tile = self.vocabulary.tile(name, node.span)
                    if tile is not None and self._fits(tile, count, node.span):
                        tiles += [tile] * count
                        self.places += [(tile, node.span)] * count
                case p.Rest() if self.rest is None:
                    self.rest = key, node
                case p.Rest():
                    first = Label(self.rest[1].span, "here")  # type: ignore[index]
                    self.sink.error("RW315", "the rest can lie in one place only", node.span, first, help="name tiles")
                case p.Coordinate() | p.Word() | p.Amount():
                    message = f"`{text_of(node)}` is not a tile"
                    self.sink.error("RW312", message, node.span, help="write the names of tiles, or `none`")
                case _:
                    assert_never(node)
        self.sheet.zones[key] = tuple(sorted(tiles) if variable.storage is Storage.SET else tiles)

    def _fits(self, tile: int, count: int, span: Span) -> bool:
        """Whether so many tiles can be written out one by one."""
        if len(self.places) + count <= MOST_TILES:
            return True
        kind = self.game.tiles[tile - 1]
        message = f"these are more than {MOST_TILES} tiles in one position"
        label = Label(kind.span, f"the box holds {kind.count} of `{kind.name}`")
        self.sink.error("RW320", message, span, label, help="name fewer of them")
        return False

    def _shuffle_rest(self, key: Key, rest: p.Rest) -> None:
        """The tiles of the box that are nowhere, in an order drawn by chance, below those that are named."""
        self.sheet.zones |= {k: () for k in self.sheet.zones if k[0] == BOX and k != key}
        named = self.sheet.zones[key]
        taken = Counter(self.sheet.tiles(self.game))
        left = [n for n, kind in enumerate(self.game.tiles, 1) for _ in range(kind.count - taken[n])]
        order, _ = shuffled(left, rest.seed)
        pile = self.game.variables[key[0]].storage is Storage.PILE
        self.sheet.zones[key] = named + order if pile else tuple(sorted(named + order))

    def _seed(self, setting: p.Setting) -> None:
        seed = 0
        for node in setting.values:
            match node:
                case p.Amount(number) if 0 <= number < SEED_BASE:
                    seed = seed * SEED_BASE + number
                case _:
                    help = "write `seed: 7`"
                    self.sink.error("RW312", f"`{text_of(node)}` is not a part of a seed", node.span, help=help)
        self.sheet.seed = seed & ((1 << 64) - 1)


def _example(game: Game, type: types.Type | None) -> str:
    match type:
        case types.Enumeration(name):
            return next(iter(game.enumerations[name]), "name")
        case types.Cell():
            return "(column,row)"
        case _:
            return "1"
