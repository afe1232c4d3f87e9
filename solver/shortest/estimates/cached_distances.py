"""Distances to a goal, derived once for given rules, question and constants, then kept in the code cache, and all else that is
derived like them.

If deriving them takes too long, the cache keeps the seconds that it took instead.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.base.cache import Cache
from rulewright.base.records import define
from rulewright.solver.shortest.problem import CostOf, ShortestPlanProblem

from .distance_tables import Distances, DistanceTable, DistanceTables, OutOfTime
from .partial_state import Slot

FORMAT = "distances 8"


@define
class CachedDistances:
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
                _keep(self.parts, time.thread_time() - began)
                raise
            _keep(self.parts, found)
        says_more = any(distance > 1 for table in found.tables for distance in table.distances.values())
        return found.tables if says_more else ()

    @cached_property
    def finder(self) -> DistanceTables:
        """The derivation of the distances."""
        problem = self.problem
        step = 1 if problem.cost_of is CostOf.MOVES else 0
        given = problem.engine, problem.root, problem.until, problem.analysis, 0.0, step
        counters = problem.analysis.live_variables - problem.telling_variables
        return DistanceTables(*given, merged=problem.region_markers.closures, counters=counters)

    @cached_property
    def with_ancestors(self) -> DistanceTables:
        """The derivation for estimates that follow all that moves depend on."""
        return self.finder.with_ancestors()

    def derivation(self, deadline: float) -> DistanceTables:
        """The same, until `time.monotonic()` reaches the deadline."""
        self.finder.deadline = self.with_ancestors.deadline = deadline
        return self.with_ancestors

    def recall(self, form: str) -> Any:
        """What `keep` stored in that form; None if it stored nothing, or if it does not hold from this root."""
        kept = _recall(self._with_ancestors(form)) if self.are_kept else None
        if kept is None:
            return None
        frame, content = kept
        return content if frame is None or self.with_ancestors.holds(*frame) else None

    def keep(self, form: str, content: object, is_worthwhile: bool) -> None:
        """Store what was made from the derivation with ancestors; what is not worthwhile is so from any root."""
        found = self.with_ancestors
        _keep(self._with_ancestors(form), ((found.standing, found.frame.reached) if is_worthwhile else None, content))

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
        """Distances, or the seconds in which they were not derived; None if unknown."""
        return _recall(self.parts)

    @cached_property
    def _recalled(self) -> Distances | None:
        found = self._kept
        return found if isinstance(found, Distances) and self.finder.hold(found) else None


def _cache() -> Cache | None:
    """The cache of what these rooms derive from rules, partly in machine code."""
    return Cache.opened("", "rulewright.rules", "rulewright.solver", "rulewright.subset")


def _recall(name: Sequence[str]) -> Any:
    cache = _cache()
    content = None if cache is None else cache.recall(cache.name(name))
    return None if content is None else pickle.loads(content)  # signed by the user's own key, like machine code


def _keep(name: Sequence[str], content: object) -> None:
    cache = _cache()
    if cache is not None:
        cache.keep(cache.name(name), pickle.dumps(content))
