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

    slots: list[int] = []
    for slot, fact_of in task.facts_at.items():
        allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
        if len(allowed) <= MOST_VALUES:
            first = run([fact_of.get(value, NONE) for value in allowed])
            slots += SlotFacts.words(slot=memory_slot(machine.arrangement, slot), facts=first - allowed.start)
    users: list[list[int]] = [[] for _ in range(task.fact_count)]
    adders: list[list[int]] = [[] for _ in range(task.fact_count)]
    of_label: list[list[int]] = [[] for _ in range(task.label_count)]
    operators: list[int] = []
    for number, operator in enumerate(task.operators):
        for fact in operator.needs:
            users[fact].append(number)
        for fact in operator.adds:
            adders[fact].append(number)
        operators += Operator.words(
            label=operator.label,
            need_count=len(operator.needs),
            needs=run(operator.needs),
            add_count=len(operator.adds),
            adds=run(operator.adds),
        )
        of_label[operator.label].append(number)
    facts: list[int] = []
    for using, adding in zip(users, adders, strict=True):
        facts += Fact.words(user_count=len(using), users=run(using), adder_count=len(adding), adders=run(adding))
    labels = [word for those in of_label for word in Label.words(operator_count=len(those), operators=run(those))]
    builder.place(Landmarks.slots, slots)
    builder.place(Landmarks.labels, labels)
    builder.place(Landmarks.facts, facts)
    builder.place(Landmarks.operators, operators)
    builder.set(Landmarks.slot_count, len(slots) // size_of(SlotFacts))
    builder.set(Landmarks.fact_count, task.fact_count)
    builder.set(Landmarks.operator_count, len(task.operators))
    builder.set(Landmarks.label_count, task.label_count)
    of_facts = Landmarks.level, Landmarks.is_seen, Landmarks.in_zone
    of_operators = Landmarks.missing, Landmarks.supporter
    for each, size in (
        *((entry, task.fact_count) for entry in of_facts),
        *((entry, len(task.operators)) for entry in of_operators),
        *((entry, task.label_count) for entry in (Landmarks.price, Landmarks.cut_labels)),
        *((entry, 2 * task.fact_count) for entry in (Landmarks.here, Landmarks.there)),
    ):
        builder.reserve(each, size)
    return Landmarks(builder.array("task_words"), ints(builder.room["scratch_words"]))
