"""Stubborn sets as the kernels read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES, ground_numbers, no_numbers
from rulewright.solver.shortest.estimates.distance_layout import memory_slot
from rulewright.solver.shortest.estimates.partial_state import NO_INDEX
from rulewright.solver.shortest.kernels.stubborn_sets import Needed, StubbornSets
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of

if TYPE_CHECKING:
    from rulewright.rules.analysis import stubborn_sets


def stubborn_words(found: stubborn_sets.StubbornSets | None, machine: MachineGame) -> StubbornSets:
    """The words, with memory of their own for one state. They are empty if all legal moves are tried: there are no sets, they
    have no goal in the memory of the game, or an action has too many combinations of arguments."""
    nothing = StubbornSets(ints(size_of(StubbornSets, "stubborn_words")), ints(1), no_numbers())
    if found is None:
        return nothing
    builder, goals = TableBuilder(StubbornSets), list[list[int]]()
    writers_of = found.writers
    for (name, index, kind), allowed in found.goals.items():
        variable = machine.arrangement.slots.places[name].column.variable
        values = value_range(machine.arrangement.instance, variable)
        if not (kind or variable.is_layer or len(values) > MOST_ENTRIES):
            first = builder.add("stubborn_words", [int(value in allowed) for value in values])
            at = memory_slot(machine.arrangement, (name, NO_INDEX if index is None else index))
            own = writers_of.get((name, index, kind), ())
            writers = builder.add("stubborn_words", own)
            goals.append(Needed.words(slot=at, is_allowed=first - values.start, writer_count=len(own), writers=writers))
    numbers = ground_numbers([one.move for one in found.actions], machine)
    if not goals or numbers is None:
        return nothing
    builder.put(goals=goals, goal_count=len(goals))
    builder.reserve(marks=len(found.actions))
    return StubbornSets(builder.array("stubborn_words"), ints(builder.room["scratch_words"]), numbers)
