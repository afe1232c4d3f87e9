"""A classic on the table: positions laid out by hand in an engine, and read off it again as plain cells and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen

from rulewright.rules.linking.project import Project
from rulewright.rules.model.state import COUNTED, Horizon
from rulewright.rules.play.engine import Engine, State
from tests.games.classics.simulators import Cell

NAMES = (
    *("peg_solitaire", "european_solitaire", "triangle_solitaire", "sokoban"),
    *("sliding", "fifteen", "lights_out"),
)
"""The modules that are whole games."""

SPACE = "board"


@frozen
class Table:
    """An engine of a game for one player whose only space is the board, with one choice in its flow."""

    engine: Engine

    def lay(
        self,
        tiles: Mapping[Cell, str],
        marks: Mapping[str, Iterable[Cell]] | None = None,
        numbers: Mapping[str, int] | None = None,
        cells: Mapping[str, Cell] | None = None,
    ) -> State:
        """A position: tiles, truth variables by the cells where they hold, numbers, and variables that are cells.

        Zones are empty; what is not given is as after set-up.
        """
        engine = self.engine
        state = list(engine.start(0))
        state[COUNTED] = 0
        window = engine.instance.windows[SPACE]
        for name, column in engine.layout.columns.items():
            at = column.start
            if column.variable.is_zone:
                state[at] = ()
            elif column.variable.is_board:
                row = bytearray(window.size + 1)
                for cell, tile in tiles.items():
                    row[window.cell(cell)] = engine.game.tile_number(tile)
                state[at] = bytes(row)
            elif column.over_cells and name in (marks or {}):
                row = bytearray(window.size + 1)
                for cell in (marks or {})[name]:
                    row[window.cell(cell)] = 1
                state[at] = bytes(row)
            elif name in (numbers or {}):
                state[at] = (numbers or {})[name]
            elif name in (cells or {}):
                state[at] = window.cell((cells or {})[name])
        return tuple(state)

    def tiles(self, state: State) -> dict[Cell, str]:
        """What stands on the board."""
        column = state[self.engine.layout.columns[SPACE].start]
        names = ("", *(kind.name for kind in self.engine.game.tiles))
        return {cell: names[tile] for cell, tile in zip(self._cells(), column, strict=False) if tile}

    def marked(self, state: State, name: str) -> frozenset[Cell]:
        """The cells at which a truth variable holds."""
        column = state[self.engine.layout.columns[name].start]
        return frozenset(cell for cell, value in zip(self._cells(), column, strict=False) if value)

    def number(self, state: State, name: str) -> int:
        """A variable's value, the player's where there is one for each."""
        value: int = state[self.engine.layout.columns[name].start]
        return value

    def cell(self, state: State, name: str) -> Cell:
        """The cell that a variable holds."""
        return self._cells()[self.number(state, name)]

    def _cells(self) -> tuple[Cell, ...]:
        return self.engine.instance.windows[SPACE].coordinates  # type: ignore[return-value]

    def after(self, state: State) -> list[State]:
        """The states after one move, one for each move."""
        return [self.engine.apply(state, move) for move in self.engine.legal(state)]

    def holds(self, state: State) -> list[str]:
        """The names of the invariants that a state breaks."""
        return [i.name for i in self.engine.game.invariants if not self.engine.value(i.condition, state)]


@cache
def table(name: str, turns: int | None = None) -> Table:
    """The game of a module, ended after so many turns."""
    game = Project(Path(__file__).parent).load(f"classics.{name}")
    return Table(Engine.of(game, 1, horizon=Horizon("turn", turns) if turns else None))
