"""Drawings of boards, and the coordinates of their cells: one for each word of the rows, by the shape of the space.

Square and cube boards are rows from north to south; a hex board has its odd rows indented deeper than its even ones. The first
word is cell (0,0), or the one that `origin row,column` gives; a hex drawing that starts with an odd row starts at row 1. A
hexagon of a radius, a slanted grid, a ring and a graph are drawn whole: the first two in their rows, the others as one list, in
the order of their cell numbers. Pieces are drawn in their space: `raft/1@2` on the first cell of a piece, `+` on its other
cells. A drawing of pieces becomes a list in the notation of `lying_pieces.py`: `raft (1,2) east@2`.

A board is drawn from its state by the same rules.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.printing.print_puzzles import cell_text
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Pattern
from rulewright.rules.play.coordinates import Coordinate, Value
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces.drawing import GAP
from rulewright.rules.spaces.window import Window

from .lying_pieces import LyingPiece, piece_sets

Placed = tuple[Coordinate, puzzles.DrawnCell]


def placed_cells(drawing: puzzles.Drawing, space: Space, window: Window, sink: Sink) -> list[Placed]:
    """The cells of a drawing with their coordinates; empty if an error was reported.

    Reports RW302 (ragged rows), RW303 (larger than the space), RW304 (level or origin).
    """
    if drawing.level and space.shape is not Shape.CUBE:
        message = f"`{space.name}` has no levels"
        sink.error("RW304", message, drawing.span, help="draw it without levels: only a cube grid has them")
        return []
    match space.shape:
        case Shape.RING | Shape.GRAPH:
            return _listed(drawing, window, sink)
        case Shape.HEX if len(space.size) == 1 or space.slanted:
            return _hexagon(drawing, window, sink)
        case Shape.SQUARE | Shape.HEX | Shape.CUBE:
            return _rows(drawing, space, window, sink)


def _rows(drawing: puzzles.Drawing, space: Space, window: Window, sink: Sink) -> list[Placed]:
    row, column = drawing.origin or (0, 0)
    width = len(drawing.rows[0]) if drawing.rows else 0
    for cells in drawing.rows:
        if len(cells) != width:
            message = f"wrong number of cells in this row: expected {width}, found {len(cells)}"
            sink.error("RW302", message, _span_of(cells, drawing), help="write `.` for each vacant cell")
            return []
    if space.shape is Shape.HEX:
        parity = _parity(drawing, row, sink)
        if parity is None:
            return []
        row += parity if drawing.origin is None else 0
    level = (drawing.level,) if space.shape is Shape.CUBE else ()
    found = [((column + x, row + y, *level), cell) for y, cells in enumerate(drawing.rows) for x, cell in enumerate(cells)]
    outside = [] if window.unbounded else [cell for at, cell in found if window.cell(at) == window.nowhere]
    if outside:
        size = " x ".join(map(str, space.size))
        message = f"the drawing extends beyond `{space.name}`, which is {size}"
        sink.error("RW303", message, outside[0].span, help="draw a smaller part, or correct the `origin`")
        return []
    return found


def _parity(drawing: puzzles.Drawing, row: int, sink: Sink) -> int | None:
    """The parity of a hex drawing's first row, by the indentation of its rows, or by `row` if there is only one."""
    even = min(drawing.indents)
    odd = [int(indent > even) for indent in drawing.indents]
    if len(odd) == 1:
        return row & 1
    for number, (one, other) in enumerate(pairwise(odd)):
        if one == other:
            span = _span_of(drawing.rows[number + 1], drawing)
            help = "indent every second row of a hex board by half a cell"
            sink.error("RW302", "this row has the same indentation as the one above", span, help=help)
            return None
    if drawing.origin is not None and odd[0] != row & 1:
        message = f"the first row is drawn as {('an even', 'an odd')[odd[0]]} one, but its number is {row}"
        sink.error("RW304", message, drawing.span, help="indent the odd rows, or correct the `origin`")
        return None
    return odd[0]


def _hexagon(drawing: puzzles.Drawing, window: Window, sink: Sink) -> list[Placed]:
    rows: dict[int, list[Coordinate]] = {}
    for coordinate in window.coordinates:
        rows.setdefault(coordinate[1], []).append(coordinate)
    if not _is_whole(drawing, len(rows), len(drawing.rows), "rows", drawing.span, sink):
        return []
    found: list[Placed] = []
    for coordinates, cells in zip(rows.values(), drawing.rows, strict=True):
        if not _is_whole(drawing, len(coordinates), len(cells), "cells in this row", _span_of(cells, drawing), sink):
            return []
        found += zip(coordinates, cells, strict=True)
    return found


