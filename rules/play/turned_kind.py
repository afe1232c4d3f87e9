"""A kind of tile as it looks when it lies turned."""

from __future__ import annotations

from attrs import evolve

from rulewright.rules.model.game import TileKind, turned_name
from rulewright.rules.spaces.window import Window

from .engine import Engine, State


def turns_on(engine: Engine, state: State, space: str) -> dict[int, int]:
    """How often the tiles on the cells of a space are turned clockwise, where they are."""
    column = engine.layout.columns.get(turned_name(space))
    if column is None or not column.variable.is_turn:
        return {}
    return {cell: turn for cell, turn in enumerate(state[column.start]) if turn}


def turned_kind(kind: TileKind, window: Window, turn: int) -> TileKind:
    """A kind of tile that is turned so often. Sides turn to sides, on a board with diagonals too."""
    steps = turn * (2 if len(window.around) == 8 else 1)

    def turned(name: str) -> str:
        """Where a side comes to lie, or a port, which keeps its place on its side."""
        side = name.rstrip("0123456789")
        if side not in window.directions:
            return name  # A direction of another space.
        return window.directions[window.turn(window.directions.index(side), steps)] + name[len(side) :]

    return evolve(kind, regions=tuple(evolve(region, sides=tuple(map(turned, region.sides))) for region in kind.regions))
