"""Reduced-cost fixing (Dantzig, Fulkerson and Johnson 1954): what holds for every final board worth more than a goal.

With K tiles, covering a cell whose dual price is below the K-th largest costs the difference; leaving one vacant whose price
is above the largest of the others costs the excess. A choice that costs the slack of the bound or more is excluded.
"""

from __future__ import annotations

from .arena import UNUSED, Bound, CellState


def assign(bound: Bound, cell: int, state: int, is_choice: bool) -> None:
    """Assign a state to a cell of the program, by choice or by necessity."""
    node = bound.node
    bound.cell_state[cell] = state
    bound.assignments[node.assigned] = 2 * cell + is_choice
    node.assigned += 1
    if state == CellState.FILLED:
        node.tiles_left -= 1


def fix(bound: Bound, active: int, tiles: int, slack: int) -> None:
    """Fill the cells that must be filled, and strike out the terms that cannot count (`missing_count` UNUSED).

    The largest prices, one for each tile, come first in `bound.sorted_prices`; their sum exceeds the goal by `slack`.
    """
    node = bound.node
    prices = bound.prices
    cells = node.cells
    lowest = 0
    following = 0
    if 0 < tiles < cells:
        lowest = bound.sorted_prices[0]
        for price in bound.sorted_prices[1:tiles]:
            lowest = min(lowest, price)
        for price in bound.sorted_prices[tiles:cells]:
            following = max(following, price)
    if lowest > 0:
        for term in bound.active[:active]:
            cost = 0
            for need in term.missing[: term.missing_count]:
                cost += max(0, lowest - prices[need.cell])
            if cost >= slack:
                term.missing_count = UNUSED
                node.news += 1
    for cell in range(cells):
        if prices[cell] - following >= slack and bound.cell_state[cell] == CellState.OPEN_CELL:
            assign(bound, cell, CellState.FILLED, False)
            node.news += 1
