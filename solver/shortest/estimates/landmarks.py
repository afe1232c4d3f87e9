"""The landmarks of a question: its relaxed task, kept in the code cache, and laid out for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import value_range
from rulewright.solver.kernel.ground_numbers import MOST_ENTRIES
from rulewright.solver.shortest.kernels.landmark_cut import NONE, Fact, Label, Landmarks, Operator, SlotFacts
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of

from .cached_distances import CachedDistances
from .distance_layout import memory_slot
from .relaxed_task import Relaxation, RelaxedTask

FORMAT = "landmarks 4"

NOTHING = RelaxedTask({}, 0, ())
"""In place of a task whose landmarks are not worthwhile."""


@define
class CachedLandmarks:
    """The relaxed task of a problem. It depends on the inputs of its distances, and on those of all that it follows."""

    distances: CachedDistances

    @cached_property
    def recalled(self) -> RelaxedTask | None:
        """The cached task, NOTHING if it is not worthwhile, None if unknown."""
        found: RelaxedTask | None = self.distances.recall(FORMAT)
        is_known = found is None or not found.operators or found.knows(self.distances.root_values(found.facts_at))
        return found if is_known else None

    def find(self, deadline: float) -> RelaxedTask:
        """The task. Raises `OutOfTime`."""
        return Relaxation(self.distances.derivation(deadline)).find()

    def keep(self, found: RelaxedTask) -> None:
        """Store a worthwhile task in the cache, or NOTHING."""
        self.distances.keep(FORMAT, found, bool(found.operators))


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
        if len(allowed) <= MOST_ENTRIES:
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
