"""A pool of states, and selection of the best of them, for breadth-first kernels."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Ints, Longs
from rulewright.subset.records import Record, Run, size_of


class PooledState(Record, memory="pool_heads"):
    """What is stored of a state besides its slots; `link` is the index of a back link."""

    hash: int
    other_hash: int
    seed: int
    link: int


class StatePool(Bundle):
    """States in consecutive memory, each with all its `slot_count` slots."""

    pool_slots: Ints
    pool_heads: Longs
    slot_count: int
    heads: Run[PooledState] = start_of("pool_heads")


def store_state(pool: StatePool, game: GameMemory, index: int, link: int) -> None:
    """Store the state of a game at an index of the pool."""
    at = index * pool.slot_count
    for slot in range(pool.slot_count):
        pool.pool_slots[at + slot] = game.state[slot]
    head = pool.heads[index]
    head.hash = game.hash
    head.other_hash = game.other_hash
    head.seed = game.seed
    head.link = link


def load_state(pool: StatePool, game: GameMemory, index: int) -> None:
    """Load a state of the pool into a game that began at the same root; earlier moves can no longer be undone."""
    at = index * pool.slot_count
    for slot in range(pool.slot_count):
        game.state[slot] = pool.pool_slots[at + slot]
    head = pool.heads[index]
    game.hash = head.hash
    game.other_hash = head.other_hash
    game.seed = head.seed
    game.trail_length = 0


def select_greatest(words: Annotated[Run[int], Longs], count: int, number: int) -> None:
    """Move the `number` greatest of `count` words to the front, in any order (Hoare's quickselect, 1961)."""
    low = 0
    high = count - 1
    last = number - 1
    while low < high:
        pivot = words[(low + high) >> 1]
        up = low
        down = high
        while up <= down:
            while words[up] > pivot:
                up += 1
            while words[down] < pivot:
                down -= 1
            if up <= down:
                word = words[up]
                words[up] = words[down]
                words[down] = word
                up += 1
                down -= 1
        if last <= down:
            high = down
        elif last >= up:
            low = up
        else:
            break


def pool_of(arrangement: Arrangement, states: int) -> StatePool:
    """Room for `states` states."""
    count = arrangement.size
    return StatePool(ints(states * count), longs(states * size_of(PooledState)), count)
