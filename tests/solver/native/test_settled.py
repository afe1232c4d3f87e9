"""What loads settle, held against all last boards that are worth more than the goal."""

from __future__ import annotations

import random
from itertools import combinations

from rulewright.rules.native.arrays import ints
from rulewright.solver.native import entries as e
from rulewright.solver.native import relaxed, settled

CELLS = 7


def settle(loads: list[int], lacks: list[list[int]], tiles: int, spare: int) -> tuple[set[int], set[int]]:
    """The cells that must be covered, and the candidates, by number, that cannot count."""
    c, q, at = ints(e.RELAXED_ENTRIES).items, ints(400).items, 0
    sizes = {
        e.ROOM_FOUND: e.FOUND_ENTRIES, e.ROOM_LOADS: CELLS, e.ROOM_SORTED: CELLS, e.ROOM_STATUS: CELLS, e.ROOM_STACK: CELLS,
        e.ROOM_LACKS: 2 * CELLS * len(lacks), e.ROOM_ACTIVE: e.ACTIVE * len(lacks),
    }  # fmt: skip
    for entry, size in sizes.items():
        c[entry] = at
        at += size
    q[c[e.ROOM_FOUND] + e.LEFT] = tiles
    for cell, load in enumerate(loads):
        q[c[e.ROOM_LOADS] + cell] = load
        q[c[e.ROOM_STATUS] + cell] = e.OPEN_CELL
    for number, cells in enumerate(lacks):
        first, active = c[e.ROOM_LACKS] + 2 * CELLS * number, c[e.ROOM_ACTIVE] + e.ACTIVE * number
        q[active + e.LACKS], q[active + e.LACKED] = first, len(cells)
        for n, cell in enumerate(cells):
            q[first + 2 * n] = cell
    total = relaxed.earned(c, q, CELLS, tiles)
    assert total == sum(sorted(loads, reverse=True)[:tiles])
    settled.settle(c, q, len(lacks), CELLS, tiles, spare)
    filled = {cell for cell in range(CELLS) if q[c[e.ROOM_STATUS] + cell] == e.FILLED}
    out = {number for number in range(len(lacks)) if q[c[e.ROOM_ACTIVE] + e.ACTIVE * number + e.LACKED] == e.UNUSED}
    found = c[e.ROOM_FOUND]
    assert q[found + e.NEWS] == len(filled) + len(out)
    assert q[found + e.LEFT] == tiles - len(filled)
    assert {q[c[e.ROOM_STACK] + n] for n in range(q[found + e.SAID])} == {2 * cell for cell in filled}
    return filled, out


def test_what_is_settled_holds_of_all_boards() -> None:
    """And where a choice of cells is all that is asked, all that can be told from one cell is told."""
    shown = [0, 0]
    for seed in range(400):
        rng = random.Random(seed)
        loads = [rng.randrange(12) for _ in range(CELLS)]
        lacks = [rng.sample(range(CELLS), rng.randrange(1, 4)) for _ in range(6)]
        tiles = rng.randrange(1, CELLS + 2)
        total = sum(sorted(loads, reverse=True)[:tiles])
        spare = rng.randrange(1, 14)
        boards = [
            set(chosen)
            for number in range(min(tiles, CELLS) + 1)
            for chosen in combinations(range(CELLS), number)
            if sum(loads[cell] for cell in chosen) > total - spare
        ]
        filled, out = settle(loads, lacks, tiles, spare)
        assert filled == {cell for cell in range(CELLS) if all(cell in board for board in boards)}
        assert not any(set(lacks[number]) <= board for number in out for board in boards)
        shown[0] += len(filled)
        shown[1] += len(out)
    assert min(shown) > 100
