"""Pattern databases (Culberson and Schaeffer 1998): a kernel fills them from the factors of a pattern, and they are kept in
the code cache like machine code."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from rulewright.base.records import define, frozen
from rulewright.solver.shortest.kernels import pattern_search
from rulewright.solver.shortest.kernels.distance_estimate import ENTRY_BITS, OUT_OF_REACH, PACKED
from rulewright.solver.shortest.kernels.pattern_search import IMPOSSIBLE, PatternFactor, PatternSearch
from rulewright.subset.buffers import ints
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, as_machine_code_by
from rulewright.subset.table_builder import TableBuilder

from .cached_distances import CachedDistances
from .distance_tables import OutOfTime, Thing
from .factors import Factor, Factors, Pattern, Sum, label_count, patterns_of
from .partial_state import Slot

FORMAT = "patterns 7"


@frozen
class PatternDatabase:
    """The places of each factor of a pattern, and the packed distances of all their combinations."""

    places: tuple[tuple[Thing, ...], ...]
    packed: bytes

    @cached_property
    def parts(self) -> Mapping[Slot, Mapping[int, int]]:
        """What each value of a slot adds to the index of a state."""
        found: dict[Slot, dict[int, int]] = {}
        for places, stride in zip(self.places, strides(map(len, self.places)), strict=True):
            for number, (slot, value) in enumerate(places):
                found.setdefault(slot, {})[value] = number * stride
        return found

    def knows(self, values: Mapping[Slot, int]) -> bool:
        """Whether each factor is at exactly one of its places in a state."""
        return all(sum(values.get(slot) == held for slot, held in places) == 1 for places in self.places)

    def distance(self, values: Mapping[Slot, int]) -> int:
        """A lower bound on the moves of the pattern that are left; OUT_OF_REACH if no goal is reachable."""
        index = sum(part.get(values[slot], 0) for slot, part in self.parts.items())
        word = int.from_bytes(self.packed[4 * (index // PACKED) : 4 * (index // PACKED) + 4], sys.byteorder)
        return (word >> (ENTRY_BITS * (index % PACKED))) & OUT_OF_REACH


def strides(sizes: Iterable[int]) -> list[int]:
    """The weights of the digits of a mixed-radix number, least significant first."""
    *found, _ = accumulate(sizes, lambda product, size: product * size, initial=1)
    return found


def filled(pattern: Pattern, make: Maker) -> PatternDatabase:
    """The database of a pattern, filled by the program that `make` compiles."""
    factors = sorted(pattern.factors, key=lambda factor: -len(factor.restricted))
    search = _search(factors, pattern)
    make((Source(inspect.getsource(pattern_search), vars(pattern_search)),), ("pattern_distances",)).pattern_distances(search)
    packed = search.array_named("packed").items.cast("B")
    return PatternDatabase(tuple(factor.places for factor in factors), bytes(packed))


def _search(factors: Sequence[Factor], pattern: Pattern) -> PatternSearch:
    builder = TableBuilder(PatternSearch)
    moving = sorted(frozenset[int]().union(*(factor.moving for factor in factors)))
    labels = label_count(factors)
    records: list[int] = []
    for factor, stride in zip(factors, strides(len(factor.places) for factor in factors), strict=True):
        places = len(factor.places)
        before = [IMPOSSIBLE] * (labels * places)
        for label in moving:
            for place, later in factor.function(label).items():
                before[label * places + later] = place
        records += PatternFactor.words(
            places=places,
            stride=stride,
            is_counted=int(any(factor is one for one in pattern.counted)),
            place=0,
            may_be_goal=builder.add("pattern_words", [int(place in factor.goals) for place in range(places)]),
            before=builder.add("pattern_words", before),
        )
    ending: list[list[int]] = [[] for _ in factors[0].places]
    for label in moving:
        for place in set(factors[0].function(label).values()):
            ending[place].append(label)
    builder.put(factors=records, factor_count=len(factors), entries=pattern.states)
    builder.put(first_label=accumulate(map(len, ending), initial=0), labels=ending)
    builder.put(paid=[int(pattern.paid is None or label in pattern.paid) for label in range(labels)])
    return PatternSearch(
        pattern_words=builder.array("pattern_words"),
        distances=ints(pattern.states),
        queue=ints(2 * pattern.states),
        packed=ints(-(-pattern.states // PACKED)),
    )


Databases = tuple[tuple[PatternDatabase, ...], ...]
"""For each sum of patterns, its databases."""


@define
class CachedPatterns:
    """The pattern databases of a problem. They depend on the inputs of its distances, and on those of all that they follow."""

    distances: CachedDistances

    @cached_property
    def recalled(self) -> Databases | None:
        """The cached databases; empty if none is worthwhile, None if unknown."""
        found: Databases | None = self.distances.recall(FORMAT)
        if not found:
            return found
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
        self.distances.keep(FORMAT, found, bool(found))
