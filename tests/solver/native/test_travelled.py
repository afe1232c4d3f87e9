"""Where ships may bring which tiles, and how many that takes, held against games that are played on at random."""

from __future__ import annotations

import random

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

GAMES = 40


@pytest.mark.parametrize("change", ["", "loose_edges", "over_land"])
def test_ships_bring_no_other_tiles_and_no_sooner(change: str) -> None:
    game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
    laid, soonest, excluded = 0, 0, 0
    for seed in range(4):
        rng = random.Random(seed)
        text, _ = random_puzzle(rng, 2 if not change and seed == 0 else 1, 7)
        lines = [line for line in text.splitlines() if not line.strip().startswith("tokens")]
        engine, root = engine_and_state("\n".join(lines), game)
        problem = Problem.of(engine, root, asked(engine))
        entries = (*ENTRIES, "count_coming", "gather", "spread")
        worker = Layout.of(Draft.of(problem, asked(engine)), as_machine_code, KERNELS, entries).worker()
        assert worker.c.items[e.WAYS] > 0
        brought = spread(worker)
        kinds = worker.c.items[e.KINDS]
        excluded += sum(bits != (1 << kinds) - 1 for bits, _ in brought.values())
        for _ in range(GAMES):
            worker.table.load(root)
            for after, (cell, kind) in enumerate(played_on(worker, rng), 1):
                if cell in brought:
                    bits, far = brought[cell]
                    assert bits >> kind & 1, f"{cell} was taken for out of reach of {kind}"
                    assert after >= far
                    laid += 1
                    soonest += after == far
    assert laid > soonest > 20
    assert excluded or change


def spread(worker: Worker) -> dict[int, tuple[int, int]]:
    """For each vacant cell that has a number: the kinds that can come there, as bits, and how many tiles that takes."""
    t, c, q, u = worker.table, worker.c, worker.q, worker.u
    t.load(worker.root)
    tiles = t.program.count_coming(t.s, c, q)
    t.program.gather(t.s, c, worker.z, q, u, tiles, 0)
    cells = q.items[c.items[e.ROOM_FOUND] + e.NUMBERED]
    t.program.spread(t.s, c, worker.z, q, u, cells)
    where, far = c.items[e.ROOM_CELLS], c.items[e.ROOM_FAR]
    return {q.items[where + n]: (u.items[n], q.items[far + n]) for n in range(cells)}


def played_on(worker: Worker, rng: random.Random) -> list[tuple[int, int]]:
    """A game from where the table stands: the cells on which tiles were laid, in order, and of what kind."""
    t, c = worker.table, worker.c.items
    before = t.s.items[c[e.COUNT]]
    while moves := t.legal():
        t.apply(rng.choice(moves))
    cells = [t.s.items[c[e.LISTED] + at] for at in range(before, t.s.items[c[e.COUNT]])]
    return [(cell, c[c[e.KIND_OF] + t.s.items[c[e.BOARD] + cell]]) for cell in cells]
