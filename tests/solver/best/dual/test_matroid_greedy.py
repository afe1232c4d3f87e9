"""The heaviest cells that tiles can go to, held against trying all sets of them."""

from __future__ import annotations

import random
from itertools import combinations

from rulewright.solver.best.dual.arena import MOST, CellState, Match, Matching
from rulewright.solver.best.dual.dual_bound import dual_value
from rulewright.solver.best.dual.matroid_greedy import heaviest_independent
from rulewright.subset.records import size_of
from tests.solver.best.dual.bounds import bound_with

CELLS, KINDS = 6, 3


class Instance:
    """Cells with prices, the kinds that fit each, the travel to each and whether it is filled; tiles to come by kind."""

    def __init__(self, rng: random.Random) -> None:
        prices = [rng.randrange(5) for _ in range(CELLS)]
        self.fitting = [rng.randrange(1 << KINDS) for _ in range(CELLS)]
        self.travel = [rng.randrange(1, 4) for _ in range(CELLS)]
        self.filled = [rng.random() < 0.3 for _ in range(CELLS)]
        self.coming = [rng.randrange(3) for _ in range(KINDS)]
        self.prices = [0 if filled else price for price, filled in zip(prices, self.filled, strict=True)]
        sizes = {"matches": size_of(Match) * 2 * CELLS, "matching": size_of(Matching)}
        for entry in ("prices", "sorted_prices", "cell_state", "program_travel", "kinds_fitting"):
            sizes[entry] = CELLS
        for entry in ("coming", "unmatched", "releasing", "limits"):
            sizes[entry] = 2 * CELLS
        self.bound = bound_with(sizes, {"kind_count": KINDS})
        self.bound.node.cells = CELLS
        for cell in range(CELLS):
            self.bound.prices[cell] = self.prices[cell]
            self.bound.kinds_fitting[cell] = self.fitting[cell]
            self.bound.program_travel[cell] = self.travel[cell]
            self.bound.cell_state[cell] = CellState.FILLED if self.filled[cell] else CellState.OPEN_CELL
        for kind, count in enumerate(self.coming):
            self.bound.coming[kind] = count

    def best(self, tiles: int, may: object) -> int:
        """The most that so many open cells weigh, with which those filled make a set that may be; -MOST when there is none."""
        filled = [cell for cell in range(CELLS) if self.filled[cell]]
        others = [cell for cell in range(CELLS) if not self.filled[cell]]
        sets = (chosen for number in range(tiles + 1) for chosen in combinations(others, number))
        return max(
            (sum(self.prices[cell] for cell in chosen) for chosen in sets if may([*filled, *chosen])),  # type: ignore[operator]
            default=-MOST,
        )

    def can_be_laid(self, cells: list[int]) -> bool:
        return _laid(cells, self.fitting, list(self.coming))


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
        instance = Instance(random.Random(seed))
        for tiles in range(4):
            dual_value(instance.bound, tiles)
            found = heaviest_independent(instance.bound, tiles, 0)
            assert found == instance.best(tiles, instance.can_be_laid)
            impossible += found < 0
    assert 0 < impossible < 800


def test_the_heaviest_within_reach() -> None:
    """Of so many tiles no more than all less n lie farther than n."""
    impossible = 0
    for seed in range(400):
        instance = Instance(random.Random(seed))
        for tiles in range(4):
            travelling = tiles + sum(instance.filled)

            def may(cells: list[int], instance: Instance = instance, travelling: int = travelling) -> bool:
                return all(sum(instance.travel[cell] > n for cell in cells) <= travelling - n for n in range(travelling)) and (
                    all(instance.travel[cell] <= travelling for cell in cells)
                )

            dual_value(instance.bound, tiles)
            found = heaviest_independent(instance.bound, tiles, travelling)
            assert found == instance.best(tiles, may)
            impossible += found < 0
    assert 0 < impossible < 800
