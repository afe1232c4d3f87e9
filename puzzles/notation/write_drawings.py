"""Drawings of boards, the inverse of `read_drawings.py`, from the tiles and pieces on a space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulewright.grammar.printing.print_puzzles import cell_text
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import types
from rulewright.rules.model.game import Game
from rulewright.rules.play.coordinates import Coordinate, Value
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces.drawing import GAP
from rulewright.rules.spaces.window import Window

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


def draw(
    engine: Engine,
    space: str,
    tiles: Mapping[Coordinate, Value],
    pieces: Mapping[int, Coordinate],
    turns: Mapping[Coordinate, Value],
) -> Iterator[puzzles.Drawing]:
    """The drawings of a space: one, or one for each level in use. `turns` are the rotations of tiles."""
    window = engine.instance.windows[space]
    cells: dict[Coordinate, puzzles.DrawnCell] = {}
    for at in {*tiles, *pieces.values()}:
        tile = tiles.get(at)
        name = engine.game.tiles[tile - 1].name if isinstance(tile, int) else ""
        players, turn = tuple(player for player, place in pieces.items() if place == at), turns.get(at, 0)
        cells[at] = puzzles.DrawnCell(name, players, turn if isinstance(turn, int) and name else 0)
    match window.shape:
        case Shape.RING | Shape.GRAPH:
            row = tuple(cells.get(at, puzzles.DrawnCell("")) for at in window.coordinates)
            yield puzzles.Drawing(space, (row,), (MARGIN,))
        case Shape.CUBE:
            low, high = _box(window, cells)
            used = sorted({at[2] for at in cells}) or [max(low[2], 0)]
            for level in used:
                yield _level(space, window, cells, low, high, level)
        case Shape.SQUARE | Shape.HEX:
            low, high = _box(window, cells)
            yield _level(space, window, cells, low, high)


def _level(
    space: str,
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
    return puzzles.Drawing(space, tuple(rows), tuple(indents), level or 0, origin)


def _box(window: Window, coordinates: Iterable[Coordinate]) -> tuple[Coordinate, Coordinate]:
    """The least and greatest coordinates to draw."""
    used = list(coordinates)
    cells = list(window.coordinates)
    if window.unbounded:
        shown = used or [(0,) * len(cells[0])]
    elif window.size <= MOST_CELLS_DRAWN_WHOLE or min(map(min, cells)) < 0:
        shown = cells
    else:
        shown = [*used, (0,) * len(cells[0])]
    axes = list(zip(*shown, strict=True))
    return tuple(map(min, axes)), tuple(map(max, axes))
