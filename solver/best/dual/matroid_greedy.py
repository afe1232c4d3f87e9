"""The heaviest sets of cells that tiles to come can fill, by dual price.

A greedy algorithm finds the heaviest independent set of a matroid: it takes elements in order of weight, skipping any that
would make the set dependent (Edmonds 1971). Cells on which different tiles can lie form a transversal matroid (Edmonds and
Fulkerson 1965), tested by augmenting paths; cells under nested cardinality limits form a laminar matroid.
"""

from __future__ import annotations

from rulewright.subset.intrinsics import lowest

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


def heaviest_matchable(bound: Bound, tiles: int) -> int:
    """The most that `tiles` tiles earn on distinct cells that they fit, in addition to those on FILLED cells.

    Negative if the FILLED cells cannot be matched.
    """
    node = bound.node
    order = bound.sorted_prices
    unmatched = bound.unmatched
    matches = bound.matches
    free = 0
    for kind in range(bound.kind_count):
        unmatched[kind] = bound.coming[kind]
        if unmatched[kind] > 0:
            free = free | (1 << kind)
    filled = 0
    for cell in range(node.cells):
        if bound.cell_state[cell] == CellState.FILLED:
            order[filled] = cell
            filled += 1
    heap = order[filled:]
    waiting = heap_by_price(bound, heap)
    total = 0
    matched_count = 0
    exhausted = 0
    for place in range(filled + waiting):
        if matched_count == tiles + filled:
            break
        cell = order[place]
        if place >= filled:
            cell = pop(bound, heap, waiting)
            waiting -= 1
        fitting = bound.kinds_fitting[cell]
        reached = fitting
        if fitting & free == 0 and (fitting | exhausted) != exhausted:
            reached = reachable_kinds(bound, fitting, free, matched_count)
            if reached & free == 0:
                exhausted = exhausted | reached
        if reached & free == 0:
            if place < filled:
                return -MOST
            continue
        kind = lowest(reached & free)
        unmatched[kind] -= 1
        if unmatched[kind] == 0:
            free = free - (1 << kind)
        while (fitting >> kind) & 1 == 0:
            match = bound.releasing[kind]
            released = match.kind
            match.kind = kind
            kind = released
        added = matches[matched_count]
        added.cell = cell
        added.kind = kind
        if place >= filled:
            total += bound.prices[cell]
        matched_count += 1
    return total


def heaviest_in_reach(bound: Bound, tiles_travelling: int, tiles: int) -> int:
    """The most that `tiles` of the tiles earn if each cell must be reachable. Negative if the FILLED cells are not.

    A tile at a distance needs others on the way, one at each lesser distance: of `tiles_travelling` tiles at most
    `tiles_travelling - n` lie farther than n. These limits are nested.
    """
    limits = bound.limits
    for distance in range(tiles_travelling):
        limits[distance] = tiles_travelling - distance
    for cell in range(bound.node.cells):
        if bound.cell_state[cell] == CellState.FILLED:
            for distance in range(bound.program_travel[cell]):
                limits[distance] -= 1
                if limits[distance] < 0:
                    return -MOST
    total = 0
    taken = 0
    heap = bound.sorted_prices
    waiting = heap_by_price(bound, heap)
    while waiting > 0 and taken < tiles:
        cell = pop(bound, heap, waiting)
        waiting -= 1
        travel = bound.program_travel[cell]
        least = tiles_travelling
        for limit in limits[:travel]:
            least = min(least, limit)
        if least > 0:
            for distance in range(travel):
                limits[distance] -= 1
            total += bound.prices[cell]
            taken += 1
    return total
