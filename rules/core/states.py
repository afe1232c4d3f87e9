"""States of a grounded game as states of its core."""

from __future__ import annotations

from typing import Any

from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, State, StateLayout

from .player import CoreState
from .program import Choose, Core


def core_state(core: Core, layout: StateLayout, state: State) -> CoreState:
    """The state of the core at the same choice, or at the end of the game."""
    return CoreState(node_of_choice(core, state[POINT]), state[SEED], columns_of(core, layout, state))


def node_of_choice(core: Core, number: int) -> int:
    """The node of a choice; the last one for `OVER`."""
    if number == OVER:
        return len(core.flow) - 1
    return next(at for at, node in enumerate(core.flow) if isinstance(node, Choose) and node.number == number)


def columns_of(core: Core, layout: StateLayout, state: State) -> tuple[tuple[Any, ...], ...]:
    """The values of each variable of the core."""
    found: list[tuple[Any, ...]] = []
    for variable in core.variables:
        column = layout.columns.get(variable.name)
        if column is None:
            found.append((state[COUNTED],))
        elif column.over_cells:
            assert variable.index is not None
            found.append(tuple(state[column.start])[: len(variable.index)])
        else:
            found.append(tuple(state[column.start : column.start + column.count]))
    return tuple(found)


def set_up_state(core: Core, layout: StateLayout, unset: State) -> CoreState:
    """The state in which a game begins with its set-up."""
    return CoreState(0, unset[SEED], columns_of(core, layout, unset))
