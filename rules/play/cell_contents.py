"""The contents of a space's cells in a state: values of cells, pieces on them, definitions that hold."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import types
from rulewright.rules.model.game import TileKind, Variable, owner_name, turned_name
from rulewright.rules.model.state import Column, State
from rulewright.rules.spaces.window import Window

from .engine import Engine
from .visibility import Viewer


@frozen
class ValueOfCell:
    """The value of a variable on a cell, if it is informative."""

    variable: Variable
    value: int


@frozen
class Piece:
    """A piece on a cell; `index` is its player or member of an enumeration, None if there is only one."""

    variable: Variable
    index: int | None


@frozen
class LyingPiece:
    """A piece that covers a cell: its kind, and its owner or 0."""

    kind: int
    owner: int


def lying_on_cells(engine: Engine, state: State, layer: Column) -> Iterator[tuple[int, LyingPiece]]:
    """The laid pieces of a set, by the cells that they cover."""
    pieces = engine.game.patterns[layer.variable.pieces]
    owners = engine.layout.columns.get(owner_name(pieces.name))
    for cell, place in enumerate(state[layer.start][:-1]):
        if place < len(pieces.places):
            owner = 0 if owners is None else state[owners.start][pieces.places[place].cell]
            yield cell, LyingPiece(pieces.kinds[place], owner)


def shown_on(engine: Engine, viewer: Viewer, space: str) -> Iterator[Column]:
    """The columns that say what the cells of a space hold besides tiles, in the order of the text: values over the cells that
    the viewer sees, pieces that cover cells, and the places of pieces."""
    for column in engine.layout.columns.values():
        variable = column.variable
        if variable.is_board or variable.is_turn or variable.is_loop or variable.is_shown_by_layer:
            continue
        if viewer.leaves_out(engine.game, variable):
            continue
        if variable.is_layer or column.over_cells:
            seen = variable.is_layer or viewer.audience(engine.instance, variable, None) is not None
            if variable.index == types.Cell(space) and seen:
                yield column
        elif variable.type == types.Cell(space):
            yield column


def contents(
    engine: Engine, state: State, viewer: Viewer, space: str
) -> Iterator[tuple[int, ValueOfCell | Piece | LyingPiece]]:
    """The contents of the cells besides tiles, as a viewer sees them, in the order of the text."""
    size = engine.instance.windows[space].size
    for column in shown_on(engine, viewer, space):
        variable = column.variable
        if variable.is_layer:
            yield from lying_on_cells(engine, state, column)
        elif column.over_cells:
            silent = silent_value(engine, column)
            values = enumerate(state[column.start][:size])
            yield from ((cell, ValueOfCell(variable, value)) for cell, value in values if value != silent)
        else:
            for offset in range(column.count):
                index, cell = column.offset + offset, state[column.start + offset]
                if cell < size and viewer.sees(engine, state, variable, index):
                    yield cell, Piece(variable, None if variable.index is None else index)


def silent_value(engine: Engine, column: Column) -> int | None:
    """The value over cells that says nothing: the least or, of a direction, the first; None if every value speaks."""
    variable = column.variable
    match variable.type:
        case types.Truth() | types.Enumeration() | types.Tile():
            return 0
        case types.Number():
            return variable.low
        case types.Player() | types.SetOf():
            return None
        case types.Direction():
            first: int = engine.unset[column.start][0]
            return first
        case other:
            return engine.instance.none(other)


MOST_WHOLE = 100
"""Empty margins of bounded spaces with more cells are left out."""


def cells_worth_seeing(engine: Engine, space: str, used: set[int]) -> frozenset[int]:
    """The cells to draw if `used` have contents.

    For a small space these are all cells, except empty levels on top; for a larger one the bounding box of the used cells and
    their neighbours; for a large ring or graph those cells only; for an unbounded space the used cells only.
    """
    window = engine.instance.windows[space]
    if window.unbounded:
        return frozenset(used)
    if not used:
        return frozenset(range(window.size))
    around = used | {step[cell] for cell in used for step in window.steps} - {window.nowhere}
    if window.size <= MOST_WHOLE:
        if window.shape is not Shape.CUBE:
            return frozenset(range(window.size))
        highest = max(window.coordinates[cell][2] for cell in around)
        return frozenset(cell for cell, spot in enumerate(window.coordinates) if spot[2] <= highest)
    if window.shape in (Shape.RING, Shape.GRAPH):
        return frozenset(around)
    ends = [(min(axis), max(axis)) for axis in zip(*(window.coordinates[cell] for cell in around), strict=True)]
    inside = (all(low <= at <= high for at, (low, high) in zip(spot, ends, strict=True)) for spot in window.coordinates)
    return frozenset(cell for cell, within in enumerate(inside) if within)


# Kinds of tile in rotated position -------------------------------------------------------------------------------------


def turns_on(engine: Engine, state: State, space: str) -> dict[int, int]:
    """The number of clockwise rotations of the tiles on a space, by cell, where nonzero."""
    column = engine.layout.columns.get(turned_name(space))
    if column is None or not column.variable.is_turn:
        return {}
    return {cell: turn for cell, turn in enumerate(state[column.start]) if turn}


def turned_kind(kind: TileKind, window: Window, turn: int) -> TileKind:
    """A kind of tile rotated `turn` times. Sides map to sides, even on a board with diagonals."""
    steps = turn * (2 if len(window.around) == 8 else 1)

    def turned(name: str) -> str:
        """The position of a side or port after the rotation; a port keeps its place on its side."""
        side = name.rstrip("0123456789")
        if side not in window.directions:
            return name  # A direction of another space.
        return window.directions[window.turn(window.directions.index(side), steps)] + name[len(side) :]

    return evolve(kind, regions=tuple(evolve(region, sides=tuple(map(turned, region.sides))) for region in kind.regions))
