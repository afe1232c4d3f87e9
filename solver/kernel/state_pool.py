"""A pool of states, and selection of the best of them, for breadth-first kernels."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from typing import Annotated

from rulewright.base.records import frozen
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.runtime import GameMemory
from rulewright.rules.machine.state_hash import telling_slots
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Ints, Longs, wrap
from rulewright.subset.records import Record, Run, size_of

from .orbits import Orbits, image_of


class PooledState(Record, memory="pool_heads"):
    """What is stored of a state besides its slots; `link` is the index of a back link, or a kernel-specific mark."""

    hash: int
    other_hash: int
    seed: int
    link: int


class SlotRun(Record, memory="slot_runs"):
    """Consecutive slots."""

    first: int
    count: int


class StatePool(Bundle):
    """States in consecutive memory: of each the `slot_count` slots in `kept`. No other slot ever changes. The first
    `telling_count` tell states apart; `place_of` has the place of each slot in `kept`, -1 if it is not there.

    `runs` has the same slots as `run_count` runs, of which the first `telling_runs` tell states apart: loops over them take
    several slots at once."""

    pool_slots: Ints
    pool_heads: Longs
    kept: Ints
    slot_runs: Ints
    place_of: Ints
    slot_count: int
    telling_count: int
    run_count: int
    telling_runs: int
    heads: Run[PooledState] = start_of("pool_heads")
    runs: Run[SlotRun] = start_of("slot_runs")


def store_state(pool: StatePool, game: GameMemory, index: int, link: int) -> None:
    """Store the state of a game at an index of the pool."""
    at = index * pool.slot_count
    for run in pool.runs[: pool.run_count]:
        for step in range(run.count):
            pool.pool_slots[at + step] = game.state[run.first + step]
        at += run.count
    head = pool.heads[index]
    head.hash = game.hash
    head.other_hash = game.other_hash
    head.seed = game.seed
    head.link = link


def load_state(pool: StatePool, game: GameMemory, index: int) -> None:
    """Load a state of the pool into a game that began at the same root; earlier moves can no longer be undone."""
    at = index * pool.slot_count
    for run in pool.runs[: pool.run_count]:
        for step in range(run.count):
            game.state[run.first + step] = pool.pool_slots[at + step]
        at += run.count
    head = pool.heads[index]
    game.hash = head.hash
    game.other_hash = head.other_hash
    game.seed = head.seed
    game.trail_length = 0


def is_same_state(pool: StatePool, game: GameMemory, index: int) -> bool:
    """Whether nothing tells the state at an index of the pool from that of the game, apart from their seeds."""
    at = index * pool.slot_count
    differences = 0
    for run in pool.runs[: pool.telling_runs]:
        for step in range(run.count):
            differences = differences | (pool.pool_slots[at + step] ^ game.state[run.first + step])
        at += run.count
    return differences == 0


def is_same_orbit(orbits: Orbits, game: GameMemory, pool: StatePool, index: int, mapping: int) -> bool:
    """Whether the state of the game, identified last, is mapped to the same state as that at an index of the pool is by the
    automorphism numbered `mapping`; 0 is the identity."""
    images = orbits.images
    first = index * pool.slot_count
    for at in range(pool.telling_count):
        slot = pool.kept[at]
        if orbits.is_mapped[slot] == 0 and pool.pool_slots[first + at] != game.state[slot]:
            return False
    for known in orbits.mappings[max(orbits.mapping - 1, 0)].slots[: orbits.slot_count]:
        if orbits.mapping == 0:
            images[known.slot] = game.state[known.slot]
        else:
            images[known.target] = image_of(orbits, known, game.state[known.slot])
    for known in orbits.mappings[max(mapping - 1, 0)].slots[: orbits.slot_count]:
        held = game.state[known.slot]
        if pool.place_of[known.slot] >= 0:
            held = pool.pool_slots[first + pool.place_of[known.slot]]
        if mapping == 0 and images[known.slot] != held:
            return False
        if mapping > 0 and images[known.target] != image_of(orbits, known, held):
            return False
    return True


def public_word(orbits: Orbits, game: GameMemory, pool: StatePool) -> int:
    """A word that all states of the orbit of the state of the game share, the same in every run, whatever the key of the
    hashes."""
    rest = 0
    for at in range(pool.telling_count):
        slot = pool.kept[at]
        if orbits.mapping_count == 0 or orbits.is_mapped[slot] == 0:
            rest = wrap(rest + public_share(slot, game.state[slot]))
    if orbits.mapping_count == 0:
        return rest
    least = rest
    for known in orbits.mappings[0].slots[: orbits.slot_count]:
        least = wrap(least + public_share(known.slot, game.state[known.slot]))
    for mapping in orbits.mappings[: orbits.mapping_count]:
        word = rest
        for known in mapping.slots[: orbits.slot_count]:
            word = wrap(word + public_share(known.target, image_of(orbits, known, game.state[known.slot])))
        least = min(least, word)
    return least


def public_share(slot: int, value: int) -> int:
    """What a value adds to a public word. Words that are often equal only divide states less evenly."""
    return value * (slot * slot + slot + 1)


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


@frozen
class PoolLayout:
    """The slots that play may change, those first that tell states apart; and the number of all slots."""

    kept: Sequence[int]
    telling_count: int
    slot_count: int

    @classmethod
    def of(cls, arrangement: Arrangement, analysis: DataflowAnalysis, telling: Collection[str], counts: bool) -> PoolLayout:
        """Those of a game in which the `telling` variables, and the count of the horizon if `counts`, tell states apart."""
        changing, told = arrangement.slots_of(analysis.changing_variables), set(telling_slots(arrangement, telling, counts))
        first = [slot for slot in changing if slot in told]
        return cls((*first, *(slot for slot in changing if slot not in told)), len(first), arrangement.size)

    @classmethod
    def all(cls, arrangement: Arrangement) -> PoolLayout:
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
        runs = [word for first, length in (*telling, *others) for word in SlotRun.words(first=first, count=length)]
        place_of.items[:] = array("i", [-1]) * self.slot_count
        for place, slot in enumerate(self.kept):
            place_of[slot] = place
        return StatePool(
            pool_slots=ints(states * count),
            pool_heads=longs(states * size_of(PooledState)),
            kept=ints(count).fill(self.kept),
            slot_runs=ints(len(runs)).fill(runs),
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
