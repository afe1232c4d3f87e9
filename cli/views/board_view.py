"""Boards as pictures: every tile drawn, pieces upon them, coordinates along the edges. Works for every shape of space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.styled_text import Line, Style, Styled, line, plain
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import types
from rulewright.rules.model.game import Variable
from rulewright.rules.play.cell_contents import (
    LyingPiece,
    Piece,
    ValueOfCell,
    cells_worth_seeing,
    contents,
    turned_kind,
    turns_on,
)
from rulewright.rules.play.engine import Engine, State, describe_value
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.spaces.drawing import letter_of, number_of
from rulewright.rules.spaces.window import Extent, Window

from .tile_view import Canvas, Stencil, Symbols, draw_tile, stencil_of

WIDEST = 100
"""The greatest width of a board, in columns, if names of tiles can be cut."""

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

CORNERS = 4
"""The maximum number of pieces in the corners of a tile's picture."""


@frozen
class Spot:
    """The place of a cell's inside in a drawing, in columns and rows of characters from 0."""

    left: int
    top: int
    width: int
    height: int


@frozen
class Drawing:
    """The lines of a picture, and the place of each cell in them."""

    lines: tuple[Line, ...] = ()
    spots: Mapping[int, Spot] = field(factory=dict)


@define
class BoardPicture:
    """Draws the spaces of one state; symbols are shared, so that one legend explains all.

    `also` are cells, by space, that are drawn even if empty.
    """

    engine: Engine
    state: State
    viewer: Viewer
    symbols: Symbols
    also: frozenset[tuple[str, int]] = frozenset()
    pieces: dict[int, list[Styled]] = field(factory=dict, init=False)
    turns: dict[int, int] = field(factory=dict, init=False)
    cut: dict[str, str] = field(factory=dict, init=False)
    wanted: frozenset[int] = field(default=frozenset(), init=False)

    def lines(self, space: str) -> list[Line]:
        """The picture of a space, without empty levels; empty for an unbounded or a further space with nothing on it."""
        tiles, shown = self._contents(space)
        window = self.engine.instance.windows[space]
        used = {*tiles, *self.pieces}
        is_further = space != next(iter(self.engine.game.spaces))
        if not used and shown and is_further and not self._is_board(space):
            return []
        if window.shape in (Shape.RING, Shape.GRAPH) and is_further:
            return [*self._list(window, sorted(used), tiles).lines]
        if window.shape is not Shape.CUBE or not used:
            return [*self.drawing(space).lines]
        lines: list[Line] = []
        box = _box(window, shown)
        levels = sorted({window.coordinates[cell][2] for cell in used})
        if len(levels) > 1:
            lines += [line("from above, with the level of what is on top"), *self._from_above(window, tiles, box)]
        for level in levels:
            here = [cell for cell in used if window.coordinates[cell][2] == level]
            extent = box if level == box.low[2] else _box(window, here)
            lines += [line(f"level {level}"), *self._grid(window, tiles, _plane(window, extent, (level,))).lines]
        return lines

    def drawing(self, space: str) -> Drawing:
        """The picture of a space, with the places of its cells."""
        tiles, shown = self._contents(space)
        window = self.engine.instance.windows[space]
        if not shown:
            return Drawing()
        box = _box(window, shown)
        match window.shape:
            case Shape.RING | Shape.GRAPH:
                # A further one may be the edges of another space, or what the rules keep of earlier positions; most is empty.
                is_further = space != next(iter(self.engine.game.spaces)) and not self._is_board(space)
                listed = {*self.pieces, *self.wanted}
                return self._list(window, sorted(shown & listed if is_further else shown), tiles)
            case Shape.CUBE:
                lines: list[Line] = []
                spots: dict[int, Spot] = {}
                for level in range(box.low[2], box.high[2] + 1):
                    lines.append(line(f"level {level}"))
                    drawn = self._grid(window, tiles, _plane(window, box, (level,)))
                    spots |= {cell: evolve(spot, top=spot.top + len(lines)) for cell, spot in drawn.spots.items()}
                    lines += drawn.lines
                return Drawing(tuple(lines), spots)
            case Shape.SQUARE | Shape.HEX:
                return self._grid(window, tiles, _plane(window, box))

    # Contents of cells --------------------------------------------------------------------------

    def _contents(self, space: str) -> tuple[dict[int, int], frozenset[int]]:
        """The tiles of a space by cell, and the cells to draw; records the pieces."""
        self.pieces = self._pieces(space)
        self.turns = turns_on(self.engine, self.state, space)
        self.wanted = frozenset(cell for other, cell in self.also if other == space)
        tiles = self._tiles(space)
        return tiles, cells_worth_seeing(self.engine, space, {*tiles, *self.pieces, *self.wanted})

    def _is_board(self, space: str) -> bool:
        column = self.engine.layout.columns.get(space)
        return column is not None and column.variable.is_board

    def _tiles(self, space: str) -> dict[int, int]:
        if not self._is_board(space):
            return {}
        column, window = self.engine.layout.columns[space], self.engine.instance.windows[space]
        return {cell: tile for cell, tile in enumerate(self.state[column.start][: window.size]) if tile}

    def _pieces(self, space: str) -> dict[int, list[Styled]]:
        pieces: dict[int, list[Styled]] = {}
        for cell, content in contents(self.engine, self.state, self.viewer, space):
            pieces.setdefault(cell, []).append(self._mark(content))
        return pieces

    def _mark(self, content: ValueOfCell | Piece | LyingPiece) -> Styled:
        match content:
            case LyingPiece(kind, owner):
                tile = self.symbols.tile(self.engine.game.tiles[kind - 1])
                if owner:
                    return Styled(f"{tile.text}@{owner}", self.symbols.players.get(owner, Style.STRONG))
                return tile if tile.style is not Style.PLAIN else Styled(tile.text, Style.STRONG)
            case Piece(variable, index):
                symbol = self.symbols.variable(variable.name)
                number = "" if variable.index is None or index is None else describe_value(self.engine, variable.index, index)
                return Styled(symbol.letter + number, self.symbols.style_of(symbol, variable, index, number))
            case ValueOfCell(variable, value):
                return self._value(variable, value)

    def _value(self, variable: Variable, value: int) -> Styled:
        """The mark of a value of a variable over cells."""
        match variable.type:
            case types.Truth():
                return self.symbols.variable(variable.name).styled
            case types.Enumeration(name):
                return self.symbols.member(name, value).styled
            case types.Number():
                symbol = self.symbols.variable(variable.name)
                return Styled(f"{symbol.letter}{value}", symbol.style)
            case types.Player():
                return Styled(f"{self.symbols.variable(variable.name).letter}{value}", Style.STRONG)
            case other:
                return Styled(describe_value(self.engine, other, value), Style.STRONG)

    # Shapes -------------------------------------------------------------------------------------

    def _list(self, window: Window, cells: list[int], tiles: dict[int, int]) -> Drawing:
        lines: list[Line] = []
        spots: dict[int, Spot] = {}
        for cell in cells:
            name = window.names[cell] if window.names else str(cell)
            parts: list[str | Styled] = [f"{name}:"]
            for part in self._named(cell, tiles) or [Styled(".")]:
                parts += [" ", part]
            spots[cell] = Spot(0, len(lines), len(plain(line(*parts))), 1)
            lines.append(line(*parts))
        return Drawing(tuple(lines), spots)

    def _from_above(self, window: Window, tiles: dict[int, int], box: Extent) -> list[Line]:
        """A height map: the top of each column, with its level."""
        plane = _plane(window, box, (box.low[2],))
        tops: dict[int, list[Styled]] = {}
        for column, row in plane:
            stack = [window.cell((column, row, level)) for level in range(box.high[2], box.low[2] - 1, -1)]
            top = next((cell for cell in stack if self._named(cell, tiles)), None)
            if top is not None:
                *below, last = self._named(top, tiles)
                raised = last.text + str(window.coordinates[top][2]).translate(SUPERSCRIPTS)
                tops[plane[column, row]] = [*below, evolve(last, text=raised)]
        own, self.pieces = self.pieces, tops
        drawn = self._grid(window, {}, plane)
        self.pieces = own
        return [*drawn.lines]

    def _grid(self, window: Window, tiles: dict[int, int], plane: Mapping[tuple[int, int], int]) -> Drawing:
        """The cells of a plane, by column and row."""
        stencil = stencil_of(window.shape) if self.symbols.tell_tiles_apart else None
        (west, north), (east, south) = min(plane), max(plane)
        names = {spot: window.names[cell] for spot, cell in plane.items() if cell != window.nowhere} if window.names else {}
        across = {column: str(column) for column in range(west, east + 1) if not names}
        across |= {column: letter_of(name) for (column, row), name in names.items() if row == north}
        down = {row: str(row) for row in range(north, south + 1)} | {row: number_of(name) for (_, row), name in names.items()}
        margin = max(map(len, down.values())) + 1
        columns = east - west + 1 + (0.5 if window.shape is Shape.HEX else 0)
        width, height = self._size(tiles, stencil, int((WIDEST - margin - 1) / columns) - 1)
        canvas, spots = Canvas(), dict[int, Spot]()
        indent = (width + 1) // 2 if window.shape is Shape.HEX else 0
        for column, caption in across.items():
            canvas.text(margin + (column - west) * (width + 1) + (width + 1) // 2, 0, caption, Style.FAINT)
        for row in range(north, south + 1):
            top = 1 + (row - north) * (height + 1)
            canvas.text(0, top + (height + 1) // 2, down[row].rjust(margin - 1), Style.FAINT)
            for column in range(west, east + 1):
                cell = plane[column, row]
                if cell == window.nowhere or (window.unbounded and cell not in {*tiles, *self.pieces, *self.wanted}):
                    continue
                left = margin + (column - west) * (width + 1) + indent * (row & 1)
                canvas.box(left, top, width, height)
                spots[cell] = Spot(left + 1, top + 1, width, height)
                self._cell(canvas, left + 1, top + 1, cell, tiles.get(cell, 0), stencil, window)
        return Drawing(tuple(canvas.lines()), spots)

    def _size(self, tiles: dict[int, int], stencil: Stencil | None, most: int) -> tuple[int, int]:
        """The width and height of a cell's inside. Widths are odd, so that hexes can be shifted by half.

        Names of tiles that would take more than `most` columns are cut, and the pieces on them drawn below.
        """
        widest = max((_length(pieces) for pieces in self.pieces.values()), default=0)
        self.cut = {}
        if stencil is not None and tiles:
            crowded = any(not _in_corners(pieces) for pieces in self.pieces.values())
            inside = max(stencil.width, widest if crowded else 0)
            return inside + (inside + 1) % 2, stencil.height + crowded
        here = [_length(self._named(cell, tiles)) for cell in {*tiles, *self.pieces}]
        inside = max([3, *here])
        if inside <= most or not tiles:
            return inside + (inside + 1) % 2, 1
        most = max(3, most - (most + 1) % 2)
        kinds = (self.engine.game.tiles[tile - 1] for tile in tiles.values())
        names = dict.fromkeys(kind.name for kind in kinds if kind.name not in self.symbols.glyphs)
        self.cut = abbreviated(list(names), most)
        self.symbols.note_names(self.cut)
        return max(most, widest + (widest + 1) % 2), 2

    def _cell(self, canvas: Canvas, left: int, top: int, cell: int, tile: int, stencil: Stencil | None, window: Window) -> None:
        pieces = self.pieces.get(cell, [])
        if self.cut:
            _row(canvas, left, top, self._named(cell, {cell: tile})[: bool(tile)])
            _row(canvas, left, top + 1, pieces)
            return
        if stencil is None or not tile:
            _row(canvas, left, top, self._named(cell, {cell: tile}))
            return
        kind, turn = self.engine.game.tiles[tile - 1], self.turns.get(cell, 0)
        if turn:
            kind = turned_kind(kind, window, turn)
        _tile(canvas, left, top, draw_tile(kind, stencil, self.symbols))
        if not _in_corners(pieces):
            _row(canvas, left, top + stencil.height, pieces)
            return
        for number, piece in enumerate(pieces):
            right = (stencil.width - len(piece.text)) * (number % 2)
            canvas.text(left + right, top + (stencil.height - 1) * (number // 2), piece.text, piece.style)

    def _named(self, cell: int, tiles: dict[int, int]) -> list[Styled]:
        """The name of the tile on a cell, and the pieces."""
        tile = tiles.get(cell, 0)
        turn = f"/{self.turns[cell]}" if cell in self.turns else ""
        pieces = self.pieces.get(cell, [])
        if not tile:
            return pieces
        kind = self.engine.game.tiles[tile - 1]
        name = self.symbols.tile(kind)
        return [Styled(self.cut.get(kind.name, name.text) + turn, name.style), *pieces]


def _box(window: Window, cells: Iterable[int]) -> Extent:
    """The bounding box of cells."""
    axes = list(zip(*(window.coordinates[cell] for cell in cells), strict=True))
    return Extent(tuple(map(min, axes)), tuple(map(max, axes)))


def _plane(window: Window, box: Extent, level: tuple[int, ...] = ()) -> dict[tuple[int, int], int]:
    """The cells of a box, or of a level of it, by column and row."""
    columns, rows = (range(low, high + 1) for low, high in zip(box.low[:2], box.high[:2], strict=True))
    return {(column, row): window.cell((column, row, *level)) for column in columns for row in rows}


def abbreviated(names: list[str], width: int) -> dict[str, str]:
    """Each name cut to a width; equal ones then end in a number."""
    found: dict[str, str] = {}
    for name in names:
        short, number = name[:width], 2
        while short in found.values():
            short = f"{name[: width - len(str(number))]}{number}"
            number += 1
        found[name] = short
    return found


def _in_corners(pieces: list[Styled]) -> bool:
    """Whether the pieces on a tile fit into the corners of its picture."""
    return len(pieces) <= CORNERS and all(len(piece.text) <= 2 for piece in pieces)


def _length(pieces: list[Styled]) -> int:
    return sum(len(piece.text) + 1 for piece in pieces) - 1 if pieces else 0


def _row(canvas: Canvas, left: int, top: int, pieces: list[Styled]) -> None:
    for piece in pieces:
        canvas.text(left, top, piece.text, piece.style)
        left += len(piece.text) + 1


def _tile(canvas: Canvas, left: int, top: int, picture: list[list[Styled]]) -> None:
    for down, letters in enumerate(picture):
        for along, letter in enumerate(letters):
            canvas.text(left + along, top + down, letter.text, letter.style)


def tiles_side_by_side(engine: Engine, tiles: tuple[int, ...], shape: Shape, symbols: Symbols) -> list[Line]:
    """Tiles as pictures in a row, with their names below; empty if the game's tiles show no terrain."""
    stencil = stencil_of(shape) if symbols.tell_tiles_apart else None
    if stencil is None or not tiles:
        return []
    canvas = Canvas()
    left = 0
    for tile in tiles:
        kind = engine.game.tiles[tile - 1]
        canvas.box(left, 0, stencil.width, stencil.height)
        _tile(canvas, left + 1, 1, draw_tile(kind, stencil, symbols))
        canvas.text(left + 1, stencil.height + 2, kind.name)
        left += max(stencil.width + 2, len(kind.name) + 1) + 1
    return canvas.lines()
