"""Pattern databases (Culberson and Schaeffer 1998): a kernel fills them from the factors of a pattern, and they are kept in
the code cache like machine code."""

from __future__ import annotations

import inspect
import math
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, chain

from rulewright.base.records import define, field, frozen
from rulewright.rules.play.engine import Engine
from rulewright.solver.shortest.kernels import pattern_search
from rulewright.solver.shortest.kernels.distance_words import ENTRY_BITS, OUT_OF_REACH, PACKED
from rulewright.solver.shortest.kernels.pattern_search import (
    IMPOSSIBLE,
    WORD_BITS,
    PatternFactor,
    PatternLabel,
    PatternSearch,
    Touch,
)
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.lowering import Source
from rulewright.subset.program import Maker, as_machine_code_by
from rulewright.subset.records import size_of

from .cached_distances import CachedDistances
from .distance_tables import OutOfTime
from .factors import SMALL, Factors, Pattern, Size, Sum, patterns_of
from .mirrors import mirrored
from .partial_state import Slot, Thing

FORMAT = "patterns 9"

COPIES = 3
"""By definition, databases as they were filled, as they are written to the cache, and as a search reads them."""


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


def filled(pattern: Pattern, make: Maker, deadline: float = math.inf) -> PatternDatabase:
    """The database of a pattern, filled by the program that `make` compiles. Raises `OutOfTime` when `time.monotonic()` reaches
    the deadline."""
    search, entries = _search(pattern), ("enter_goals", "fill_layer")
    program = make((Source(inspect.getsource(pattern_search), vars(pattern_search)),), entries)
    program.enter_goals(search)
    while program.fill_layer(search):
        if time.monotonic() > deadline:
            raise OutOfTime
    packed = search.array_named("packed").items.cast("B")
    return PatternDatabase(tuple(factor.places for factor in pattern.kept), bytes(packed))


def _search(pattern: Pattern) -> PatternSearch:
    factors, builder = pattern.factors, TableBuilder(PatternSearch)
    labels = {
        number: builder.add("pattern_words", PatternLabel.words(paid=pattern.pays(number), looked=0, difference=0))
        for number in sorted(frozenset[int]().union(*(factor.moving for factor in factors)))
    }
    records: list[int] = []
    for factor, stride in zip(factors, strides(len(factor.places) for factor in factors), strict=True):
        first_touch, touches = [0], list[int]()
        before = {number: {later: place for place, later in factor.function(number).items()} for number in labels}
        for place in range(len(factor.places)):
            for number, label in labels.items():
                there = before[number].get(place)
                difference = IMPOSSIBLE if there is None else (there - place) * stride
                if difference != IMPOSSIBLE if factor is factors[0] else difference:
                    touches += Touch.words(label=label, difference=difference)
            first_touch.append(len(touches) // size_of(Touch))
        records += PatternFactor.words(
            places=len(factor.places),
            stride=stride,
            goal=0,
            goal_count=len(factor.goals),
            goals=builder.add("pattern_words", sorted(factor.goals)),
            first_touch=builder.add("pattern_words", first_touch),
            touches=builder.add("pattern_words", touches),
        )
    bits, packed = -(-pattern.states // WORD_BITS), -(-pattern.entries // PACKED)
    builder.put(factors=records, factor_count=len(factors), is_first_counted=not pattern.context, distance=0, looks=0)
    builder.put(divisor=pattern.states // pattern.entries, bit_words=bits, packed_words=packed)
    return PatternSearch(
        pattern_words=builder.array("pattern_words"),
        opened=longs(bits),
        later=longs(bits),
        closed=longs(bits),
        packed=ints(packed),
    )


Databases = tuple[tuple[PatternDatabase, ...], ...]
"""For each sum of patterns, its databases."""


def filled_sums(sums: Sequence[Sum], engine: Engine, make: Maker, deadline: float = math.inf) -> Databases:
    """The databases of sums, and of their mirrored sums, that are filled before `time.monotonic()` reaches the deadline. Raises
    `OutOfTime` if there are none by then."""
    databases: dict[int, PatternDatabase] = {}
    found: list[tuple[PatternDatabase, ...]] = []
    with suppress(OutOfTime):
        for patterns in sums:
            for pattern in patterns:
                if id(pattern) not in databases:
                    databases[id(pattern)] = filled(pattern, make, deadline)
            found.append(tuple(databases[id(pattern)] for pattern in patterns))
            if places := mirrored(patterns, engine):
                found.append(tuple(map(PatternDatabase, places, (database.packed for database in found[-1]))))
    if sums and not found:
        raise OutOfTime
    return tuple(found)


@define
class CachedPatterns:
    """The pattern databases of a problem. They depend on the inputs of its distances, and on those of all that they follow."""

    distances: CachedDistances
    size: Size = SMALL
    _sums: Sequence[Sum] | None = field(default=None, init=False)

    @property
    def _form(self) -> str:
        return f"{FORMAT} {self.size.states} {self.size.entries}"

    @cached_property
    def recalled(self) -> Databases | None:
        """The cached databases; empty if none is worthwhile, None if unknown."""
        found: Databases | None = self.distances.recall(self._form)
        if not found:
            return found
        databases = list(chain(*found))
        values = self.distances.root_values(slot for database in databases for slot, _ in chain(*database.places))
        return found if all(database.knows(values) for database in databases) else None

    def sums(self, deadline: float) -> Sequence[Sum]:
        """The sums of patterns worth trying. Raises `OutOfTime` when `time.monotonic()` reaches the deadline."""
        if self._sums is None:
            self._sums = patterns_of(Factors(self.distances.derivation(deadline)).find(), self.size)
        return self._sums

    def bytes_to_find(self, deadline: float) -> int:
        """The most memory that is held at once until they are in use, and kept. Raises `OutOfTime`."""
        patterns = {id(pattern): pattern for pattern in chain(*self.sums(deadline))}.values()
        packed = [4 * -(-pattern.entries // PACKED) for pattern in patterns]
        return COPIES * sum(packed) + max((3 * pattern.states // 8 for pattern in patterns), default=0)

    def find(self, deadline: float) -> Databases:
        """The databases worth trying that can be filled before `time.monotonic()` reaches the deadline. Raises `OutOfTime` if
        there are none by then, and the errors of compilation."""
        return filled_sums(self.sums(deadline), self.distances.problem.engine, as_machine_code_by(deadline), deadline)

    def keep(self, found: Databases) -> None:
        """Store the worthwhile databases in the cache."""
        self.distances.keep(self._form, found, bool(found))
