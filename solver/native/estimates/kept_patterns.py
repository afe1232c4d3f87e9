"""Pattern databases for the kernels, kept in the code cache like machine code; an entry may say that none is worthwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from rulewright.base.records import define
from rulewright.solver.heuristics.distance_tables import OutOfTime
from rulewright.solver.heuristics.factors import Factors
from rulewright.solver.heuristics.partial_state import Slot, values_in
from rulewright.solver.heuristics.patterns import Sum, patterns_of
from rulewright.subset import code_cache
from rulewright.subset.program import as_machine_code_by

from .kept_distances import KeptDistances, frame_of
from .pattern_databases import PatternDatabase, filled

FORMAT = b"patterns 5\n"

Databases = tuple[tuple[PatternDatabase, ...], ...]
"""For each sum of patterns, its databases."""


@define
class KeptPatterns:
    """The pattern databases of a problem. They depend on the inputs of its distances, and on those of all that they follow."""

    distances: KeptDistances

    @cached_property
    def recalled(self) -> Databases | None:
        """The cached databases; empty if none is worthwhile, None if unknown."""
        folder = code_cache.cache_folder()
        if folder is None or not self.distances.are_kept:
            return None
        code = code_cache.recall(folder, self._name)
        if code is None:
            return None
        frame, found = _read(code.object)
        if found and not (self.distances.with_ancestors.holds(*frame_of(frame)) and self._know_root(found)):
            return None
        return found

    def find(self, deadline: float) -> Databases:
        """The databases worth trying that can be filled before `time.monotonic()` reaches the deadline. Raises `OutOfTime` if
        there are none by then, and the errors of compilation."""
        make = as_machine_code_by(deadline)
        sums: list[Sum] = patterns_of(Factors(self.distances.derivation(deadline)).find())
        databases: dict[int, PatternDatabase] = {}
        found: list[tuple[PatternDatabase, ...]] = []
        for patterns in sums:
            for pattern in patterns:
                if time.monotonic() > deadline:
                    if found:
                        return tuple(found)
                    raise OutOfTime
                if id(pattern) not in databases:
                    databases[id(pattern)] = filled(pattern, make)
            found.append(tuple(databases[id(pattern)] for pattern in patterns))
        return tuple(found)

    def keep(self, found: Databases) -> None:
        """Store the worthwhile databases in the cache."""
        folder = code_cache.cache_folder()
        if folder is not None:
            shape = [[(database.places, len(database.packed)) for database in each] for each in found]
            frame = self.distances.frame if found else ((), ())
            packed = b"".join(database.packed for each in found for database in each)
            content = FORMAT + json.dumps((frame, shape)).encode() + b"\n" + packed
            code_cache.keep(folder, self._name, code_cache.Code(content, {}))

    @property
    def _name(self) -> str:
        return code_cache.name_of((FORMAT.decode(), self.distances.name_with_ancestors))

    def _know_root(self, found: Databases) -> bool:
        problem = self.distances.problem
        values: dict[Slot, int] = {}
        for slot, _ in (thing for each in found for database in each for thing in chain(*database.places)):
            if slot not in values:
                values |= values_in(problem.engine.layout, problem.root, slot[0])
        return all(database.knows(values) for each in found for database in each)


def _read(content: bytes) -> tuple[Sequence[Any], Databases]:
    head, _, packed = content[len(FORMAT) :].partition(b"\n")
    found, at = [], 0
    frame, shape = json.loads(head)
    for each in shape:
        databases = []
        for places, length in each:
            databases.append(PatternDatabase(_things(places), packed[at : at + length]))
            at += length
        found.append(tuple(databases))
    return frame, tuple(found)


def _things(places: Sequence[Sequence[tuple[tuple[str, int], int]]]) -> tuple[tuple[tuple[Slot, int], ...], ...]:
    return tuple(tuple(((name, index), value) for (name, index), value in factor) for factor in places)
