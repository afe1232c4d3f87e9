"""Relaxed tasks: what moves need and bring, as if nothing were ever lost again (delete relaxation: Bonet and Geffner 2001).

A *fact* is a value at a slot. For each class of moves (abstract_moves.py) and each slot by itself, the abstract moves give the
values at which such a move is possible and the values after it. Landmarks of the task bound the moves to a goal from below
(solver/shortest/kernels/landmark_cut.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rulewright.base.records import define, field, frozen
from rulewright.solver.shortest.kernels.landmark_cut import GOAL, TRUE

from .abstract_moves import MoveClass
from .distance_tables import DistanceTables, OutOfTime
from .partial_state import MOST_FOUND, MOST_VALUES, Slot

FREE = 0
"""Code of the label of operators that no move stands for, and that cost nothing."""


@frozen
class RelaxedOperator:
    """Brings the facts `adds` where the facts `needs` hold. A move of the class with number `label - 1` applies all operators
    of that label whose needs hold, at a cost of 1."""

    label: int
    needs: tuple[int, ...]
    adds: tuple[int, ...]


@frozen
class RelaxedTask:
    """Operators over numbered facts; `facts_at` gives the fact of each value of a slot."""

    facts_at: Mapping[Slot, Mapping[int, int]]
    fact_count: int
    operators: tuple[RelaxedOperator, ...]

    @property
    def label_count(self) -> int:
        return 1 + max((operator.label for operator in self.operators), default=FREE)

    def knows(self, values: Mapping[Slot, int]) -> bool:
        """Whether every value of a state is a fact."""
        return all(values.get(slot) in facts for slot, facts in self.facts_at.items())


@define
class Relaxation:
    """Derives the relaxed task of a question."""

    tables: DistanceTables
    _facts: dict[Slot, dict[int, int]] = field(factory=dict, init=False)
    _after: dict[Slot, dict[int, dict[int, frozenset[int]]]] = field(factory=dict, init=False)
    """For each slot and label, the outcomes."""
    _any_of: dict[frozenset[int], int] = field(factory=dict, init=False)
    """The fact that holds if one of some facts does."""
    _fact_count: int = field(default=2, init=False)
    _operators: list[RelaxedOperator] = field(factory=list, init=False)

    def find(self) -> RelaxedTask:
        """The task, without the variables of which some move changes an unknown slot. Raises `OutOfTime`, also if there are too
        many facts."""
        anywhere = frozenset[str]().union(*(moved.anywhere for moved in self.tables.classes))
        for variable in sorted(self.tables.variables - anywhere):
            for slot, value in self.tables.root_values(variable).items():
                if slot not in self.tables.frame.constant:
                    self._follow(slot, value)
        for label, moved in enumerate(self.tables.classes, FREE + 1):
            self._add_move(label, moved)
        goals = [self._need(slot, self._goals(slot)) for slot in self._facts]
        if None not in goals:
            self._add(FREE, goals, (GOAL,))
        return RelaxedTask(self._facts, self._fact_count, tuple(self._operators))

    def _follow(self, slot: Slot, root: int) -> None:
        """Give each value that a slot may come to have a fact, unless what some move makes of it is unknown."""
        moves, after, values = self.tables.abstract_moves, dict[int, dict[int, frozenset[int]]](), [root]
        for value in values:
            for number in self.tables.touching.get(slot, ()):
                later = moves.values_after(self.tables.classes[number], slot, (value,))
                if later is None or len(values) > MOST_VALUES:
                    return
                if later:
                    after.setdefault(FREE + 1 + number, {})[value] = frozenset(later)
                    values += sorted(later.difference(values))
        self._after[slot] = after
        self._facts[slot] = {value: self._new_fact() for value in sorted(values)}

    def _add_move(self, label: int, moved: MoveClass) -> None:
        """The operators of a class: one of what its moves certainly bring, one more for each value that they may replace."""
        outcomes = {slot: self._after[slot].get(label, {}) for slot in sorted(moved.touched) if slot in self._facts}
        needs = {slot: self._need(slot, after.keys()) for slot, after in outcomes.items()}
        if None in needs.values():
            return
        certain: list[int] = []
        for slot, after in outcomes.items():
            facts, always = self._facts[slot], frozenset.intersection(*after.values())
            certain += (facts[value] for value in always)
            others = [need for other, need in needs.items() if other != slot]
            for value, later in after.items():
                if rest := later - always - {value}:
                    self._add(label, [*others, facts[value]], [facts[one] for one in rest])
        self._add(label, needs.values(), certain)

    def _add(self, label: int, needs: Iterable[int | None], adds: Iterable[int]) -> None:
        """Add an operator, unless it brings nothing that it does not need."""
        needed = frozenset(need for need in needs if need is not None) - {TRUE} or frozenset((TRUE,))
        if added := frozenset(adds) - needed:
            self._operators.append(RelaxedOperator(label, tuple(sorted(needed)), tuple(sorted(added))))

    def _need(self, slot: Slot, allowed: Collection[int]) -> int | None:
        """The fact that a slot has one of some values; TRUE if it always has, None if there are none."""
        facts = self._facts[slot]
        needed = frozenset(facts[value] for value in allowed)
        if len(needed) == len(facts):
            return TRUE
        if len(needed) <= 1:
            return next(iter(needed), None)
        if needed not in self._any_of:
            self._any_of[needed] = self._new_fact()
            for fact in needed:
                self._add(FREE, (fact,), (self._any_of[needed],))
        return self._any_of[needed]

    def _goals(self, slot: Slot) -> Collection[int]:
        """The values of a slot at which the condition may hold."""
        values = self._facts[slot].keys()
        if slot[0] not in self.tables.aims:
            return values
        return [value for value in values if self.tables.may_be_goal((slot, value))]

    def _new_fact(self) -> int:
        if self._fact_count == MOST_FOUND:
            raise OutOfTime
        self._fact_count += 1
        return self._fact_count - 1
