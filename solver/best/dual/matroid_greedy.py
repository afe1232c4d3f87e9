"""The heaviest sets of cells that tiles to come can fill, by dual price.

A greedy algorithm finds the heaviest independent set of a matroid: it takes elements in order of weight, skipping any that
would make the set dependent (Edmonds 1971). Cells on which different tiles can lie form a transversal matroid (Edmonds and
Fulkerson 1965), tested by augmenting paths; cells under nested cardinality limits form a laminar matroid.
"""

from __future__ import annotations

from rulewright.subset.intrinsics import lowest

from .active_terms import kinds_coming
from .arena import MOST, Bound, CellState, Room


def heap_by_price(bound: Bound, heap: Room) -> int:
    """Build a binary heap of the cells with a positive price, highest on top; returns its size."""
    prices = bound.prices
    count = 0
    for cell in range(bound.node.cells):
        if prices[cell] > 0:
            heap[count] = cell
            count += 1
    for back in range(count // 2):
        sift_down(bound, heap, count // 2 - 1 - back, count)
    return count


def sift_down(bound: Bound, heap: Room, at: int, count: int) -> None:
    """Restore the heap order below index `at`."""
    prices = bound.prices
    cell = heap[at]
    price = prices[cell]
    below = 2 * at + 1
    while below < count:
        if below + 1 < count and prices[heap[below + 1]] > prices[heap[below]]:
            below += 1
        if prices[heap[below]] <= price:
            break
        heap[at] = heap[below]
        at = below
        below = 2 * at + 1
    heap[at] = cell


def pop(bound: Bound, heap: Room, count: int) -> int:
    """Remove and return the cell with the highest price from a heap of `count` cells."""
    cell = heap[0]
    heap[0] = heap[count - 1]
    sift_down(bound, heap, 0, count - 1)
    return cell


def reachable_kinds(bound: Bound, fitting: int, free: int, matched_count: int) -> int:
    """The kinds that alternating paths reach from the kinds `fitting`, as bits; stops as soon as one of them is free.

    For each further kind, `bound.releasing[kind]` is the match that would take it and release its own.
    """
    matches = bound.matches
    reached = fitting
    is_growing = True
    while is_growing:
        is_growing = False
        for number in range(matched_count):
            match = matches[number]
            others = bound.kinds_fitting[match.cell]
            if (reached >> match.kind) & 1 == 1 and (others | reached) != reached:
                more = (others | reached) - reached
                reached = reached | others
                is_growing = True
                while more != 0:
                    bound.releasing[lowest(more)] = match
                    more = more & (more - 1)
                if reached & free != 0:
                    return reached
    return reached


def begin_matching(bound: Bound) -> None:
    """Begin with no cell matched."""
    matching = bound.matching
    matching.count = 0
    matching.free = kinds_coming(bound, bound.coming)
    matching.exhausted = 0
    for kind in range(bound.kind_count):
        bound.unmatched[kind] = bound.coming[kind]


def match_cell(bound: Bound, cell: int) -> bool:
    """Match a cell beside those matched before; whether that is possible."""
    matching = bound.matching
    free = matching.free
    fitting = bound.kinds_fitting[cell]
    reached = fitting
    if fitting & free == 0 and (fitting | matching.exhausted) != matching.exhausted:
        reached = reachable_kinds(bound, fitting, free, matching.count)
        if reached & free == 0:
            matching.exhausted = matching.exhausted | reached
    if reached & free == 0:
        return False
    kind = lowest(reached & free)
    bound.unmatched[kind] -= 1
    if bound.unmatched[kind] == 0:
        matching.free = free - (1 << kind)
    while (fitting >> kind) & 1 == 0:
        match = bound.releasing[kind]
        released = match.kind
        match.kind = kind
        kind = released
    added = bound.matches[matching.count]
    added.cell = cell
    added.kind = kind
    matching.count += 1
    return True


def take_limits(bound: Bound, travel: int) -> bool:
    """Take one more tile that goes so far; whether that is within the limits."""
    limits = bound.limits
    for limit in limits[:travel]:
        if limit == 0:
            return False
    for distance in range(travel):
        limits[distance] -= 1
    return True


def take(bound: Bound, cell: int, tiles_travelling: int) -> bool:
    """Add a cell to the set, unless that would make it dependent."""
    if tiles_travelling > 0:
        return take_limits(bound, bound.program_travel[cell])
    return match_cell(bound, cell)


def begin_set(bound: Bound, tiles_travelling: int) -> bool:
    """Begin with the FILLED cells; whether they are independent."""
    if tiles_travelling == 0:
        begin_matching(bound)
    for distance in range(tiles_travelling):
        bound.limits[distance] = tiles_travelling - distance
    for cell in range(bound.node.cells):
        if bound.cell_state[cell] == CellState.FILLED and not take(bound, cell, tiles_travelling):
            return False
    return True


def heaviest_independent(bound: Bound, tiles: int, tiles_travelling: int) -> int:
    """The most that `tiles` tiles earn on distinct cells that they fit, besides the FILLED ones. Negative if those cannot be
    filled. The prices are those of the last `dual_value`.

    With `tiles_travelling`, on cells that they reach instead: a tile at a distance needs others on the way, one at each lesser
    distance, so at most `tiles_travelling - n` lie farther than n. These limits are nested.
    """
    prices = bound.prices
    cells = bound.node.cells
    threshold = bound.node.threshold
    if not begin_set(bound, tiles_travelling):
        return -MOST
    # If the highest prices are independent, their order does not matter: no heap is built.
    total = 0
    taken = 0
    is_independent = True
    for cell in range(cells):
        if is_independent and prices[cell] > threshold:
            is_independent = take(bound, cell, tiles_travelling)
            total += prices[cell]
            taken += 1
    if is_independent:
        for cell in range(cells):
            if 0 < prices[cell] == threshold and taken < tiles and take(bound, cell, tiles_travelling):
                total += threshold
                taken += 1
        if taken == tiles or threshold == 0:
            return total
    begin_set(bound, tiles_travelling)
    total = 0
    taken = 0
    heap = bound.sorted_prices
    waiting = heap_by_price(bound, heap)
    while waiting > 0 and taken < tiles:
        cell = pop(bound, heap, waiting)
        waiting -= 1
        if take(bound, cell, tiles_travelling):
            total += prices[cell]
            taken += 1
    return total
