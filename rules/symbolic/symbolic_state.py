"""A symbolic state: a guarded value for each variable, either read from the abstract state graph or encoded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.records import define, field
from rulewright.rules.model.state import State, StateLayout

from .circuit import FALSE, Lit, Refused
from .guarded_values import Encoder, Guarded, GuardedSet, Set, Value, ZoneContents, constant

Slot = tuple[str, int | None, int]
"""A variable, an index and a kind: a zone has a slot for its count of each kind; otherwise the kind is 0."""


@define
class SymbolicState:
    """Variables `tracked` by the abstract state graph are read from `tracked_column`, which takes the number of a column.

    `slots` holds the others where they may differ from the root. `pending` holds the writes of the current effects, to
    tracked variables too; a whole tracked zone is one slot, of kind 0.
    """

    layout: StateLayout
    root: State
    tracked: frozenset[str]
    tracked_column: Callable[[int], Guarded]
    encoder: Encoder
    slots: dict[Slot, Guarded]
    pending: dict[Slot, Guarded] = field(factory=dict)

    def read(self, variable: str, index: int | None) -> Guarded:
        """The value of a variable. In a branch not taken an index may be no cell: it reads the value at `nowhere`."""
        if variable in self.tracked:
            return self.pending.get((variable, index, 0)) or self.tracked_column(self._position(variable, index))
        found = self._written((variable, index, 0))
        if found is not None:
            return found
        held = self.root[self._position(variable, index)]
        if index is None or not self.layout.columns[variable].over_cells:
            return constant(held)
        return constant(held[index if 0 <= index < len(held) else -1])

    def at(self, slot: Slot) -> Guarded:
        """The value of a slot."""
        variable, index, kind = slot
        if not kind:
            return self.read(variable, index)
        return self._written(slot) or constant(self.root[self._position(variable, index)].count(kind))

    def _written(self, slot: Slot) -> Guarded | None:
        return self.pending.get(slot) or self.slots.get(slot)

    def _position(self, variable: str, index: int | None) -> int:
        try:
            return self.layout.position(variable, index)
        except IndexError as error:
            raise Refused(f"`{variable}` where it has no value") from error

    def zone(self, variable: str, index: int | None) -> Set:
        """The tiles of a zone; an untracked zone holds each kind as often as its count may reach."""
        if variable in self.tracked:
            return ZoneContents(self.read(variable, index))
        position = self._position(variable, index)
        kinds = {kind for name, at, kind in (*self.slots, *self.pending) if (name, at) == (variable, index)}
        found: list[tuple[Value, Lit]] = []
        for kind in sorted(kinds | set(self.root[position])):
            count = self.at((variable, index, kind))
            found += [
                (constant(kind), self.encoder.test(lambda number, least=least: number >= least, count))  # type: ignore[misc]
                for least in range(1, max(number for number, _ in count.numbers()) + 1)
            ]
        return GuardedSet(tuple(found), ordered=False)

    def occupied(self, board: str) -> Sequence[tuple[int, Lit]]:
        """The cells on which a tile may lie, each with the literal that one does."""
        column = self.root[self.layout.columns[board].start]
        cells = {cell for cell, tile in enumerate(column) if tile}
        cells |= {index for name, index, _ in (*self.slots, *self.pending) if name == board and index is not None}
        return [(cell, -dict(self.read(board, cell).cases).get(0, FALSE)) for cell in sorted(cells)]
