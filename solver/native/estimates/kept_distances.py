"""Distances to a goal, derived once for given rules, question and constants, then kept in the code cache.

If deriving them takes too long, the cache keeps the seconds that it took instead.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.base.cache import Cache
from rulewright.base.records import define
from rulewright.solver.heuristics.distance_tables import Distances, DistanceTable, DistanceTables, OutOfTime
from rulewright.solver.heuristics.partial_state import Slot
from rulewright.solver.search.shortest_plan import CostOf, ShortestPlanProblem

FORMAT = "distances 4"


@define
class KeptDistances:
    """The distances of a problem; `identity` is that of the code and tables that its rules and its question are compiled to."""

    problem: ShortestPlanProblem
    identity: Sequence[str]

    @property
    def are_kept(self) -> bool:
        """Whether they are in the cache."""
        return self._recalled is not None

    @property
    def seconds_in_vain(self) -> float:
        """Processor seconds after which deriving them was given up before; 0 if the cache records none."""
        kept = self._kept
        return kept if isinstance(kept, float) else 0.0

    def found(self, deadline: float) -> Sequence[DistanceTable]:
        """The tables; empty if they show no more than that one move is left. Raises `OutOfTime` when `time.monotonic()` reaches
        the deadline."""
        found = self._recalled
        if found is None:
            began = time.thread_time()
            try:
                self.finder.deadline = deadline
                found = self.finder.find()
            except OutOfTime:
                self._keep(time.thread_time() - began)
                raise
            self._keep(_rows_of(found))
        says_more = any(distance > 1 for table in found.tables for distance in table.distances.values())
        return found.tables if says_more else ()

    @cached_property
    def finder(self) -> DistanceTables:
        """The derivation of the distances."""
        problem = self.problem
        is_moves = problem.cost_of is CostOf.MOVES
        return DistanceTables(problem.engine, problem.root, problem.until, problem.analysis, 0.0, is_moves)

    @cached_property
    def with_ancestors(self) -> DistanceTables:
        """The derivation for estimates that follow all that moves depend on."""
        return self.finder.with_ancestors()

    def derivation(self, deadline: float) -> DistanceTables:
        """The same, until `time.monotonic()` reaches the deadline."""
        self.finder.deadline = self.with_ancestors.deadline = deadline
        return self.with_ancestors

    def recall(self, form: str) -> bytes | None:
        """What `keep` stored in that form; None if it stored nothing, or if it does not hold from this root."""
        cache = _cache()
        kept = None if cache is None or not self.are_kept else cache.recall(cache.name(self._with_ancestors(form)))
        if kept is None:
            return None
        frame, _, content = kept.partition(b"\n")
        return content if not content or self.with_ancestors.holds(*_frame_of(json.loads(frame))) else None

    def keep(self, form: str, content: bytes) -> None:
        """Store what was made from the derivation with ancestors in the cache; empty if that is not worthwhile."""
        cache = _cache()
        if cache is not None:
            found = self.with_ancestors
            frame = _frame_rows(found.standing, found.frame.reached) if content else ((), ())
            kept = json.dumps(frame).encode() + b"\n" + content
            cache.keep(cache.name(self._with_ancestors(form)), kept)

    def root_values(self, slots: Iterable[Slot]) -> Mapping[Slot, int]:
        """The values at the root of the variables of some slots."""
        names = dict.fromkeys(name for name, _ in slots)
        return {slot: value for name in names for slot, value in self.finder.root_values(name).items()}

    def _with_ancestors(self, form: str) -> tuple[str, ...]:
        return form, *self.parts, repr(self.with_ancestors.inputs)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What the tables depend on."""
        return FORMAT, *self.identity, repr(self.finder.inputs)

    @cached_property
    def _kept(self) -> Any:
        """The content of the cache entry: rows, seconds, or None."""
        cache = _cache()
        kept = None if cache is None else cache.recall(cache.name(self.parts))
        return None if kept is None else json.loads(kept)

    @cached_property
    def _recalled(self) -> Distances | None:
        if not isinstance(self._kept, list):
            return None
        tables, *frame = self._kept
        found = Distances(
            tuple(
                DistanceTable(name, most, {((name, index), value): distance for index, value, distance in rows})
                for name, most, rows in tables
            ),
            *_frame_of(frame),
        )
        return found if self.finder.hold(found) else None

    def _keep(self, found: object) -> None:
        cache = _cache()
        if cache is not None:
            cache.keep(cache.name(self.parts), json.dumps(found).encode())


def _cache() -> Cache | None:
    """The cache of what these rooms derive from rules, partly in machine code."""
    return Cache.opened("", "rulewright.rules", "rulewright.solver", "rulewright.subset")


def _rows_of(found: Distances) -> tuple[object, ...]:
    tables = [
        (table.variable, table.most, [(slot[1], value, far) for (slot, value), far in table.distances.items()])
        for table in found.tables
    ]
    return tables, *_frame_rows(found.standing, found.reached)


def _frame_rows(standing: Mapping[Slot, int], reached: Mapping[Slot, frozenset[int]]) -> Sequence[Any]:
    """What distances and the like depend on besides their inputs, as the cache keeps it."""
    return [(*slot, kind) for slot, kind in standing.items()], [(*slot, sorted(cells)) for slot, cells in reached.items()]


def _frame_of(rows: Sequence[Any]) -> tuple[dict[Slot, int], dict[Slot, frozenset[int]]]:
    """The tiles that stand still and the cells that markers reach, from the rows of a cache entry."""
    standing, reached = rows
    return (
        {(name, index): kind for name, index, kind in standing},
        {(name, index): frozenset(cells) for name, index, cells in reached},
    )
