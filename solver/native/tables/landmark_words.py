"""Relaxed tasks as the kernels read them."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import value_range
from rulewright.solver.heuristics.relaxed_task import RelaxedTask
from rulewright.solver.native.pruning.landmark_cut import NONE, Fact, Label, Landmarks, Operator, SlotFacts
from rulewright.subset.buffers import ints
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

from .distance_words import MOST_VALUES, memory_slot


def landmarks_of(task: RelaxedTask | None, machine: MachineGame) -> Landmarks:
    """The words of a task, with memory of their own for estimates; empty without a task, for a search without landmarks."""
    if task is None:
        return Landmarks(ints(size_of(Landmarks, "task_words")), ints(1))
    builder = TableBuilder(Landmarks)

    def run(values: Sequence[int]) -> int:
        return builder.add("task_words", values)

    slots: list[list[int]] = []
    for slot, fact_of in task.facts_at.items():
        allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
        if len(allowed) <= MOST_VALUES:
            first = run([fact_of.get(value, NONE) for value in allowed])
            slots.append(SlotFacts.words(slot=memory_slot(machine.arrangement, slot), facts=first - allowed.start))
    users: list[list[int]] = [[] for _ in range(task.fact_count)]
    adders: list[list[int]] = [[] for _ in range(task.fact_count)]
    of_label: list[list[int]] = [[] for _ in range(task.label_count)]
    operators: list[list[int]] = []
    for number, operator in enumerate(task.operators):
        needs, adds = operator.needs, operator.adds
        for fact in needs:
            users[fact].append(number)
        for fact in adds:
            adders[fact].append(number)
        of_label[operator.label].append(number)
        sizes = {"need_count": len(needs), "add_count": len(adds)}
        operators.append(Operator.words(label=operator.label, needs=run(needs), adds=run(adds), **sizes))
    facts = [
        Fact.words(user_count=len(using), users=run(using), adder_count=len(adding), adders=run(adding))
        for using, adding in zip(users, adders, strict=True)
    ]
    by_label = [Label.words(operator_count=len(those), operators=run(those)) for those in of_label]
    count, labels, number = task.fact_count, task.label_count, len(task.operators)
    builder.put(slots=slots, slot_count=len(slots), labels=by_label, label_count=labels)
    builder.put(facts=facts, fact_count=count, operators=operators, operator_count=number)
    builder.reserve(level=count, is_seen=count, in_zone=count, here=2 * count, there=2 * count)
    builder.reserve(missing=number, supporter=number, price=labels, cut_labels=labels)
    return Landmarks(builder.array("task_words"), ints(builder.room["scratch_words"]))