def _listed(drawing: puzzles.Drawing, window: Window, sink: Sink) -> list[Placed]:
    cells = list(chain.from_iterable(drawing.rows))
    if not _is_whole(drawing, window.size, len(cells), "cells", drawing.span, sink):
        return []
    return list(zip(window.coordinates, cells, strict=True))


def _is_whole(drawing: puzzles.Drawing, wanted: int, given: int, what: str, span: Span, sink: Sink) -> bool:
    if drawing.origin is not None:
        message = f"`{drawing.space}` is drawn whole and cannot have an `origin`"
        sink.error("RW304", message, drawing.span, help="delete the line `origin …`")
        return False
    if wanted != given:
        code = "RW303" if given > wanted else "RW302"
        message = f"wrong number of {what}: `{drawing.space}` has {wanted}, the drawing has {given}"
        sink.error(code, message, span, help="draw the whole space, with `.` for each vacant cell")
        return False
    return True


def _span_of(cells: tuple[puzzles.DrawnCell, ...], drawing: puzzles.Drawing) -> Span:
    return cells[0].span.to(cells[-1].span) if cells else drawing.span


def corners(cells: list[Placed]) -> Iterator[Coordinate]:
    """The two opposite corners of a drawing's bounding box."""
    if cells:
        axes = list(zip(*(coordinate for coordinate, _ in cells), strict=True))
        yield tuple(map(min, axes))
        yield tuple(map(max, axes))


# Drawn pieces ---------------------------------------------------------------------------------------------------------

COVERED = "+"
"""Marks a cell that a piece covers other than its first one."""


@frozen
class DrawnPieces:
    """The drawn pieces of one set, as they would be listed."""

    pieces: Pattern
    setting: puzzles.Setting


def kinds_on(game: Game, space: str) -> frozenset[str]:
    """The words that denote pieces in the drawing of a space."""
    sets = (pieces for pieces in piece_sets(game) if pieces.space == space)
    return frozenset((COVERED, *(game.tiles[kind - 1].name for pieces in sets for kind in pieces.kinds)))


def drawn_sets(game: Game, cells: Iterable[puzzles.DrawnCell], space: str) -> list[Pattern]:
    """The sets of pieces of a space that have a piece among some cells."""
    names = {cell.tile for cell in cells}
    return [
        pieces
        for pieces in piece_sets(game)
        if pieces.space == space and any(game.tiles[kind - 1].name in names for kind in pieces.kinds)
    ]


def drawn_pieces(game: Game, window: Window, sets: Sequence[Pattern], placed: Sequence[Placed]) -> Iterator[DrawnPieces]:
    """The pieces of each set in a drawing."""
    for pieces in sets:
        kinds = {game.tiles[kind - 1].name for kind in pieces.kinds}
        found = [_piece_listed(game, pieces, window, at, cell) for at, cell in placed if cell.tile in kinds]
        span = found[0].span.to(found[-1].span)
        yield DrawnPieces(pieces, puzzles.Setting(pieces.name, (), tuple(found), span=span))


def _piece_listed(game: Game, pieces: Pattern, window: Window, at: Coordinate, cell: puzzles.DrawnCell) -> puzzles.LyingPiece:
    way = ""
    if pieces.differs(game.tile_number(cell.tile)) or cell.turn or cell.mirrored:
        way = f"{'mirrored_' * cell.mirrored}{window.words[cell.turn] if cell.turn < len(window.words) else cell.turn}"
    owner = cell.players[0] if cell.players else 0
    return puzzles.LyingPiece(cell.tile, puzzles.Coordinate(at, span=cell.span), way, owner, span=cell.span)


def check_covered(
    window: Window, lying: Sequence[tuple[Pattern, LyingPiece, puzzles.Value]], placed: Sequence[Placed], sink: Sink
) -> None:
    """Report RW188 where `+` stands on a cell that no piece covers, or `.` on one that a piece covers."""
    covering = {
        cell: node
        for pieces, piece, node in lying
        for role in pieces.places[piece.place].cells
        for cell in role
        if cell != pieces.places[piece.place].cell
    }
    for at, drawn in placed:
        node = covering.get(window.cell(at))
        if drawn.tile == COVERED and node is None:
            help = "write `.`, or turn a piece so that it covers this cell: `/1` turns it clockwise"
            sink.error("RW188", "no drawn piece covers this cell", drawn.span, help=help)
        elif not drawn.tile and node is not None:
            label = Label(node.span, "this piece covers it")
            sink.error(
                "RW188",
                "this cell is covered by another piece",
                drawn.span,
                label,
                help=f"write `{COVERED}`, or correct the turn of the piece",
            )


