"""Stubborn sets as the kernels read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import value_range
from rulewright.solver.heuristics.partial_state import NO_INDEX
from rulewright.solver.native.pruning import stubborn_sets as kernel
from rulewright.solver.native.pruning.stubborn_sets import Ground, Needed
from rulewright.subset.buffers import ints
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

from .distance_words import MOST_VALUES, memory_slot
from .ground_words import ground_numbers, no_numbers

if TYPE_CHECKING:
    from rulewright.solver.cpsat.model.symbolic_state import Slot
    from rulewright.solver.cpsat.order_free.stubborn_sets import StubbornSets


def stubborn_words(found: StubbornSets | None, machine: MachineGame) -> kernel.StubbornSets:
    """The words, with memory of their own for one state. They are empty if all legal moves are tried: there are no sets, they
    have no goal in the memory of the game, or an action has too many combinations of arguments."""
    nothing = kernel.StubbornSets(ints(size_of(kernel.StubbornSets, "stubborn_words")), ints(1), no_numbers())
    if found is None:
        return nothing
    builder = TableBuilder(kernel.StubbornSets)
    writers = found.writers

    def run(values: Sequence[int]) -> int:
        return builder.add("stubborn_words", values)

    def needed(sets: Mapping[Slot, frozenset[int]]) -> list[int]:
        words: list[int] = []
        for slot, allowed in sets.items():
            name, index, kind = slot
            variable = machine.arrangement.slots.places[name].column.variable
            values = value_range(machine.arrangement.instance, variable)
            if kind or variable.is_layer or len(values) > MOST_VALUES:
                continue
            first = run([int(value in allowed) for value in values])
            words += Needed.words(
                slot=memory_slot(machine.arrangement, (name, NO_INDEX if index is None else index)),
                is_allowed=first - values.start,
                writer_count=len(writers.get(slot, ())),
                writers=run(writers.get(slot, ())),
            )
        return words

    goals = needed(found.goals)
    numbers = ground_numbers([one.move for one in found.actions], machine)
    if not goals or numbers is None:
        return nothing
    ground: list[int] = []
    for number, action in enumerate(found.actions):
        clashes = () if found.interfering is None else found.interfering[number]
        needs = () if found.interfering is None else needed({slot: one.allowed for slot, one in action.accesses.items()})
        ground += Ground.words(
            need_count=len(needs) // size_of(Needed), needs=run(needs), clash_count=len(clashes), clashes=run(clashes)
        )
    builder.place(kernel.StubbornSets.goals, goals)
    builder.place(kernel.StubbornSets.ground, ground)
    builder.set(kernel.StubbornSets.goal_count, len(goals) // size_of(Needed))
    builder.set(kernel.StubbornSets.commutes, int(found.interfering is None))
    for each in (kernel.StubbornSets.is_legal, kernel.StubbornSets.is_chosen, kernel.StubbornSets.pending):
        builder.reserve(each, len(found.actions))
    builder.reserve(kernel.StubbornSets.number_at, len(machine.moves.items) // machine.game.width)
    return kernel.StubbornSets(builder.array("stubborn_words"), ints(builder.room["scratch_words"]), numbers)
