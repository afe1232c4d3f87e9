"""The arrays of a best-first search: room for its states, a table of those that are known, mail for other workers."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import Any

from rulewright.base.records import frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.state_hash import telling_slots
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.native.kernels.state_mail import Letter, Mail
from rulewright.solver.native.kernels.state_pool import KeptRun, PooledState, StatePool
from rulewright.solver.native.kernels.uniform_cost import NUMBER, Known, UniformCost, Way
from rulewright.solver.search.shortest_plan import CostOf
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import parts_of
from rulewright.subset.records import size_of

from .distance_words import nothing_known
from .landmark_words import landmarks_of
from .orbit_words import no_orbits
from .stubborn_words import stubborn_words

FIRST_TABLE = 1 << 14
"""Entries of the first table of known states; each next table has GROWTH times as many."""

GROWTH = 8

LETTERS = 1 << 14
"""States that a worker may send in a round."""


@frozen
class KeptSlots:
    """The slots that play may change, those first that tell states apart; and the number of all slots."""

    kept: Sequence[int]
    telling_count: int
    slot_count: int

    @classmethod
    def of(cls, machine: MachineGame, analysis: DataflowAnalysis, telling: Collection[str], counts: bool) -> KeptSlots:
        """Those of a game in which the `telling` variables, and the count of the horizon if `counts`, tell states apart."""
        arrangement = machine.arrangement
        changing, told = arrangement.slots_of(analysis.changing_variables), set(telling_slots(arrangement, telling, counts))
        first = [slot for slot in changing if slot in told]
        return cls((*first, *(slot for slot in changing if slot not in told)), len(first), arrangement.size)

    @classmethod
    def all(cls, machine: MachineGame) -> KeptSlots:
        """All slots, for a search that compares no states."""
        size = machine.arrangement.size
        return cls(range(size), 0, size)

    def pool(self, states: int) -> StatePool:
        """Room for `states` states. Each pool has its own lists: arguments of machine code share no array unless they declare
        it."""
        count, place_of = len(self.kept), ints(self.slot_count)
        telling, others = _runs(self.kept[: self.telling_count]), _runs(self.kept[self.telling_count :])
        runs = [word for first, length in (*telling, *others) for word in KeptRun.words(first=first, count=length)]
        place_of.items[:] = array("i", [-1]) * self.slot_count
        for place, slot in enumerate(self.kept):
            place_of[slot] = place
        heads = longs(states * size_of(PooledState))
        return StatePool(
            pool_slots=ints(states * count),
            pool_heads=heads,
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


def bytes_of_state(machine: MachineGame, kept: KeptSlots) -> int:
    """Bytes that a search takes for each state of a game."""
    pooled = 4 * len(kept.kept) + 8 * size_of(PooledState)
    return pooled + 4 * (size_of(Way) + machine.game.width + 2) + 8 + 2 * 8 * size_of(Known)


def most_states_in(room: int, machine: MachineGame, kept: KeptSlots) -> int:
    """The most states of a game that `room` bytes hold, at least those of the first table."""
    return min(max(room // bytes_of_state(machine, kept), FIRST_TABLE), NUMBER)


def first_tables(
    machine: MachineGame,
    kept: KeptSlots,
    states: int,
    cost_of: CostOf,
    least_step: int,
    uses_chance: bool,
    worker: int = 0,
    workers: int = 1,
) -> UniformCost:
    """The arrays of a worker for at most `states` states, with a small table of known states."""
    width = machine.game.width
    return UniformCost(
        game=machine.memory,
        pool=kept.pool(states),
        distances=nothing_known(),
        landmarks=landmarks_of(None, machine),
        orbits=no_orbits(),
        stubborn=stubborn_words(None, machine),
        mail=mail_for(machine, kept, LETTERS if workers > 1 else 1),
        known_words=longs(FIRST_TABLE * size_of(Known)),
        ways=ints(states * (size_of(Way) + width)),
        costs=ints(states),
        estimates=ints(states),
        queue=longs(states),
        search_words=longs(16),
        moves=machine.moves,
        goal_move=ints(width),
        known_count=FIRST_TABLE,
        room=min(states, FIRST_TABLE // 2),
        cost_of=cost_of,
        least_step=least_step,
        uses_chance=int(uses_chance),
        worker=worker,
        workers=workers,
    )


def larger_tables(search: UniformCost, states: int) -> UniformCost:
    """The same arrays with a larger, empty table of known states; for at most `states` states."""
    count = search.known_count * GROWTH
    return with_parts(search, known_words=longs(count * size_of(Known)), known_count=count, room=min(states, count // 2))


def mail_for(machine: MachineGame, kept: KeptSlots, letters: int) -> Mail:
    """Mail with room for `letters` states."""
    width = machine.game.width
    return Mail(kept.pool(letters), ints(letters * (size_of(Letter) + width)), ints(size_of(Mail, "mail_words")), letters)


def with_parts(search: UniformCost, **others: Any) -> UniformCost:
    """A search with some arrays and integers replaced."""
    parts = {name: getattr(search, name) for name in parts_of(UniformCost)}
    return UniformCost(**{**parts, **others})
