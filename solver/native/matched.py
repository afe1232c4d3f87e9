"""The heaviest cells on which different tiles to come can lie, in the native subset.

Sets of cells that can be filled at the same time are a transversal matroid: taken one after the other from the heaviest, each
that finds a tile, perhaps by letting others have another one, makes the heaviest set (Edmonds and Fulkerson 1965).
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs, lowest
from .entries import (
    FILLED,
    FITTING,
    KINDS,
    MOST,
    ROOM_AWAY,
    ROOM_COUNTS,
    ROOM_LOADS,
    ROOM_MATCHED,
    ROOM_SORTED,
    ROOM_STATUS,
)


def heap_of_loads(q: Ints, loads: int, heap: int, cells: int) -> int:
    """The numbers of the cells that weigh anything as a heap, the heaviest first; gives how many."""
    count = 0
    for cell in range(cells):
        if q[loads + cell] > 0:
            q[heap + count] = cell
            count += 1
    for back in range(count // 2):
        sift(q, loads, heap, count // 2 - 1 - back, count)
    return count


def sift(q: Ints, loads: int, heap: int, at: int, count: int) -> None:
    """Let a cell sink to where it belongs in a heap of so many."""
    cell = q[heap + at]
    load = q[loads + cell]
    below = 2 * at + 1
    while below < count:
        if below + 1 < count and q[loads + q[heap + below + 1]] > q[loads + q[heap + below]]:
            below += 1
        if q[loads + q[heap + below]] <= load:
            break
        q[heap + at] = q[heap + below]
        at = below
        below = 2 * at + 1
    q[heap + at] = cell


def pop(q: Ints, loads: int, heap: int, count: int) -> int:
    """Take the heaviest cell out of a heap of so many."""
    cell = q[heap]
    q[heap] = q[heap + count - 1]
    sift(q, loads, heap, 0, count - 1)
    return cell


def reach_free(q: Ints, u: Longs, fits: int, taken: int, chosen: int, through: int, fitting: int, free: int) -> int:
    """The kinds that come free when cells that have a tile take another, as far as that must go; `through` says who."""
    reached = fitting
    grown = 1
    while grown == 1:
        grown = 0
        for n in range(chosen):
            others = u[fits + q[taken + 2 * n]]
            if (reached >> q[taken + 2 * n + 1]) & 1 == 1 and (others | reached) != reached:
                more = (others | reached) - reached
                reached = reached | others
                grown = 1
                while more != 0:
                    q[through + lowest(more)] = n
                    more = more & (more - 1)
                if reached & free != 0:
                    return reached
    return reached


def heaviest(c: Ints, q: Ints, u: Longs, cells: int, tiles: int) -> int:
    """What so many tiles may earn, each on a cell that it fits, beside those on cells that are FILLED. Less than nothing when
    that cannot be."""
    kinds = c[KINDS]
    left = c[ROOM_MATCHED]
    through = left + kinds
    taken = left + 2 * kinds
    order = c[ROOM_SORTED]
    fits = c[FITTING]
    free = 0
    for kind in range(kinds):
        q[left + kind] = q[c[ROOM_COUNTS] + kind]
        if q[left + kind] > 0:
            free = free | (1 << kind)
    filled = 0
    for cell in range(cells):
        if q[c[ROOM_STATUS] + cell] == FILLED:
            q[order + filled] = cell
            filled += 1
    waiting = heap_of_loads(q, c[ROOM_LOADS], order + filled, cells)
    total = 0
    chosen = 0
    dead = 0
    for place in range(filled + waiting):
        if chosen == tiles + filled:
            break
        cell = q[order + place]
        if place >= filled:
            cell = pop(q, c[ROOM_LOADS], order + filled, waiting)
            waiting -= 1
        fitting = u[fits + cell]
        reached = fitting
        if fitting & free == 0 and (fitting | dead) != dead:
            reached = reach_free(q, u, fits, taken, chosen, through, fitting, free)
            if reached & free == 0:
                dead = dead | reached
        if reached & free == 0:
            if place < filled:
                return -MOST
            continue
        kind = lowest(reached & free)
        q[left + kind] -= 1
        if q[left + kind] == 0:
            free = free - (1 << kind)
        while (fitting >> kind) & 1 == 0:
            n = q[through + kind]
            before = q[taken + 2 * n + 1]
            q[taken + 2 * n + 1] = kind
            kind = before
        q[taken + 2 * chosen] = cell
        q[taken + 2 * chosen + 1] = kind
        if place >= filled:
            total += q[c[ROOM_LOADS] + cell]
        chosen += 1
    return total


def within_reach(c: Ints, q: Ints, cells: int, far: int, tiles: int) -> int:
    """What so many tiles of `far` may earn when those that a cell takes on the way to it lie at all distances before it, so
    that no more than `far` less n lie farther than n, those that are FILLED among them. Less than nothing when that cannot be.

    Sets of cells that keep within nested limits are a laminar matroid, of which the heaviest are taken one by one too.
    """
    room = c[ROOM_MATCHED]
    for n in range(far):
        q[room + n] = far - n
    for cell in range(cells):
        if q[c[ROOM_STATUS] + cell] == FILLED:
            for n in range(q[c[ROOM_AWAY] + cell]):
                q[room + n] -= 1
                if q[room + n] < 0:
                    return -MOST
    total = 0
    taken = 0
    waiting = heap_of_loads(q, c[ROOM_LOADS], c[ROOM_SORTED], cells)
    while waiting > 0 and taken < tiles:
        cell = pop(q, c[ROOM_LOADS], c[ROOM_SORTED], waiting)
        waiting -= 1
        distance = q[c[ROOM_AWAY] + cell]
        least = far
        for n in range(distance):
            least = min(least, q[room + n])
        if least > 0:
            for n in range(distance):
                q[room + n] -= 1
            total += q[c[ROOM_LOADS] + cell]
            taken += 1
    return total