MARGIN = 8
"""Columns by which the rows of a drawing are indented."""

MOST_CELLS_DRAWN_WHOLE = 100
"""A bounded board with at most this many cells is drawn whole; a larger one without its outer vacant rows and columns."""


def player_piece(game: Game, space: str) -> str | None:
    """The variable that `@1` denotes in drawings of a space: the first that gives every player a cell of it."""
    wanted = types.Player(), types.Cell(space)
    return next((v.name for v in game.variables.values() if (v.index, v.type) == wanted), None)


def fits_drawing(engine: Engine, space: str, coordinates: Iterable[Coordinate], side: int) -> bool:
    """Whether a drawing of these cells has at most `side` rows and columns."""
    low, high = _box(engine.instance.windows[space], coordinates)
    return all(last - first < side for first, last in zip(low, high, strict=True))


def tile_cells(
    engine: Engine, tiles: Mapping[Coordinate, Value], pieces: Mapping[int, Coordinate], turns: Mapping[Coordinate, Value]
) -> dict[Coordinate, puzzles.DrawnCell]:
    """The cells with tiles and players' pieces as drawn. `turns` are the rotations of tiles."""
    cells: dict[Coordinate, puzzles.DrawnCell] = {}
    for at in {*tiles, *pieces.values()}:
        tile = tiles.get(at)
        name = engine.game.tiles[tile - 1].name if isinstance(tile, int) else ""
        players, turn = tuple(player for player, place in pieces.items() if place == at), turns.get(at, 0)
        cells[at] = puzzles.DrawnCell(name, players, turn if isinstance(turn, int) and name else 0)
    return cells


def draw(name: str, space: str, engine: Engine, cells: Mapping[Coordinate, puzzles.DrawnCell]) -> Iterator[puzzles.Drawing]:
    """The drawings of a space, or of a variable over its cells, below that name: one, or one for each level in use."""
    window = engine.instance.windows[space]
    match window.shape:
        case Shape.RING | Shape.GRAPH:
            row = tuple(cells.get(at, puzzles.DrawnCell("")) for at in window.coordinates)
            yield puzzles.Drawing(name, (row,), (MARGIN,))
        case Shape.CUBE:
            low, high = _box(window, cells)
            used = sorted({at[2] for at in cells}) or [max(low[2], 0)]
            for level in used:
                yield _level(name, window, cells, low, high, level)
        case Shape.SQUARE | Shape.HEX:
            low, high = _box(window, cells)
            yield _level(name, window, cells, low, high)


def _level(
    name: str,
    window: Window,
    cells: Mapping[Coordinate, puzzles.DrawnCell],
    low: Coordinate,
    high: Coordinate,
    level: int | None = None,
) -> puzzles.Drawing:
    vacant = puzzles.DrawnCell("")
    above = () if level is None else (level,)
    pitch = GAP + max((len(cell_text(cell)) for cell in cells.values()), default=1)
    hexes = window.shape is Shape.HEX
    rows, indents = [], []
    for row in range(low[1], high[1] + 1):
        line = [(column, row, *above) for column in range(low[0], high[0] + 1)]
        if not window.unbounded:
            line = [at for at in line if window.cell(at) != window.nowhere]
        rows.append(tuple(cells.get(at, vacant) for at in line))
        blank = (line[0][0] - low[0]) * pitch if line else 0
        indents.append(MARGIN + blank + (pitch // 2 if hexes and row & 1 else 0))
    whole = not window.unbounded and hexes and min(low) < 0
    origin = None if whole or low[:2] == (0, 0) else (low[1], low[0])
    return puzzles.Drawing(name, tuple(rows), tuple(indents), level or 0, origin)


def _box(window: Window, coordinates: Iterable[Coordinate]) -> tuple[Coordinate, Coordinate]:
    """The least and greatest coordinates to draw."""
    used = list(coordinates)
    cells = list(window.coordinates)
    if window.unbounded:
        shown = used or [(0,) * len(cells[0])]
    elif window.size <= MOST_CELLS_DRAWN_WHOLE or window.size < math.prod(len({*axis}) for axis in zip(*cells, strict=True)):
        shown = cells
    else:
        shown = [*used, (0,) * len(cells[0])]
    axes = list(zip(*shown, strict=True))
    return tuple(map(min, axes)), tuple(map(max, axes))
