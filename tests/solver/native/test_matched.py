"""The heaviest cells that tiles can go to, held against trying all sets of them."""

from __future__ import annotations

import random
from itertools import combinations

from rulewright.rules.native.arrays import ints, longs
from rulewright.solver.native import entries as e
from rulewright.solver.native import matched

CELLS, KINDS = 6, 3


class Room:
    """Cells with loads, the kinds that fit each, how far each is and what is said of it; tiles by kind."""

    def __init__(self, rng: random.Random) -> None:
        self.loads = [rng.randrange(5) for _ in range(CELLS)]
        self.fits = [rng.randrange(1 << KINDS) for _ in range(CELLS)]
        self.far = [rng.randrange(1, 4) for _ in range(CELLS)]
        self.filled = [rng.random() < 0.3 for _ in range(CELLS)]
        self.counts = [rng.randrange(3) for _ in range(KINDS)]
        self.loads = [0 if filled else load for load, filled in zip(self.loads, self.filled, strict=True)]
        self.c, self.q, self.u = ints(e.RELAXED_ENTRIES), ints(200), longs(CELLS)
        c, at = self.c.items, 0
        c[e.KINDS] = KINDS
        parts = {
            e.ROOM_COUNTS: self.counts,
            e.ROOM_LOADS: self.loads,
            e.ROOM_AWAY: self.far,
            e.ROOM_STATUS: [e.FILLED if filled else e.OPEN_CELL for filled in self.filled],
            e.ROOM_SORTED: [0] * (CELLS + 1),
            e.ROOM_MATCHED: [0] * 40,
        }
        for entry, values in parts.items():
            c[entry] = at
            for number, value in enumerate(values):
                self.q.items[at + number] = value
            at += len(values)
        for cell, kinds in enumerate(self.fits):
            self.u.items[cell] = kinds

    def best(self, tiles: int, may: object) -> int:
        """The most that so many open cells weigh, with which those filled make a set that may be; -MOST when there is none."""
        filled = [cell for cell in range(CELLS) if self.filled[cell]]
        others = [cell for cell in range(CELLS) if not self.filled[cell]]
        sets = (chosen for number in range(tiles + 1) for chosen in combinations(others, number))
        return max(
            (sum(self.loads[cell] for cell in chosen) for chosen in sets if may([*filled, *chosen])),  # type: ignore[operator]
            default=-e.MOST,
        )

    def can_be_laid(self, cells: list[int]) -> bool:
        return _laid(cells, self.fits, list(self.counts))


def _laid(cells: list[int], fits: list[int], counts: list[int]) -> bool:
    if not cells:
        return True
    for kind in range(KINDS):
        if counts[kind] and fits[cells[0]] >> kind & 1:
            counts[kind] -= 1
            if _laid(cells[1:], fits, counts):
                return True
            counts[kind] += 1
    return False


def test_the_heaviest_that_fit() -> None:
    impossible = 0
    for seed in range(400):
        room = Room(random.Random(seed))
        for tiles in range(4):
            found = matched.heaviest(room.c.items, room.q.items, room.u.items, CELLS, tiles)
            assert found == room.best(tiles, room.can_be_laid)
            impossible += found < 0
    assert 0 < impossible < 800


def test_the_heaviest_within_reach() -> None:
    """Of so many tiles no more than `far` less n lie farther than n."""
    impossible = 0
    for seed in range(400):
        room = Room(random.Random(seed))
        for tiles in range(4):
            far = tiles + sum(room.filled)

            def may(cells: list[int], room: Room = room, far: int = far) -> bool:
                return all(sum(room.far[cell] > n for cell in cells) <= far - n for n in range(far)) and (
                    all(room.far[cell] <= far for cell in cells)
                )

            found = matched.within_reach(room.c.items, room.q.items, CELLS, far, tiles)
            assert found == room.best(tiles, may)
            impossible += found < 0
    assert 0 < impossible < 800
