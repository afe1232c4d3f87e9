"""Whether so much may be earned at all, by branch and bound on the last board: what the program of relaxed.py leaves open is
decided cell by cell.

That a cell stays vacant costs all that lack it; that it is covered costs a tile. Either way the program is bounded anew. Who
lays the tiles, and in which order, is forgotten, so that one refutation stands for all ways to play on. How many branches it
may take follows from how often that has been worth while, with so many tiles to come.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs
from .entries import (
    ACTIVE,
    AT_LEAST,
    AT_MOST,
    CELLS,
    DONE,
    EMPTY,
    FILLED,
    LACKED,
    LACKS,
    MOST,
    NUMBERED,
    OPEN,
    OPEN_CELL,
    PAIRWISE,
    RECORD,
    ROOM_ACTIVE,
    ROOM_BASE,
    ROOM_DONE,
    ROOM_FOUND,
    ROOM_LACKS,
    ROOM_LESS,
    ROOM_LUCK,
    ROOM_SORTED,
    ROOM_STACK,
    ROOM_STATUS,
    WAYS,
)
from .gathered import count_coming, gather
from .realised import cannot_be
from .relaxed import UNIT, least_of_levels
from .travelled import spread

PATIENCE, LEAST_PATIENCE = 400, 20
"""How many branches a refutation may take: when all succeed, and when none does."""

BRANCH_SWEEPS = 4
"""Of the program of a branch, which begins where that of the branch before ended."""

FEW = 3
"""With so many cells covered it is looked at whether tiles can lie on them side by side."""

CERTAIN, FORGETTING = 1 << 10, 16
"""Luck: how many refutations succeed, of so many; the last of so many count most."""


def by_branching(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, sweeps: int) -> int:
    """No state reached from this one is worth more: the goal, whenever that can be shown."""
    tiles = count_coming(s, c, q)
    active = gather(s, c, z, q, u, tiles, 0)
    far = 0
    if c[WAYS] > 0:
        spread(s, c, z, q, u, q[c[ROOM_FOUND] + NUMBERED])
        active = gather(s, c, z, q, u, tiles, q[c[ROOM_FOUND] + NUMBERED])
        far = tiles
    for cell in range(q[c[ROOM_FOUND] + CELLS]):
        q[c[ROOM_STATUS] + cell] = OPEN_CELL
    found = least_of_levels(c, q, u, p, goal, active, tiles, sweeps, far, 0)
    if found <= goal or tiles == 0:
        return found
    luck = c[ROOM_LUCK] + tiles
    patience = LEAST_PATIENCE + PATIENCE * (CERTAIN - q[luck]) // CERTAIN
    refuted = is_refuted(s, c, z, q, u, p, goal, active, tiles, far, patience)
    q[luck] += ((1 - refuted) * CERTAIN - q[luck]) // FORGETTING
    if refuted == 1:
        return goal
    return found


def is_refuted(
    s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, active: int, tiles: int, far: int, patience: int
) -> int:
    """Whether so many branches show that no last board is worth more than the goal."""
    stack = c[ROOM_STACK]
    status = c[ROOM_STATUS]
    for at in range(ACTIVE * active):
        q[c[ROOM_BASE] + at] = q[c[ROOM_ACTIVE] + at]
    depth = 0
    left = tiles
    cell = heaviest_cell(c, q, active)
    for _ in range(patience):
        # The cell is covered; when that is refuted, it stays vacant. What cannot be refuted is come upon soon that way.
        q[stack + depth] = cell
        q[status + cell] = FILLED
        left -= 1
        depth += 1
        remaining = reduce(c, q, active, left)
        while is_closed(s, c, z, q, u, p, goal, remaining, tiles, left, far, q[status + q[stack + depth - 1]]) == 1:
            while q[status + q[stack + depth - 1]] == EMPTY:
                depth -= 1
                q[status + q[stack + depth]] = OPEN_CELL
                if depth == 0:
                    return 1
            q[status + q[stack + depth - 1]] = EMPTY
            left += 1
            remaining = reduce(c, q, active, left)
        if left == 0 or remaining == 0:
            return 0
        cell = heaviest_cell(c, q, remaining)
    return 0


def is_closed(
    s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, remaining: int, tiles: int, left: int, far: int,
    last: int,
) -> int:  # fmt: skip
    """Whether a branch, whose last cell is said to be FILLED or EMPTY, comes to no more than the goal."""
    if least_of_levels(c, q, u, p, goal, remaining, left, BRANCH_SWEEPS, far, 1) <= goal:
        return 1
    if c[PAIRWISE] == 0:
        return 0
    if left == 0 or remaining == 0:
        return cannot_be(s, c, z, q, u, goal, left)
    if last == FILLED and tiles - left >= FEW:
        # Whatever they earn, and however many others there are.
        return cannot_be(s, c, z, q, u, -MOST, MOST)
    return 0


def reduce(c: Ints, q: Ints, base: int, left: int) -> int:
    """The program that the branches leave; gives how many candidates it has."""
    found = c[ROOM_FOUND]
    status = c[ROOM_STATUS]
    moved = c[ROOM_LESS] - c[ROOM_LACKS]
    active = 0
    done = 0
    open = 0
    for number in range(base):
        at = c[ROOM_BASE] + ACTIVE * number
        lacks = q[at + LACKS]
        rest = 0
        possible = 1
        for n in range(q[at + LACKED]):
            stands = q[status + q[lacks + 2 * n]]
            if stands == EMPTY:
                possible = 0
                break
            if stands == OPEN_CELL:
                q[lacks + moved + 2 * rest] = q[lacks + 2 * n]
                q[lacks + moved + 2 * rest + 1] = q[lacks + 2 * n + 1]
                rest += 1
        if possible == 0 or rest > left:
            continue
        if q[at + AT_MOST] > q[at + AT_LEAST]:
            open += 1
        to = c[ROOM_ACTIVE] + ACTIVE * active
        if rest == 0:
            to = c[ROOM_DONE] + ACTIVE * done
            done += 1
        else:
            active += 1
        q[to + LACKS] = lacks + moved
        q[to + LACKED] = rest
        q[to + RECORD] = q[at + RECORD]
        q[to + AT_MOST] = q[at + AT_MOST]
        q[to + AT_LEAST] = q[at + AT_LEAST]
    q[found + DONE] = done
    q[found + OPEN] = open
    return active


def heaviest_cell(c: Ints, q: Ints, active: int) -> int:
    """The cell to which most would fall if what candidates are worth were shared out evenly."""
    cells = q[c[ROOM_FOUND] + CELLS]
    weights = c[ROOM_SORTED]
    for cell in range(cells):
        q[weights + cell] = 0
    for number in range(active):
        at = c[ROOM_ACTIVE] + ACTIVE * number
        for n in range(q[at + LACKED]):
            q[weights + q[q[at + LACKS] + 2 * n]] += q[at + AT_MOST] * UNIT // q[at + LACKED]
    chosen = 0
    for cell in range(cells):
        if q[weights + cell] > q[weights + chosen]:
            chosen = cell
    return chosen
