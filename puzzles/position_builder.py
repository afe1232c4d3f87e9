"""Reads the drawings and settings of a puzzle into the state of a game after set-up."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink, did_you_mean
from rulewright.base.records import define, field
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.tree import puzzles
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Game, Pattern, Storage, Variable, laid_name, layer_name, turned_name
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, Key, initial_value
from rulewright.rules.semantics.rng import shuffled

from .notation import drawings
from .notation.lying_pieces import LyingPiece, lay_out, piece_sets, read_pieces
from .notation.value_notation import IndexNotation, ValueNotation, parts_of

SEED_SETTING = "seed"
"""The setting of the random seed, in groups of nine digits, most significant first; a variable of this name shadows it."""

SEED_BASE = 10**9
"""Unit of a group of nine digits."""

MOST_TILES = 10_000
"""The most tiles that a puzzle may list."""


@define
class PositionBuilder:
    """Builds `coordinates` in place.

    `tile_spans` are the tiles written in the puzzle, each with its place in the text, `value_spans` the places of all other
    values by variable and index, and `drawn_corners` the corners of the drawings of unbounded spaces. `placed` are the drawn
    cells of each space, `spaces_of_pieces` the spaces with drawn pieces.
    """

    notation: ValueNotation
    coordinates: CoordinateState
    sink: Sink
    tile_spans: list[tuple[int, Span]] = field(factory=list, init=False)
    value_spans: dict[tuple[str, int | Coordinate | None], Span] = field(factory=dict, init=False)
    drawn_corners: list[tuple[str, Coordinate]] = field(factory=list, init=False)
    placed: dict[str, list[drawings.Placed]] = field(factory=dict, init=False)
    spaces_of_pieces: dict[str, None] = field(factory=dict, init=False)
    rest: tuple[Key, puzzles.Rest] | None = field(default=None, init=False)

    @property
    def indices(self) -> IndexNotation:
        return IndexNotation(self.notation)

    @property
    def game(self) -> Game:
        return self.notation.game

    def read(self, puzzle: puzzles.Puzzle) -> None:
        """Read everything except the start. Errors go to the sink."""
        if any(drawing.space in self.game.spaces for drawing in puzzle.drawings):
            laid = {laid_name(pieces.name) for pieces in piece_sets(self.game)}
            laid |= {pieces.name for drawing in puzzle.drawings for pieces in self._drawn_sets(drawing)}
            self.coordinates.zones |= {key: () for key in self.coordinates.zones if key[0] not in laid}
            drawn = [name for drawing in puzzle.drawings for name in (drawing.space, turned_name(drawing.space))]
            self.coordinates.fields |= {name: {} for name in drawn if name in self.coordinates.fields}
        for drawing in puzzle.drawings:
            self._drawing(drawing)
        for space in self.spaces_of_pieces:
            self._lay_drawn(space, self.placed[space])
        sets = {pieces.name: pieces for pieces in piece_sets(self.game)}
        listed = [setting for setting in puzzle.settings if setting.name in sets and not setting.of]
        for setting in listed:
            self._pieces(sets[setting.name], setting)
        for setting in puzzle.settings:
            if setting not in listed:
                self._setting(setting)
        if self.rest is not None and not self.sink.errors:
            self._put_rest(*self.rest)

    # Drawings -------------------------------------------------------------------------------------

    def _drawing(self, drawing: puzzles.Drawing) -> None:
        variable, space = self.game.variables.get(drawing.space), self.game.spaces.get(drawing.space)
        if space is None and variable is not None and isinstance(variable.index, types.Cell):
            self._drawn_field(drawing, variable, variable.index.space)
            return
        if space is None:
            drawn = [*self.game.spaces, *(v.name for v in self.game.variables.values() if isinstance(v.index, types.Cell))]
            help = did_you_mean(drawing.space, drawn) or "write a list on the same line as its colon"
            self.sink.error("RW301", f"there is no space `{drawing.space}`", drawing.span, help=help)
            return
        placed, pieces = self._placed(drawing, space.name), drawings.kinds_on(self.game, space.name)
        if any(cell.tile in pieces for _, cell in placed):
            self.spaces_of_pieces.setdefault(space.name)
        self.placed.setdefault(space.name, []).extend(placed)
        for coordinate, cell in placed:
            if cell.tile in pieces:
                continue
            self.value_spans[space.name, coordinate] = cell.span
            if cell.tile:
                self._draw_tile(space.name, coordinate, cell)
            for player in cell.players:
                self._draw_piece(space.name, coordinate, player, cell.span)

    def _drawn_sets(self, drawing: puzzles.Drawing) -> list[Pattern]:
        return drawings.drawn_sets(self.game, (cell for row in drawing.rows for cell in row), drawing.space)

    def _lay_drawn(self, space: str, placed: list[drawings.Placed]) -> None:
        """Put the drawn pieces of a space on the board."""
        sets, window = drawings.drawn_sets(self.game, (cell for _, cell in placed), space), self.notation.windows[space]
        lying, before = list[tuple[Pattern, LyingPiece, puzzles.Value]](), len(self.sink.errors)
        kinds = drawings.kinds_on(self.game, space)
        for cell in (cell for _, cell in placed if cell.tile in kinds and len(cell.players) > (cell.tile != drawings.COVERED)):
            self.sink.error(
                "RW312",
                "a piece cannot belong to several players",
                cell.span,
                help=f"give it a single owner, as in `{cell.tile}@1`",
            )
        for drawn in drawings.drawn_pieces(self.game, window, sets, placed):
            found = self._pieces(drawn.pieces, drawn.setting)
            lying += [(drawn.pieces, piece, node) for piece, node in zip(found, drawn.setting.values, strict=False)]
        if len(self.sink.errors) == before:
            drawings.check_covered(window, lying, placed, self.sink)

    def _placed(self, drawing: puzzles.Drawing, name: str) -> list[drawings.Placed]:
        """The cells of a drawing of a space; empty if an error was reported."""
        window = self.notation.windows[name]
        cells = drawings.placed_cells(drawing, self.game.spaces[name], window, self.sink)
        for coordinate in drawings.corners(cells) if window.unbounded else ():
            if self.notation.inside(name, coordinate, drawing.span) is None:
                return []
            self.drawn_corners.append((name, coordinate))
        return cells

    def _drawn_field(self, drawing: puzzles.Drawing, variable: Variable, space: str) -> None:
        """Read the values of a variable over cells from a drawing; `.` is its initial value."""
        for coordinate, cell in self._placed(drawing, space):
            if not self._first_time((variable.name, coordinate), f"this cell of `{variable.name}`", cell.span):
                return
            self.coordinates.fields[variable.name].pop(coordinate, None)
            if cell.players or cell.turn or cell.mirrored or cell.tile == drawings.COVERED:
                message = f"a drawing of `{variable.name}` can contain only its values"
                self.sink.error("RW312", message, cell.span, help=f"draw tiles and pieces below `{space}:`")
            elif cell.tile and (value := self.notation.drawn(variable, cell)) is not None:
                self.coordinates.fields[variable.name][coordinate] = value

    def _draw_tile(self, space: str, coordinate: Coordinate, cell: puzzles.DrawnCell) -> None:
        if not self.game.spaces[space].of_tiles:
            message = f"`{space}` has no tiles"
            self.sink.error("RW305", message, cell.span, help="write `.`, or `.@1` for the piece of a player")
            return
        tile = self.notation.tile(cell.tile, cell.span)
        if tile is not None:
            self.coordinates.fields[space][coordinate] = tile
            self.tile_spans.append((tile, cell.span))
        if (cell.turn or cell.mirrored) and tile is not None:
            self._turn_tile(space, coordinate, cell)

    def _turn_tile(self, space: str, coordinate: Coordinate, cell: puzzles.DrawnCell) -> None:
        turns = self.game.variables.get(turned_name(space))
        if cell.mirrored:
            self.sink.error(
                "RW367", "a tile cannot be mirrored", cell.span, help=f"write `{cell.tile}`; only pieces can be mirrored"
            )
        elif turns is None or not turns.is_turn:
            help = f"write `{cell.tile}`; tiles can be turned only on a `space {space}: … of turned tiles`"
            self.sink.error("RW367", f"the tiles on `{space}` are not turned", cell.span, help=help)
        elif cell.turn > turns.high:
            message = f"a tile on `{space}` can be turned 0 to {turns.high} times, not {cell.turn}"
            self.sink.error("RW367", message, cell.span, help=f"write `{cell.tile}/{cell.turn % (turns.high + 1)}`")
        else:
            self.coordinates.fields[turns.name][coordinate] = cell.turn

    def _draw_piece(self, space: str, coordinate: Coordinate, player: int, span: Span) -> None:
        if self.notation.player(player, span) is None:
            return
        piece = drawings.player_piece(self.game, space)
        if piece is None:
            message = f"players have no pieces on `{space}`"
            self.sink.error("RW307", message, span, help=f"`@{player}` needs a variable `… of player: cell of {space}`")
            return
        if self._first_time((piece, player), f"`{piece} {player}`", span):
            self.coordinates.values[piece, player] = coordinate

    # Settings -------------------------------------------------------------------------------------

    def _setting(self, setting: puzzles.Setting) -> None:
        variable = self.game.variables.get(setting.name)
        if variable is None and setting.name == SEED_SETTING:
            self._seed(setting)
            return
        if setting.open_to_all and (variable is None or not variable.is_zone):
            message = "only the tiles of a zone can be `open`"
            self.sink.error("RW312", message, setting.span, help="delete `open`, or put a comma before it")
        if variable is None:
            known = [*self.game.variables, SEED_SETTING]
            help = did_you_mean(setting.name, known) or f"the settings are: {', '.join(known)}"
            self.sink.error("RW310", f"unknown setting `{setting.name}`", setting.span, help=help)
            return
        if isinstance(variable.index, types.Cell):
            self._field(variable, variable.index.space, setting)
            return
        if variable.type == types.Truth() and len(setting.of) == len(parts_of(variable.index)) - 1:
            self._members(variable, setting)
            return
        elements = self.indices.read(variable, setting.of, setting.span)
        if elements is None:
            return
        key = variable.name, self.indices.number(variable, elements)
        if not self._first_time(key, f"`{variable.name}`", setting.span):
            return
        if variable.is_zone:
            self._zone(variable, key, setting)
        elif (value := self.notation.value(variable, setting.values, setting.span)) is not None:
            self.coordinates.values[key] = value

    def _members(self, variable: Variable, setting: puzzles.Setting) -> None:
        """Read a truth variable as the list of elements for which it is true; with two indices, the setting gives the first."""
        known, last = self.indices.elements(variable, setting.of), parts_of(variable.index)[-1]
        listed = [(self.indices.member(last, node), node.span) for node in setting.values]
        if known is None:
            return
        for index in self.indices.all_of(variable, known):
            if not self._first_time((variable.name, index), f"`{variable.name}`", setting.span):
                return
            self.coordinates.values[variable.name, index] = 0
        for member, span in listed:
            if member is not None:
                key = variable.name, self.indices.number(variable, [*known, member])
                self.coordinates.values[key] = 1
                self.value_spans[key] = span

    def _pieces(self, pieces: Pattern, setting: puzzles.Setting) -> list[LyingPiece]:
        """The pieces of a set on the board."""
        if not self._first_time((layer_name(pieces.name), None), f"`{pieces.name}`", setting.span):
            return []
        lying = read_pieces(self.notation, pieces, setting, self.sink)
        if len(lying) == len(setting.values):
            self.tile_spans += [
                (pieces.kinds[piece.place], node.span) for piece, node in zip(lying, setting.values, strict=True)
            ]
        lay_out(self.notation.engine, self.coordinates, pieces, lying)
        return lying

    def _field(self, variable: Variable, space: str, setting: puzzles.Setting) -> None:
        """Read a variable over cells: one cell's value, or the list of cells for which it is true."""
        cells = self.coordinates.fields[variable.name]
        if len(setting.of) > 1:
            help = f"write `{variable.name} (column,row): …`"
            self.sink.error("RW311", f"`{variable.name}` has only one index", setting.of[1].span, help=help)
            return
        if not setting.of:
            if variable.type != types.Truth():
                help = f"write `{variable.name} (column,row): …`"
                self.sink.error("RW311", f"`{variable.name}` needs a cell", setting.span, help=help)
                return
            cells.clear()
            if initial_value(self.notation.engine, variable.name):
                cells |= dict.fromkeys(self.notation.windows[space].coordinates, 0)
            for node in setting.values:
                if (coordinate := self.notation.cell(space, node)) is not None:
                    cells[coordinate] = 1
                    self.value_spans[variable.name, coordinate] = node.span
            return
        coordinate = self.notation.cell(space, setting.of[0])
        value = self.notation.value(variable, setting.values, setting.span)
        if coordinate is None or value is None:
            return
        if self._first_time((variable.name, coordinate), f"this cell of `{variable.name}`", setting.span):
            cells[coordinate] = value
            if variable.is_board and isinstance(value, int):
                self.tile_spans += [(value, setting.span)] if value else []

    def _first_time(self, key: tuple[str, int | Coordinate | None], what: str, span: Span) -> bool:
        first = self.value_spans.setdefault(key, span)
        if first is not span:
            self.sink.error(
                "RW315", f"{what} is given twice", span, Label(first, "first given here"), help="delete one of the two"
            )
        return first is span

    def _zone(self, variable: Variable, key: Key, setting: puzzles.Setting) -> None:
        tiles: list[int] = []
        for node in setting.values:
            match node:
                case puzzles.Piece(name, count):
                    tile = self.notation.tile(name, node.span)
                    if tile is not None and self._may_list(tile, count, node.span):
                        tiles += [tile] * count
                        self.tile_spans += [(tile, node.span)] * count
                case puzzles.Rest(None) if variable.storage is Storage.PILE:
                    message = f"the rest in the pile `{variable.name}` has no order"
                    self.sink.error("RW366", message, node.span, help="give a seed to shuffle it: `rest, seed 7`")
                case puzzles.Rest() if self.rest is None:
                    self.rest = key, node
                case puzzles.Rest():
                    first = Label(self.rest[1].span, "here")  # type: ignore[index]
                    self.sink.error(
                        "RW315", "`rest` can be given only once", node.span, first, help="name the tiles in the other zones"
                    )
                case puzzles.Coordinate() | puzzles.Word() | puzzles.Amount() | puzzles.LyingPiece():
                    message = f"`{value_text(node)}` is not a tile"
                    self.sink.error("RW312", message, node.span, help="write the names of tiles, or `none`")
                case _:
                    assert_never(node)
        self.coordinates.zones[key] = tuple(sorted(tiles) if variable.storage is Storage.SET else tiles)

    def _may_list(self, tile: int, count: int, span: Span) -> bool:
        """Whether `count` more copies of a tile may be listed."""
        if len(self.tile_spans) + count <= MOST_TILES:
            return True
        kind = self.game.tiles[tile - 1]
        message = f"the position has more than {MOST_TILES} tiles"
        label = Label(kind.span, f"the box has {self.notation.engine.instance.number_of(kind)} of `{kind.name}`")
        self.sink.error("RW320", message, span, label, help="give fewer of them")
        return False

    def _put_rest(self, key: Key, rest: puzzles.Rest) -> None:
        """Put all remaining tiles into a zone; in a pile, in random order below those named."""
        self.coordinates.zones |= {k: () for k in self.coordinates.zones if k[0] == BOX and k != key}
        named = self.coordinates.zones[key]
        taken = Counter(self.coordinates.tiles(self.game))
        left = [n for n, kind in enumerate(self.game.tiles, 1) if not kind.owned for _ in range(kind.count - taken[n])]
        if self.game.variables[key[0]].storage is Storage.PILE and rest.seed is not None:
            order, _ = shuffled(left, rest.seed)
            self.coordinates.zones[key] = named + order
        else:
            self.coordinates.zones[key] = tuple(sorted((*named, *left)))

    def _seed(self, setting: puzzles.Setting) -> None:
        seed = 0
        for node in setting.values:
            match node:
                case puzzles.Amount(number) if 0 <= number < SEED_BASE:
                    seed = seed * SEED_BASE + number
                case _:
                    help = "write `seed: 7`"
                    self.sink.error("RW312", f"`{value_text(node)}` is not a seed", node.span, help=help)
        self.coordinates.seed = seed & ((1 << 64) - 1)
