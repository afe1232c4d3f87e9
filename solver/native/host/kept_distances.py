"""Distances to a goal for the kernels; derived once for rules, question and what stands still, then kept in the code cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.heuristics.distance_tables import Distances, DistanceTable, DistanceTables
from rulewright.solver.heuristics.partial_state import NO_INDEX, Slot
from rulewright.solver.native.kernels.distance_estimate import DistanceWords, SlotDistances, SlotGroup
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem
from rulewright.subset import code_cache
from rulewright.subset.buffers import ints
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

FORMAT = "distances 1"

MOST_VALUES = 1 << 16
"""Of a variable with more values no distances are kept."""


@define
class KeptDistances:
    """The distances of a problem; `texts` identify its rules and its question."""

    problem: ShortestPlanProblem
    texts: Sequence[str]

    @property
    def are_kept(self) -> bool:
        """Whether the cache has them."""
        return self._recalled is not None

    def words(self, machine: MachineGame, deadline: float) -> DistanceWords | None:
        """For the kernels; None where they say no more than that there is a move to come. Raises `OutOfTime` when
        `time.monotonic()` reaches the deadline."""
        found = self._recalled
        if found is None:
            found = self._finder(deadline).find()
            self._keep(found)
        says_more = any(distance > 1 for table in found.tables for distance in table.distances.values())
        return _words_of(found.tables, machine) if says_more else None

    def _finder(self, deadline: float = 0.0) -> DistanceTables:
        problem = self.problem
        is_moves = problem.cost_of is CostOf.MOVES
        return DistanceTables(problem.engine, problem.root, problem.until, problem.analysis, deadline, is_moves)

    @cached_property
    def _name(self) -> str:
        return code_cache.name_of((FORMAT, *self.texts, repr(self._finder().inputs)))

    @cached_property
    def _recalled(self) -> Distances | None:
        folder = code_cache.cache_folder()
        code = None if folder is None else code_cache.recall(folder, self._name)
        if code is None:
            return None
        tables, standing, reached = json.loads(code.object)
        found = Distances(
            tuple(
                DistanceTable(name, most, {((name, index), value): distance for index, value, distance in rows})
                for name, most, rows in tables
            ),
            {(name, index): kind for name, index, kind in standing},
            {(name, index): frozenset(cells) for name, index, cells in reached},
        )
        return found if self._finder().hold(found) else None

    def _keep(self, found: Distances) -> None:
        folder = code_cache.cache_folder()
        if folder is not None:
            tables = [
                (table.variable, table.most, [(slot[1], value, far) for (slot, value), far in table.distances.items()])
                for table in found.tables
            ]
            standing = [(*slot, kind) for slot, kind in found.standing.items()]
            reached = [(*slot, sorted(cells)) for slot, cells in found.reached.items()]
            text = json.dumps((tables, standing, reached))
            code_cache.keep(folder, self._name, code_cache.Code(text.encode(), {}))


def nothing_known() -> DistanceWords:
    """For a search without estimates."""
    return DistanceWords(ints(size_of(DistanceWords, "distance_words")))


def _words_of(tables: Sequence[DistanceTable], machine: MachineGame) -> DistanceWords:
    builder = TableBuilder(DistanceWords)
    groups: list[int] = []
    for table in tables:
        by_slot: dict[Slot, dict[int, int]] = {}
        for (slot, value), distance in table.distances.items():
            by_slot.setdefault(slot, {})[value] = distance
        members: list[int] = []
        for slot, distances in by_slot.items():
            if not any(distances.values()):
                continue
            allowed = value_range(machine.arrangement.instance, machine.arrangement.slots.places[slot[0]].column.variable)
            if len(allowed) <= MOST_VALUES:
                first = builder.add("distance_words", [distances.get(value, 0) for value in allowed])
                members += SlotDistances.words(slot=_memory_slot(machine.arrangement, slot), distances=first - allowed.start)
        at = builder.add("distance_words", members)
        groups += SlotGroup.words(most=table.most, count=len(members) // size_of(SlotDistances), members=at)
    builder.place(DistanceWords.groups, groups)
    builder.set(DistanceWords.group_count, len(groups) // size_of(SlotGroup))
    return DistanceWords(builder.array("distance_words"))


def _memory_slot(arrangement: Arrangement, slot: Slot) -> int:
    """Where a value lies in the memory of a game."""
    name, index = slot
    place = arrangement.slots.places[name]
    if place.column.over_cells:
        return arrangement.header[place.entry] + index
    return place.slot if index == NO_INDEX else place.slot + index - place.column.offset
