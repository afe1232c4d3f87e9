"""What the loads of a program settle: what must hold of every last board that is worth more than the goal.

What a cell earns less than the least of those that are taken is lost when it is covered, and the more what it earns beyond the
best of the others when it is not (reduced costs: Dantzig, Fulkerson and Johnson 1954). More may not be lost than the program
has to spare.
"""

from __future__ import annotations

from ...rules.native.words import Ints
from .entries import (
    ACTIVE,
    FILLED,
    LACKED,
    LACKS,
    LEFT,
    NEWS,
    OPEN_CELL,
    ROOM_ACTIVE,
    ROOM_FOUND,
    ROOM_LOADS,
    ROOM_SORTED,
    ROOM_STACK,
    ROOM_STATUS,
    SAID,
    UNUSED,
)


def say(c: Ints, q: Ints, cell: int, stands: int, is_choice: int) -> None:
    """Say of a cell whether it is covered, by choice or because it must be."""
    found = c[ROOM_FOUND]
    q[c[ROOM_STATUS] + cell] = stands
    q[c[ROOM_STACK] + q[found + SAID]] = 2 * cell + is_choice
    q[found + SAID] += 1
    if stands == FILLED:
        q[found + LEFT] -= 1


def settle(c: Ints, q: Ints, active: int, cells: int, tiles: int, spare: int) -> None:
    """Cover the cells that must be, and cross out the candidates that cannot count. The largest loads, as many as there are
    tiles, stand first in ROOM_SORTED; `spare` is how far their sum is above the goal."""
    loads = c[ROOM_LOADS]
    least = 0
    following = 0
    if 0 < tiles < cells:
        least = q[c[ROOM_SORTED]]
        for at in range(1, tiles):
            least = min(least, q[c[ROOM_SORTED] + at])
        for at in range(tiles, cells):
            following = max(following, q[c[ROOM_SORTED] + at])
    if least > 0:
        for number in range(active):
            at = c[ROOM_ACTIVE] + ACTIVE * number
            lost = 0
            for n in range(q[at + LACKED]):
                lost += max(0, least - q[loads + q[q[at + LACKS] + 2 * n]])
            if lost >= spare:
                q[at + LACKED] = UNUSED
                q[c[ROOM_FOUND] + NEWS] += 1
    for cell in range(cells):
        if q[loads + cell] - following >= spare and q[c[ROOM_STATUS] + cell] == OPEN_CELL:
            say(c, q, cell, FILLED, 0)
            q[c[ROOM_FOUND] + NEWS] += 1
