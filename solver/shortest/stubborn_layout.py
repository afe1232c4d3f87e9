"""Stubborn sets as the kernels read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES, ground_numbers, no_numbers
from rulewright.solver.shortest.estimates.distance_layout import memory_slot
from rulewright.solver.shortest.estimates.partial_state import NO_INDEX
from rulewright.solver.shortest.kernels.stubborn_sets import Ground, Needed
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import Table, TableBuilder
from rulewright.subset.records import size_of

from .kernels import stubborn_sets as kernel

if TYPE_CHECKING:
    from rulewright.rules.analysis.stubborn_sets import StubbornSets
    from rulewright.rules.symbolic.symbolic_state import Slot


def stubborn_words(found: StubbornSets | None, machine: MachineGame) -> kernel.StubbornSets:
    """The words, with memory of their own for one state. They are empty if all legal moves are tried: there are no sets, they
    have no goal in the memory of the game, or an action has too many combinations of arguments."""
    nothing = kernel.StubbornSets(ints(size_of(kernel.StubbornSets, "stubborn_words")), ints(1), no_numbers())
    if found is None:
        return nothing
    builder = TableBuilder(kernel.StubbornSets)
    writers = found.writers

    def run(values: Table) -> int:
        return builder.add("stubborn_words", values)

    def needed(sets: Mapping[Slot, frozenset[int]]) -> list[list[int]]:
        words: list[list[int]] = []
        for slot, allowed in sets.items():
            name, index, kind = slot
            variable = machine.arrangement.slots.places[name].column.variable
            values = value_range(machine.arrangement.instance, variable)
            if kind or variable.is_layer or len(values) > MOST_ENTRIES:
                continue
            first = run([int(value in allowed) for value in values])
            at = memory_slot(machine.arrangement, (name, NO_INDEX if index is None else index))
            own = writers.get(slot, ())
            words.append(Needed.words(slot=at, is_allowed=first - values.start, writer_count=len(own), writers=run(own)))
        return words

    goals = needed(found.goals)
    numbers = ground_numbers([one.move for one in found.actions], machine)
    if not goals or numbers is None:
        return nothing
    ground: list[list[int]] = []
    for number, action in enumerate(found.actions):
        clashes = () if found.interfering is None else found.interfering[number]
        needs = () if found.interfering is None else needed({slot: one.allowed for slot, one in action.accesses.items()})
        sizes = {"need_count": len(needs), "clash_count": len(clashes)}
        ground.append(Ground.words(needs=run(needs), clashes=run(clashes), **sizes))
    builder.put(goals=goals, goal_count=len(goals), ground=ground, commutes=int(found.interfering is None))
    count = len(found.actions)
    builder.reserve(is_legal=count, is_chosen=count, pending=count)
    builder.reserve(number_at=len(machine.moves.items) // machine.game.width)
    return kernel.StubbornSets(builder.array("stubborn_words"), ints(builder.room["scratch_words"]), numbers)
