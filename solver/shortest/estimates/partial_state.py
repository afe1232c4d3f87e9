"""Partially known states: an existential abstraction, read by abstract interpretation (Cousot and Cousot 1977)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import State, StateLayout, value_range
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import HUGE, MAYBE, SMALL, YES, AbstractSet, AbstractValue, exactly, join, one_of

NO_INDEX = -1

MOST_VALUES = 256
"""Variables and things with more values or places are not followed."""

MOST_FOUND = 4096
"""So many guesses of a term, elements of a closure, labels or facts at most."""

Slot = tuple[str, int]
"""A variable and its index, NO_INDEX if it has none: the place of one value in a state."""


Thing = tuple[Slot, int]
"""A slot and its value: a kind of tile on a cell, or the value of a variable. A tile off the board is on the cell OFF."""


def values_in(layout: StateLayout, state: State, variable: str) -> dict[Slot, int]:
    """The value at each slot of a variable in a state."""
    column = layout.columns[variable]
    if column.over_cells:
        return {(variable, index): value for index, value in enumerate(state[column.start])}
    if column.variable.index is None:
        return {(variable, NO_INDEX): state[column.start]}
    held = state[column.start : column.start + column.count]
    return {(variable, index): value for index, value in enumerate(held, column.offset)}


@frozen
class Frame:
    """What holds in every state that play can reach from a root."""

    instance: Instance
    layout: StateLayout
    constant: Mapping[Slot, int]
    """Values that never change: of variables that nothing changes, of cells whose tile never moves, of the slots for no
    cell."""
    lying: Mapping[str, frozenset[int]]
    """The kinds that any other cell of a board may hold."""
    reached: Mapping[Slot, frozenset[int]]
    """All values that some slots ever have."""
    single: frozenset[tuple[str, int]]
    """Boards and kinds with at most one such tile on the board."""
    clear: frozenset[tuple[Slot, str]] = frozenset()
    """Markers, and boards of which no tile lies where they stand between moves."""

    def value(self, slot: Slot) -> AbstractValue:
        """The values that a slot may have."""
        if slot in self.constant:
            return exactly(self.constant[slot])
        if slot[0] in self.lying:
            return one_of(self.lying[slot[0]])
        if slot in self.reached:
            return among(self.reached[slot])
        return self.anything(slot[0])

    def other_than(self, variable: str, value: int) -> AbstractValue:
        """All values but one that a slot of a variable may have if it is not constant."""
        if variable in self.lying:
            return one_of(self.lying[variable] - {value})
        allowed = value_range(self.instance, self.layout.columns[variable].variable)
        return one_of(frozenset(allowed) - {value}) if len(allowed) <= SMALL else self.anything(variable)

    def anything(self, variable: str) -> AbstractValue:
        """All values of a variable."""
        allowed = value_range(self.instance, self.layout.columns[variable].variable)
        return AbstractValue(allowed.start, allowed.stop - 1)

    def is_slot(self, slot: Slot) -> bool:
        """Whether a slot exists; an index that is no cell has none."""
        index = self.layout.columns[slot[0]].variable.index
        return index is None or slot[1] in self.instance.domain(index)


@define
class PartialState:
    """The slots of which more is known than the frame says. A value that is `absent` from a variable is at none of its other
    slots."""

    frame: Frame
    known: dict[Slot, AbstractValue] = field(factory=dict)
    absent: dict[str, int] = field(factory=dict)

    def value(self, slot: Slot) -> AbstractValue:
        """The values that a slot may have."""
        if slot in self.known:
            return self.known[slot]
        if slot[0] in self.absent and slot not in self.frame.constant:
            return self.frame.other_than(slot[0], self.absent[slot[0]])
        return self.frame.value(slot)

    def forget(self, variable: str) -> None:
        """Any value may be at any slot of a variable."""
        self.absent.pop(variable, None)
        for slot in [slot for slot in self.known if slot[0] == variable]:
            del self.known[slot]

    def with_clear_cells(self) -> PartialState:
        """The same between moves: no marker stands on certain tiles."""
        known = dict(self.known)
        for marker, board in self.frame.clear:
            here = self.value(marker)
            taken = {cell for (name, cell), tile in self.known.items() if name == board and tile.low > 0}
            if here.exact is not None and here.exact - taken:
                known[marker] = among(here.exact - taken)
        return PartialState(self.frame, known, dict(self.absent))

    def copy(self) -> PartialState:
        return PartialState(self.frame, dict(self.known), dict(self.absent))

    def join(self, other: PartialState) -> None:
        """Keep only what holds in both of two states."""
        self.known = {slot: join([self.value(slot), other.value(slot)]) for slot in {**self.known, **other.known}}
        self.absent = {board: kind for board, kind in self.absent.items() if other.absent.get(board) == kind}


@define
class PartialAlgebra(AbstractAlgebra):
    """Abstract values in partially known states."""

    state: PartialState = field(kw_only=True)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        if index is None:
            return self.state.value((variable, NO_INDEX))
        if index.low == index.high:
            return self.state.value((variable, index.low))
        return self.state.frame.anything(variable)

    def known(self, values: Sequence[int]) -> AbstractSet:
        return _range_of(values.start, values.stop) if isinstance(values, range) else AbstractAlgebra.known(self, values)

    def closure(self, start: AbstractValue, successors: Callable[[AbstractValue], AbstractSet]) -> AbstractSet:
        """The elements reached from any possible start."""
        known = range(start.low, start.high + 1) if start.exact is None else sorted(start.exact)
        if len(known) > MOST_FOUND:
            return ANY_SET
        found = dict.fromkeys(known)
        pending = list(known)
        for here in pending:
            reached = successors(exactly(here))
            if reached.items is None or len(found) > MOST_FOUND:
                return ANY_SET
            for item, inside in reached.items:
                if item.low != item.high:
                    return ANY_SET
                if item.low not in found and not inside.never:
                    found[item.low] = None
                    pending.append(item.low)
        return AbstractSet(tuple((exactly(value), YES if len(known) == 1 and value in known else MAYBE) for value in found))


@lru_cache(maxsize=256)
def _range_of(start: int, stop: int) -> AbstractSet:
    return AbstractSet(tuple((exactly(value), YES) for value in range(start, stop)), known=frozenset(range(start, stop)))


ANY_SET = AbstractSet(None, AbstractValue(-HUGE, HUGE), HUGE)


def among(values: frozenset[int]) -> AbstractValue:
    """One of some values, however many there are."""
    return AbstractValue(min(values), max(values), values)


def partial_algebra(state: PartialState) -> PartialAlgebra:
    """The algebra that reads a state."""
    return PartialAlgebra(state.frame.instance, state.frame.layout, {}, frozenset(), state=state)
