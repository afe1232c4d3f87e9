"""What those who forge answers know of hashes: how to measure them from outside, and states of a game of counters."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.rules.machine import state_hash
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.runtime import VALUE_WORDS
from rulewright.rules.machine.state_hash import HashTables, hash_tables, hashed_parts
from rulewright.rules.play.engine import Engine
from rulewright.subset.buffers import ints
from rulewright.subset.intrinsics import wrap
from tests.rules.playing import linked

WORD = 1 << 64
State = Sequence[int]


class Counters:
    """The counters `c0`, `c1`, … of a game, all from 0 to `most`, and the two secret hashes of their values under a key.

    `telling` are the variables that tell its states apart to a search; None: all.
    """

    def __init__(self, engine: Engine, telling: Collection[str] | None = None) -> None:
        root = engine.start()
        self.slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, root))
        self.arrangement = Arrangement(self.slots, engine.instance)
        self.counts, self.telling = engine.horizon is not None, telling
        self.number = sum(name[0] == "c" and name[1:].isdigit() for name in engine.game.variables)
        self.most = engine.game.variables["c0"].high

    @classmethod
    def alone(cls, number: int, most: int) -> Counters:
        """So many counters, and nothing else."""
        names = "\n".join(f"    c{at}: 0..{most}" for at in range(number))
        flow = "action more:\n    effect on: c0 += 1\nflow:\n    repeat: choose more"
        return cls(Engine.of(linked(f"module counters:\nplayers 1\nstate:\n{names}\n{flow}\n"), 1))

    def tables(self, key: HashKey = PROCESS_KEY) -> HashTables:
        return state_hash.hash_tables(self.arrangement, self.telling, self.counts, key)

    def hashes(self, tables: HashTables, state: State) -> tuple[int, int]:
        memory = ints(self.arrangement.size)
        for at, value in enumerate(state):
            memory[self.slots.places[f"c{at}"].slot] = value
        hash, other_hash = tables.of(self.arrangement, memory.items)
        return hash % WORD, other_hash % WORD

    def hash(self, key: HashKey = PROCESS_KEY) -> Callable[[State], tuple[int, int]]:
        tables = self.tables(key)
        return lambda state: self.hashes(tables, state)

    def words(self, key: HashKey = PROCESS_KEY) -> tuple[list[int], list[int]]:
        """By how much each counter raises both hashes per unit, if they are linear."""
        hash, none = self.hash(key), [0] * self.number
        start = hash(none)
        units = [hash([int(at == other) for other in range(self.number)]) for at in range(self.number)]
        return [(one - start[0]) % WORD for one, _ in units], [(other - start[1]) % WORD for _, other in units]


def linear_tables(arrangement: Arrangement, telling: Collection[str] | None, counts: bool, key: HashKey) -> HashTables:
    """Hashes as they once were, sums of value times word, for places with a word for each value."""
    found = hash_tables(arrangement, telling, counts, key)
    for part in hashed_parts(arrangement):
        if part.values is None or not part.tells(telling, counts):
            continue
        for place in range(part.first, part.first + part.count):
            row = found.rows.items[place]
            for half in range(VALUE_WORDS):
                word = found.words.items[row + VALUE_WORDS * part.values[-1] + half]
                for value in part.values:
                    found.words[row + VALUE_WORDS * value + half] = wrap(value * word)
    return found


def colliding_pairs(hashes: Iterable[int], bits: int) -> int:
    """The number of pairs among hashes whose lowest bits are equal."""
    return sum(count * (count - 1) // 2 for count in Counter(one % (1 << bits) for one in hashes).values())


def chance(states: int, bits: int) -> float:
    """How many such pairs are to be expected of random hashes."""
    return states * (states - 1) / 2 / (1 << bits)


def families(counters: Counters, states: int, rng: random.Random) -> dict[str, list[tuple[int, ...]]]:
    """Sets of states that an adversary would try: random ones, near ones, steps along lines, even ones."""
    number, most = counters.number, counters.most

    def line(step: int) -> list[tuple[int, ...]]:
        """States that differ in multiples of a step, in two counters."""
        side = range(0, most + 1, step)[: int(states**0.5) + 1]
        return [(one, other, *[0] * (number - 2)) for one in side for other in side][:states]

    even = 1 << max(0, most.bit_length() - 1 - int(states**0.5).bit_length())
    found = {
        "random": [tuple(rng.randrange(most + 1) for _ in range(number)) for _ in range(states)],
        "near": [tuple(rng.randrange(2) for _ in range(number)) for _ in range(states)],
        "a square": line(1),
        "an even square": line(even),
    }
    return {name: sorted(set(own)) for name, own in found.items()}
