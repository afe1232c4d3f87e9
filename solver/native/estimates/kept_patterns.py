"""Pattern databases for the kernels, kept in the code cache like machine code; an entry may say that none is worthwhile."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from rulewright.base.records import define
from rulewright.solver.heuristics.distance_tables import OutOfTime
from rulewright.solver.heuristics.factors import Factors
from rulewright.solver.heuristics.partial_state import Slot
from rulewright.solver.heuristics.patterns import Sum, patterns_of
from rulewright.subset.program import as_machine_code_by

from .kept_distances import KeptDistances
from .pattern_databases import PatternDatabase, filled

FORMAT = "patterns 6"

Databases = tuple[tuple[PatternDatabase, ...], ...]
"""For each sum of patterns, its databases."""


@define
class KeptPatterns:
    """The pattern databases of a problem. They depend on the inputs of its distances, and on those of all that they follow."""

    distances: KeptDistances

    @cached_property
    def recalled(self) -> Databases | None:
        """The cached databases; empty if none is worthwhile, None if unknown."""
        content = self.distances.recall(FORMAT)
        if not content:
            return None if content is None else ()
        found = _read(content)
        databases = list(chain(*found))
        values = self.distances.root_values(slot for database in databases for slot, _ in chain(*database.places))
        return found if all(database.knows(values) for database in databases) else None

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
        self.distances.keep(FORMAT, _content_of(found) if found else b"")


def _content_of(found: Databases) -> bytes:
    shape = [[(database.places, len(database.packed)) for database in each] for each in found]
    return json.dumps(shape).encode() + b"\n" + b"".join(database.packed for database in chain(*found))


def _read(content: bytes) -> Databases:
    head, _, packed = content.partition(b"\n")
    found, at = [], 0
    for each in json.loads(head):
        databases = []
        for places, length in each:
            databases.append(PatternDatabase(_things(places), packed[at : at + length]))
            at += length
        found.append(tuple(databases))
    return tuple(found)


def _things(places: Sequence[Sequence[tuple[tuple[str, int], int]]]) -> tuple[tuple[tuple[Slot, int], ...], ...]:
    return tuple(tuple(((name, index), value) for (name, index), value in factor) for factor in places)
