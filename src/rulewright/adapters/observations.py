"""What a player sees of a state, as a vector of numbers; and all actions by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.api.state import State
from rulewright.base.records import define
from rulewright.rules.model.state import Column, value_range
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.static.action_numbers import ActionNumbers


@define(eq=False)
class Encoding:
    """The numbers of the states and actions of a game for a number of players.

    A vector has the number of the choice, the player to move, then for each variable in the order of the text its values, or
    for a zone its size and how many tiles it has of each kind. What the player may not see is one less than the least value,
    for the tiles of a zone 0. The progress of loops is left out.
    """

    engine: Engine

    @classmethod
    def of(cls, state: State) -> Encoding:
        """The encoding of a state's game. Raises `RulesError` if its actions cannot be numbered."""
        found = cls(state.engine)
        _ = found.actions
        return found

    def __deepcopy__(self, _: object) -> Encoding:
        """The encoding itself, which nothing changes."""
        return self

    @cached_property
    def actions(self) -> ActionNumbers:
        """The numbers of all actions."""
        return ActionNumbers.of(self.engine)

    @cached_property
    def bounds(self) -> tuple[tuple[int, int], ...]:
        """The least and the greatest number at each place of a vector."""
        header = ((-1, len(self.engine.choices)), (0, self.engine.instance.players))
        return (*header, *(pair for column in self._columns for pair in self._bounds_of(column)))

    def vector(self, state: State, player: int) -> list[int]:
        """The numbers of a state as a player sees it."""
        values, viewer = state.columns, Viewer(player=player)
        found = [values[0], self.engine.player(values)]
        for column in self._columns:
            found += self._numbers(state, viewer, column)
        return found

    def legal(self, state: State) -> dict[int, int]:
        """The legal actions of a state: the index in `State.legal` of each number."""
        return {self.actions.number(action.move): at for at, action in enumerate(state.legal)}

    @property
    def _columns(self) -> Sequence[Column]:
        return tuple(column for column in self.engine.layout.columns.values() if not column.variable.is_loop)

    def _bounds_of(self, column: Column) -> Iterator[tuple[int, int]]:
        instance, variable = self.engine.instance, column.variable
        if variable.is_zone:
            most = instance.number_of_tiles
            yield from [(0, most)] * (column.count * (1 + len(instance.game.tiles)))
        else:
            allowed = value_range(instance, variable)
            number = self._cells(column) if column.over_cells else column.count
            yield from [(allowed.start - 1, allowed.stop - 1)] * number

    def _cells(self, column: Column) -> int:
        return len(self.engine.unset[column.start]) - 1

    def _numbers(self, state: State, viewer: Viewer, column: Column) -> Iterator[int]:
        variable, values = column.variable, state.columns
        if column.over_cells:
            cells = values[column.start][:-1]
            hidden = value_range(self.engine.instance, variable).start - 1
            yield from cells if viewer.sees(self.engine, values, variable, None) else [hidden] * len(cells)
            return
        for number in range(column.count):
            value = values[column.start + number]
            is_seen = viewer.sees(self.engine, values, variable, column.offset + number)
            if variable.is_zone:
                counts = Counter[int](value if is_seen else ())
                yield len(value)
                yield from (counts[kind] for kind in range(1, len(self.engine.game.tiles) + 1))
            else:
                yield value if is_seen else value_range(self.engine.instance, variable).start - 1
