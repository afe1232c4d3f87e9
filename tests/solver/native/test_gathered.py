"""What may still come to count, held against games that are played on at random: nothing that then counts was left out."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright.rules.native.program import as_machine_code
from rulewright.solver.native import entries as e
from rulewright.solver.native.exact import ENTRIES, KERNELS, Draft, Layout
from rulewright.solver.native.workers import Worker
from rulewright.solver.problem import Problem
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_puzzle
from tests.solver.native.test_kernels import asked
from tests.solver.test_exact import VARIANTS

GAMES = 150
CHANGES = {
    "": "",
    "three_sides": VARIANTS["three_sides"],
    "corners_too": VARIANTS["corners_too"],
    "by_force": "action force(tile in hand of player, to in around(ship of player)):\n"
    "    like place:\n        drop matching\n\n"
    "change flow:\n    add force to turn\n\n"
    "drop invariant matching",
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_that_comes_to_count_was_left_out(change: str) -> None:
    game = linked(variant(CHANGES[change])) if change else shipped("beacon_patrol")
    counted = 0
    for seed in range(3):
        rng = random.Random(seed)
        text, _ = random_puzzle(rng, 1, 8)
        lines = [line for line in text.splitlines() if not line.strip().startswith("tokens")]
        engine, root = engine_and_state("\n".join(lines), game)
        problem = Problem.of(engine, root, asked(engine))
        entries = (*ENTRIES, "count_coming", "gather", "spread")
        worker = Layout.of(Draft.of(problem, asked(engine)), as_machine_code, KERNELS, entries).worker()
        for _ in range(GAMES):
            worker.table.load(root)
            hoped = list(played_on(worker, rng))
            laid, now = lying(worker), complete(worker)
            for then, open_then, kinds in hoped:
                for record in now - then:
                    assert worth(worker, record) <= 0 or open_then[record] >= worth(worker, record)
                    counted += 1
                assert all(bits >> laid[cell] & 1 for cell, bits in kinds.items() if cell in laid)
    assert counted > 50


def played_on(worker: Worker, rng: random.Random) -> Iterator[tuple[set[int], dict[int, int], dict[int, int]]]:
    """A game from where the table stands, mostly laying tiles: at each state the records that count already, the most that each
    other that is hoped for may be worth, and the kinds that may come to lie on each vacant cell with a number, as bits."""
    t = worker.table
    while moves := t.legal():
        yield complete(worker), *hopes(worker)
        first = [move for move in moves if move[0] == moves[0][0]]
        t.apply(rng.choice(first if rng.random() < 0.7 else moves))


def hopes(worker: Worker) -> tuple[dict[int, int], dict[int, int]]:
    """With how far markers can come."""
    t, c, q, u = worker.table, worker.c, worker.q, worker.u
    tiles = t.program.count_coming(t.s, c, q)
    active = t.program.gather(t.s, c, worker.z, q, u, tiles, 0)
    numbered = q.items[c.items[e.ROOM_FOUND] + e.NUMBERED]
    if c.items[e.WAYS]:
        t.program.spread(t.s, c, worker.z, q, u, numbered)
        active = t.program.gather(t.s, c, worker.z, q, u, tiles, numbered)
    found = {}
    for number in range(active):
        at = c.items[e.ROOM_ACTIVE] + e.ACTIVE * number
        found[q.items[at + e.RECORD]] = q.items[at + e.AT_MOST]
    return found, {q.items[c.items[e.ROOM_CELLS] + n]: u.items[n] for n in range(numbered)}


def complete(worker: Worker) -> set[int]:
    """The records of candidates all of whose needs are covered."""
    c, found = worker.c.items, set()
    laid = lying(worker)
    for number in range(c[e.CANDIDATE_COUNT]):
        record = c[c[e.CANDIDATES] + number]
        first = record + e.FIRST_NEED
        if laid.keys() >= set(c[first : first + c[record + e.NEEDS]]):
            found.add(record)
    return found


def worth(worker: Worker, record: int) -> int:
    c, s = worker.c.items, worker.table.s.items
    return c[c[record + e.WORTHS] + s[c[e.BOARD] + c[record + e.CELL]]]


def lying(worker: Worker) -> dict[int, int]:
    """The kind on each cell that is covered."""
    c, s = worker.c.items, worker.table.s.items
    cells = s[c[e.LISTED] : c[e.LISTED] + s[c[e.COUNT]]]
    return {cell: c[c[e.KIND_OF] + s[c[e.BOARD] + cell]] for cell in cells}
