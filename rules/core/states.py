"""Where the states of a grounded game hold the variables of its core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import COUNTED, OVER, StateLayout

from .program import Choose, Core, Variable

Slot = tuple[int, int | None]
"""Where a value stands: a column of a state, and the cell in a column over cells."""


@frozen
class Stored:
    """A variable in the columns from `start` on, or over cells in that one."""

    variable: Variable
    start: int
    over_cells: bool

    def slot(self, index: int | None) -> Slot | None:
        """The place of an index; None outside of it."""
        inside = self.variable.index
        if inside is None or index is None:
            return self.start, None
        if index not in inside:
            return None
        return (self.start, index) if self.over_cells else (self.start + index - inside.start, None)

    def read(self, state: Sequence[Any], index: int | None) -> Any:
        """The value at an index, or what the variable is outside of it."""
        slot = self.slot(index)
        if slot is None:
            return self.variable.none if self.variable.storage is Storage.VALUE else ()
        return read(state, slot)

    def values(self, state: Sequence[Any]) -> list[Any]:
        """The value at each index, in order."""
        number = 1 if self.variable.index is None else len(self.variable.index)
        return list(state[self.start][:number] if self.over_cells else state[self.start : self.start + number])


def read(state: Sequence[Any], slot: Slot) -> Any:
    column, cell = slot
    return state[column] if cell is None else state[column][cell]


def write(columns: list[Any], slot: Slot, value: Any) -> None:
    """Change one value of a state."""
    column, cell = slot
    if cell is None:
        columns[column] = value
    else:
        old = columns[column]
        columns[column] = old[:cell] + type(old)((value,)) + old[cell + 1 :]


def stored(variables: Iterable[Variable], layout: StateLayout) -> dict[str, Stored]:
    """The variables of a core by name. The count of a horizon is none of the game's."""
    found = {}
    for variable in variables:
        column = layout.columns.get(variable.name)
        start, over_cells = (COUNTED, False) if column is None else (column.start, column.over_cells)
        found[variable.name] = Stored(variable, start, over_cells)
    return found


def node_of_choice(core: Core, number: int) -> int:
    """The node of a choice; the last one for `OVER`."""
    if number == OVER:
        return len(core.flow) - 1
    return next(at for at, node in enumerate(core.flow) if isinstance(node, Choose) and node.number == number)
