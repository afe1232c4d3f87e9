"""Branch and bound on the final board: whether anything worth more than a goal is possible at all.

Cells of the covering program are filled or left vacant one by one: a vacant cell costs all terms that lack it, a filled one
costs a tile. dual_bound.py bounds each branch, warm-started by the branch before; reduced-cost fixing simplifies it. Who lays
the tiles, and in which order, is relaxed, so one refutation holds for all continuations. The node budget follows the success
rate of earlier refutations, by the number of tiles to come.
"""

from __future__ import annotations

from .active_terms import count_coming, gather, keep_reached
from .arena import MOST, UNUSED, Bound, CellState
from .dual_bound import UNIT, assign, least_over_caps
from .marker_reachability import reach_by_laying
from .placement_check import is_placement_refuted

NODE_BUDGET, LEAST_BUDGET = 200, 20
"""Most choices in a refutation: if all succeed so far, and if none does. Measured: with 400, 1.2 times the time with 24 tiles
to come (two goals), as much with 18 (five) and 1.1 times with 12 (eight); with 2,000, 1.9 times with 24."""

BRANCH_SWEEPS = 4
"""Sweeps of coordinate descent on the dual of a branch. Measured on sixteen puzzles: with 2, 0.3 % more
states; with 8, as many."""

REFUTED = -1
"""Stands for a number of terms: the branch is worth no more than the goal."""

FEW = 3
"""Filled cells from which on a branch is tested, while tiles are left: whether tiles can lie on them side by side. Measured:
without such tests a proof with 18 tiles to come takes 3.3 times as long (three runs), three with 12 take 0.74 of the time."""

CERTAIN = 1 << 10
"""Unit of success rates, in fixed point."""

FORGETTING = 16
"""Success rates are exponential moving averages over this many refutations. Measured on sixteen puzzles: 8 and 32 change no
state."""


def bound_by_branching(bound: Bound, goal: int, sweeps: int, active: int) -> int:
    """An upper bound on the value of any state reachable from this one; at most the goal if that can be shown.

    `active`: the number of terms of this state if they were just gathered, else UNUSED.
    """
    node = bound.node
    tiles = count_coming(bound)
    if active == UNUSED:
        active = gather(bound, tiles)
    if bound.direction_count > 0:
        reach_by_laying(bound, node.numbered)
        active = keep_reached(bound, active, tiles)
    for cell in range(node.cells):
        bound.cell_state[cell] = CellState.OPEN_CELL
    found = least_over_caps(bound, goal, active, tiles, sweeps, False)
    if found <= goal or tiles == 0:
        return found
    rate = bound.failure_rate[tiles]
    budget = LEAST_BUDGET + NODE_BUDGET * (CERTAIN - rate) // CERTAIN
    refuted = is_refuted(bound, goal, active, tiles, budget)
    bound.failure_rate[tiles] += ((1 - refuted) * CERTAIN - rate) // FORGETTING
    return goal if refuted else found


def is_refuted(bound: Bound, goal: int, active: int, tiles: int, budget: int) -> bool:
    """Whether `budget` choices suffice to show that no final board is worth more than the goal."""
    node = bound.node
    node.tiles_left = tiles
    node.completed = 0
    node.assigned = 0
    node.choices = 0
    remaining = active
    for _ in range(budget):
        # Fill a cell first, and leave it vacant once that is refuted: what cannot be refuted is then found early.
        remaining = close(bound, goal, remaining, tiles)
        while remaining == REFUTED:
            if node.choices == 0:
                return True
            remaining = close(bound, goal, backtrack(bound), tiles)
        if node.tiles_left == 0 or remaining == 0:
            return False
        save(bound, remaining)
        assign(bound, branching_cell(bound, remaining), CellState.FILLED, True)
    return False


def close(bound: Bound, goal: int, active: int, tiles: int) -> int:
    """Try to close a branch; returns the number of terms left, or REFUTED."""
    node = bound.node
    remaining = active
    node.news = 1
    while node.news > 0:
        remaining = reduce(bound, remaining)
        if node.tiles_left < 0:
            return REFUTED
        node.news = 0
        if least_over_caps(bound, goal, remaining, node.tiles_left, BRANCH_SWEEPS, True) <= goal:
            return REFUTED
    left = node.tiles_left
    if not bound.is_pairwise:
        return remaining
    if left == 0 or remaining == 0:
        if is_placement_refuted(bound, goal, left):
            return REFUTED
    elif tiles - left >= FEW and is_placement_refuted(bound, goal - node.rest, MOST):
        # Refuted whatever the number of other tiles: the terms left are worth `node.rest` at most.
        return REFUTED
    return remaining


def save(bound: Bound, active: int) -> None:
    """Save the terms of a branch for backtracking."""
    node = bound.node
    saved = bound.saved[node.choices]
    terms = bound.active
    node.choices += 1
    saved.term_count = active
    saved.completed = node.completed
    for number in range(active):
        saved.terms[number].copy(terms[number])


def backtrack(bound: Bound) -> int:
    """Return to the last chosen cell and leave it vacant; returns the number of terms."""
    node = bound.node
    state = bound.cell_state
    cell = 0
    is_choice = 0
    while not is_choice:
        node.assigned -= 1
        assignment = bound.assignments[node.assigned]
        cell = assignment >> 1
        is_choice = assignment & 1
        if state[cell] == CellState.FILLED:
            node.tiles_left += 1
        state[cell] = CellState.OPEN_CELL
    assign(bound, cell, CellState.EMPTY, False)
    node.choices -= 1
    saved = bound.saved[node.choices]
    terms = bound.active
    active = saved.term_count
    node.completed = saved.completed
    for number in range(active):
        terms[number].copy(saved.terms[number])
    return active


def reduce(bound: Bound, active: int) -> int:
    """Drop the terms that cannot count in the branch and set complete ones aside; returns how many remain.

    The filled cells of a term move to the end of its list of missing cells, so that backtracking restores the list.
    """
    node = bound.node
    state = bound.cell_state
    remaining = 0
    for term in bound.active[:active]:
        missing = term.missing
        rest = term.missing_count
        at = 0
        while at < rest:
            need = missing[at]
            status = state[need.cell]
            if status == CellState.OPEN_CELL:
                at += 1
            elif status == CellState.EMPTY:
                rest = UNUSED
            else:
                rest -= 1
                cell = need.cell
                place = need.place
                need.copy(missing[rest])
                missing[rest].cell = cell
                missing[rest].place = place
        if rest == UNUSED or rest > node.tiles_left:
            continue
        to = bound.active[remaining]
        if rest == 0:
            to = bound.completed[node.completed]
            node.completed += 1
        else:
            remaining += 1
        to.copy(term)
        to.missing_count = rest
    return remaining


def branching_cell(bound: Bound, active: int) -> int:
    """The cell with the largest price if each term's worth were split evenly among the cells that it lacks."""
    cells = bound.node.cells
    weights = bound.weights
    for cell in range(cells):
        weights[cell] = 0
    for term in bound.active[:active]:
        for need in term.missing[: term.missing_count]:
            weights[need.cell] += term.most * UNIT // term.missing_count
    chosen = 0
    for cell in range(cells):
        if weights[cell] > weights[chosen]:
            chosen = cell
    return chosen
