"""What the kernels think possible at each state of games played at random, and what then came of it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from attrs import frozen

from rulewright.rules.game import Game
from rulewright.rules.native.program import as_machine_code
from rulewright.solver.native import entries as e
from rulewright.solver.native.exact import ENTRIES, KERNELS, Draft, Layout
from rulewright.solver.native.workers import Worker
from rulewright.solver.problem import Problem
from tests.rules.playing import lively
from tests.solver.asking import random_position
from tests.solver.native.test_kernels import asked

LOOKING = (*ENTRIES, "count_coming", "gather", "spread")


@frozen
class Look:
    """At a state: the kind of tile on each cell that is covered, in the order in which they were laid; the worth of each record
    that counts already, and the most of each other that is hoped for; for each vacant cell with a number the kinds that may
    come to lie there, as bits, and how many tiles that takes."""

    lying: dict[int, int]
    complete: dict[int, int]
    hopes: dict[int, int]
    kinds: dict[int, int]
    far: dict[int, int]

    @classmethod
    def at(cls, worker: Worker) -> Look:
        """Of the state on the table."""
        t, c, q, u, s = worker.table, worker.c.items, worker.q, worker.u, worker.table.s.items
        tiles = t.program.count_coming(t.s, worker.c, q)
        active = t.program.gather(t.s, worker.c, worker.z, q, u, tiles, 0)
        numbered = q.items[c[e.ROOM_FOUND] + e.NUMBERED]
        if c[e.WAYS]:
            t.program.spread(t.s, worker.c, worker.z, q, u, numbered)
            active = t.program.gather(t.s, worker.c, worker.z, q, u, tiles, numbered)
        first = [c[e.ROOM_ACTIVE] + e.ACTIVE * number for number in range(active)]
        cells = [q.items[c[e.ROOM_CELLS] + n] for n in range(numbered)]
        lying = {cell: c[c[e.KIND_OF] + s[c[e.BOARD] + cell]] for cell in s[c[e.LISTED] : c[e.LISTED] + s[c[e.COUNT]]]}
        return cls(
            lying,
            {record: c[c[record + e.WORTHS] + s[c[e.BOARD] + c[record + e.CELL]]] for record in _complete(c, lying)},
            {q.items[at + e.RECORD]: q.items[at + e.AT_MOST] for at in first},
            {cell: u.items[n] for n, cell in enumerate(cells)},
            {cell: q.items[c[e.ROOM_FAR] + n] for n, cell in enumerate(cells)},
        )


def _complete(c: memoryview, lying: dict[int, int]) -> Iterator[int]:
    """The records of candidates all of whose needs are covered."""
    for number in range(c[e.CANDIDATE_COUNT]):
        record = c[c[e.CANDIDATES] + number]
        first = record + e.FIRST_NEED
        if lying.keys() >= set(c[first : first + c[record + e.NEEDS]]):
            yield record


def games(rng: random.Random, game: Game, players: int, coming: int, number: int) -> Iterator[tuple[list[Look], Look]]:
    """From one position so many games: what was thought possible at each state, and the end."""
    engine, root = random_position(rng, game, players, coming)
    question = asked(engine)
    draft = Draft.of(Problem.of(engine, root, question), question)
    worker = Layout.of(draft, as_machine_code, KERNELS, LOOKING).worker()
    t = worker.table
    for _ in range(number):
        t.load(root)
        looks = []
        while moves := t.legal():
            looks.append(Look.at(worker))
            t.apply(lively(rng, moves))
        yield looks, Look.at(worker)
