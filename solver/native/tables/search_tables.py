"""The arrays of a best-first search: room for its states, a table of those that are known, mail for other workers."""

from __future__ import annotations

from typing import Any

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.native.kernels.state_mail import Letter, Mail
from rulewright.solver.native.kernels.state_pool import PooledState, StatePool
from rulewright.solver.native.kernels.uniform_cost import NUMBER, Known, UniformCost, Way
from rulewright.solver.search.shortest_plan import CostOf
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.bundles import parts_of
from rulewright.subset.records import size_of

from .distance_words import nothing_known
from .landmark_words import landmarks_of
from .state_hashes import no_orbits
from .stubborn_words import stubborn_words

FIRST_TABLE = 1 << 14
"""Entries of the first table of known states; each next table has GROWTH times as many."""

GROWTH = 8

LETTERS = 1 << 14
"""States that a worker may send in a round."""


def kept_slots(machine: MachineGame, analysis: DataflowAnalysis) -> Array:
    """The slots that play may change."""
    kept = machine.arrangement.slots_of(analysis.changing_variables)
    return ints(len(kept)).fill(kept)


def bytes_of_state(machine: MachineGame, kept: Array) -> int:
    """Bytes that a search takes for each state of a game."""
    pooled = 4 * len(kept.items) + 8 * size_of(PooledState)
    return pooled + 4 * (size_of(Way) + machine.game.width + 2) + 8 + 2 * 8 * size_of(Known)


def most_states_in(room: int, machine: MachineGame, kept: Array) -> int:
    """The most states of a game that `room` bytes hold, at least those of the first table."""
    return min(max(room // bytes_of_state(machine, kept), FIRST_TABLE), NUMBER)


def first_tables(
    machine: MachineGame,
    kept: Array,
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
        pool=_pool_of(kept, states),
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


def _pool_of(kept: Array, states: int) -> StatePool:
    # Each pool has its own list: arguments of machine code share no array unless they declare it.
    count, own = len(kept.items), ints(len(kept.items)).fill(kept.items)
    return StatePool(ints(states * count), longs(states * size_of(PooledState)), own, count)


def mail_for(machine: MachineGame, kept: Array, letters: int) -> Mail:
    """Mail with room for `letters` states."""
    width, pool = machine.game.width, _pool_of(kept, letters)
    return Mail(pool, ints(letters * (size_of(Letter) + width)), ints(size_of(Mail, "mail_words")), letters)


def with_parts(search: UniformCost, **others: Any) -> UniformCost:
    """A search with some arrays and integers replaced."""
    parts = {name: getattr(search, name) for name in parts_of(UniformCost)}
    return UniformCost(**{**parts, **others})
