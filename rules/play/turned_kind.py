"""A kind of tile in rotated position."""

from __future__ import annotations

from attrs import evolve

from rulewright.rules.model.game import TileKind, turned_name
from rulewright.rules.spaces.window import Window

from .engine import Engine, State


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
