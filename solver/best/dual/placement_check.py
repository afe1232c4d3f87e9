"""Whether tiles to come can lie on all cells that a branch fills: side by side, and brought there by a marker.

A backtracking search places a tile on each cell, trying the cell with the fewest kinds first (minimum remaining values). It
places tiles on the board of the state while it runs.
"""

from __future__ import annotations

from rulewright.subset.intrinsics import lowest, ones

from .active_terms import kinds_coming, kinds_fitting
from .arena import MOST, Bound, CellState
from .marker_reachability import Mark, clear_marks, reach_over_tiles

PLACEMENT_BUDGET = 300
"""Most tiles that a search may place; a search cut off there refutes nothing. Measured on sixteen puzzles: 150 and 600 change
no state; without the check, one takes 2.4 times as many."""

NOT_REFUTED = -1
"""Stands for a budget: some placement may earn more than the goal."""


def is_placement_refuted(bound: Bound, goal: int, tiles_left: int) -> bool:
    """Whether no placement on the filled cells earns more than the goal; `tiles_left` further tiles remain."""
    count = 0
    for cell in range(bound.node.cells):
        if bound.cell_state[cell] == CellState.FILLED:
            bound.trial_cells[count] = cell
            count += 1
    for kind in range(bound.kind_count):
        bound.unmatched[kind] = bound.coming[kind]
    return refute_placements(bound, goal, tiles_left, 0, count, PLACEMENT_BUDGET) >= 0


def refute_placements(bound: Bound, goal: int, tiles_left: int, depth: int, count: int, budget: int) -> int:
    """The remaining budget if no placement on the cells from `depth` on earns more than the goal, else NOT_REFUTED."""
    if budget < 0 or not may_earn_more(bound, goal):
        return budget
    if depth == count:
        if tiles_left == 0 and bound.direction_count > 0 and not are_reachable(bound, count):
            return budget
        return NOT_REFUTED
    kinds = most_constrained(bound, depth, count)
    cell = bound.board_cell[bound.trial_cells[depth]]
    while kinds != 0 and budget >= 0:
        kind = lowest(kinds)
        kinds = kinds & (kinds - 1)
        bound.unmatched[kind] -= 1
        bound.board[cell] = bound.tile_of_kind[kind]
        budget = refute_placements(bound, goal, tiles_left, depth + 1, count, budget - 1)
        bound.board[cell] = 0
        bound.unmatched[kind] += 1
    return budget


def most_constrained(bound: Bound, depth: int, count: int) -> int:
    """Move the cell that the fewest kinds fit to index `depth` of the list; returns those kinds, as bits."""
    cells = bound.trial_cells
    coming = kinds_coming(bound, bound.unmatched)
    fewest = MOST
    found = 0
    for number in range(depth, count):
        cell = cells[number]
        kinds = kinds_fitting(bound, bound.board_cell[cell], coming) & bound.kinds_fitting[cell]
        if ones(kinds) < fewest:
            fewest = ones(kinds)
            found = kinds
            cells[number] = cells[depth]
            cells[depth] = cell
            if fewest == 0:
                break
    return found


def may_earn_more(bound: Bound, goal: int) -> bool:
    """Whether the terms complete with the tiles placed so far may be worth more than the goal."""
    total = bound.node.certain
    for term in bound.completed[: bound.node.completed]:
        candidate = term.candidate
        tile = bound.board[candidate.cell]
        if tile == 0:
            total += term.most
        else:
            total += candidate.worth_by_tile[tile]
    return total > goal


def are_reachable(bound: Bound, count: int) -> bool:
    """Whether markers can have brought all tiles of a placement, and no others."""
    clear_marks(bound)
    for cell in bound.trial_cells[:count]:
        bound.marks[bound.board_cell[cell]] = Mark.PLACED
    reach_over_tiles(bound)
    unreached = 0
    for cell in bound.trial_cells[:count]:
        unreached += bound.marks[bound.board_cell[cell]] == Mark.PLACED
    return unreached == 0
