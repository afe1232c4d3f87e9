"""The slots of states that a pool keeps."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence

from rulewright.base.records import frozen
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.state_hash import telling_slots
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.subset.buffers import ints, longs
from rulewright.subset.records import size_of

from .state_pool import KeptRun, PooledState, StatePool


@frozen
class KeptSlots:
    """The slots that play may change, those first that tell states apart; and the number of all slots."""

    kept: Sequence[int]
    telling_count: int
    slot_count: int

    @classmethod
    def of(cls, arrangement: Arrangement, analysis: DataflowAnalysis, telling: Collection[str], counts: bool) -> KeptSlots:
        """Those of a game in which the `telling` variables, and the count of the horizon if `counts`, tell states apart."""
        changing, told = arrangement.slots_of(analysis.changing_variables), set(telling_slots(arrangement, telling, counts))
        first = [slot for slot in changing if slot in told]
        return cls((*first, *(slot for slot in changing if slot not in told)), len(first), arrangement.size)

    @classmethod
    def all(cls, arrangement: Arrangement) -> KeptSlots:
        """All slots, for a search that compares no states."""
        return cls(range(arrangement.size), 0, arrangement.size)

    @property
    def bytes(self) -> int:
        """Bytes of a state in a pool."""
        return 4 * len(self.kept) + 8 * size_of(PooledState)

    def pool(self, states: int) -> StatePool:
        """Room for `states` states. Each pool has its own lists: arguments of machine code share no array unless they declare
        it."""
        count, place_of = len(self.kept), ints(self.slot_count)
        telling, others = _runs(self.kept[: self.telling_count]), _runs(self.kept[self.telling_count :])
        runs = [word for first, length in (*telling, *others) for word in KeptRun.words(first=first, count=length)]
        place_of.items[:] = array("i", [-1]) * self.slot_count
        for place, slot in enumerate(self.kept):
            place_of[slot] = place
        return StatePool(
            pool_slots=ints(states * count),
            pool_heads=longs(states * size_of(PooledState)),
            kept=ints(count).fill(self.kept),
            kept_runs=ints(len(runs)).fill(runs),
            place_of=place_of,
            slot_count=count,
            telling_count=self.telling_count,
            run_count=len(telling) + len(others),
            telling_runs=len(telling),
        )


def _runs(slots: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of consecutive slots: the first of each and their number."""
    found: list[tuple[int, int]] = []
    for slot in slots:
        first, count = found[-1] if found else (slot, 0)
        if count and first + count == slot:
            found[-1] = first, count + 1
        else:
            found.append((slot, 1))
    return found
