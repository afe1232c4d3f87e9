"""What reduced-cost fixing excludes, held against all last boards that are worth more than the goal."""

from __future__ import annotations

import random
from itertools import combinations

from rulewright.solver.best.dual import dual_bound
from rulewright.solver.best.dual.arena import UNUSED, CellState, Need, Term
from rulewright.solver.best.dual.dual_bound import fix
from rulewright.subset.records import size_of
from tests.solver.best.dual.bounds import bound_with

CELLS = 7


def fixed(prices: list[int], lacks: list[list[int]], tiles: int, slack: int) -> tuple[set[int], set[int]]:
    """The cells that must be filled, and the terms, by number, that cannot count."""
    sizes = {"active": size_of(Term) * len(lacks), "needs": size_of(Need) * CELLS * len(lacks)}
    by_cell = dict.fromkeys(("prices", "cheapest", "cell_state", "assignments"), CELLS)
    bound = bound_with({**sizes, **by_cell}, {"most_missing": CELLS})
    bound.node.tiles_left, bound.node.cells = tiles, CELLS
    for cell, price in enumerate(prices):
        bound.prices[cell] = price
        bound.cell_state[cell] = CellState.OPEN_CELL
    for number, cells in enumerate(lacks):
        term = bound.active[number]
        term.missing, term.missing_count = bound.needs[CELLS * number :], len(cells)
        for place, cell in enumerate(cells):
            term.missing[place].cell = cell
    total = dual_bound.dual_value(bound, tiles)
    assert total == sum(sorted(prices, reverse=True)[:tiles])
    fix(bound, len(lacks), tiles, slack)
    filled = {cell for cell in range(CELLS) if bound.cell_state[cell] == CellState.FILLED}
    out = {number for number in range(len(lacks)) if bound.active[number].missing_count == UNUSED}
    assert bound.node.news == len(filled) + len(out)
    assert bound.node.tiles_left == tiles - len(filled)
    assert set(bound.assignments[: bound.node.assigned]) == {2 * cell for cell in filled}
    return filled, out


def test_what_is_fixed_holds_of_all_boards() -> None:
    """And where a choice of cells is all that is asked, all that can be told from one cell is told."""
    shown = [0, 0]
    for seed in range(400):
        rng = random.Random(seed)
        prices = [rng.randrange(12) for _ in range(CELLS)]
        lacks = [rng.sample(range(CELLS), rng.randrange(1, 4)) for _ in range(6)]
        tiles = rng.randrange(1, CELLS + 2)
        total = sum(sorted(prices, reverse=True)[:tiles])
        slack = rng.randrange(1, 14)
        boards = [
            set(chosen)
            for number in range(min(tiles, CELLS) + 1)
            for chosen in combinations(range(CELLS), number)
            if sum(prices[cell] for cell in chosen) > total - slack
        ]
        filled, out = fixed(prices, lacks, tiles, slack)
        assert filled == {cell for cell in range(CELLS) if all(cell in board for board in boards)}
        assert not any(set(lacks[number]) <= board for number in out for board in boards)
        shown[0] += len(filled)
        shown[1] += len(out)
    assert min(shown) > 100
