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
    CANDIDATE_COUNT,
    CELLS,
    CHOICES,
    DONE,
    EMPTY,
    FILLED,
    LACKED,
    LACKS,
    LEFT,
    MOST,
    NEWS,
    NUMBERED,
    OPEN_CELL,
    PAIRWISE,
    RECORD,
    ROOM_ACTIVE,
    ROOM_DONE,
    ROOM_FOUND,
    ROOM_KEPT,
    ROOM_LUCK,
    ROOM_SORTED,
    ROOM_STACK,
    ROOM_STATUS,
    SAID,
    UNUSED,
    WAYS,
)
from .gathered import count_coming, gather
from .realised import cannot_be
from .relaxed import UNIT, least_of_levels
from .settled import say
from .travelled import spread

PATIENCE, LEAST_PATIENCE = 400, 20
"""How many branches a refutation may take: when all succeed, and when none does."""

BRANCH_SWEEPS = 4
"""Of the program of a branch, which begins where that of the branch before ended."""

REFUTED = -1
"""Instead of a number of candidates."""

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
    found = c[ROOM_FOUND]
    q[found + LEFT] = tiles
    q[found + DONE] = 0
    q[found + SAID] = 0
    q[found + CHOICES] = 0
    remaining = active
    last = EMPTY
    for _ in range(patience):
        # The cell is covered; when that is refuted, it stays vacant. What cannot be refuted is come upon soon that way.
        remaining = left_open(s, c, z, q, u, p, goal, remaining, tiles, far, last)
        while remaining == REFUTED:
            if q[found + CHOICES] == 0:
                return 1
            remaining = left_open(s, c, z, q, u, p, goal, take_back(c, q), tiles, far, EMPTY)
        if q[found + LEFT] == 0 or remaining == 0:
            return 0
        keep(c, q, remaining)
        say(c, q, heaviest_cell(c, q, remaining), FILLED, 1)
        last = FILLED
    return 0


def left_open(
    s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, active: int, tiles: int, far: int, last: int
) -> int:
    """How many candidates a branch leaves, whose last cell is said to be FILLED or EMPTY; or that it comes to no more than the
    goal."""
    found = c[ROOM_FOUND]
    remaining = active
    q[found + NEWS] = 1
    while q[found + NEWS] > 0:
        remaining = reduce(c, q, remaining)
        if q[found + LEFT] < 0:
            return REFUTED
        q[found + NEWS] = 0
        if least_of_levels(c, q, u, p, goal, remaining, q[found + LEFT], BRANCH_SWEEPS, far, 1) <= goal:
            return REFUTED
    left = q[found + LEFT]
    if c[PAIRWISE] == 0:
        return remaining
    if left == 0 or remaining == 0:
        if cannot_be(s, c, z, q, u, goal, left) == 1:
            return REFUTED
    elif last == FILLED and tiles - left >= FEW and cannot_be(s, c, z, q, u, -MOST, MOST) == 1:
        # Whatever they earn, and however many others there are.
        return REFUTED
    return remaining


def keep(c: Ints, q: Ints, active: int) -> None:
    """Keep the candidates of a branch, to come back to."""
    found = c[ROOM_FOUND]
    to = c[ROOM_KEPT] + q[found + CHOICES] * (ACTIVE * c[CANDIDATE_COUNT] + 2)
    q[found + CHOICES] += 1
    q[to] = active
    q[to + 1] = q[found + DONE]
    for at in range(ACTIVE * active):
        q[to + 2 + at] = q[c[ROOM_ACTIVE] + at]


def take_back(c: Ints, q: Ints) -> int:
    """Go back to where a cell was chosen last, and say that it stays vacant; gives how many candidates there are."""
    found = c[ROOM_FOUND]
    cell = 0
    is_choice = 0
    while is_choice == 0:
        q[found + SAID] -= 1
        said = q[c[ROOM_STACK] + q[found + SAID]]
        cell = said >> 1
        is_choice = said & 1
        if q[c[ROOM_STATUS] + cell] == FILLED:
            q[found + LEFT] += 1
        q[c[ROOM_STATUS] + cell] = OPEN_CELL
    say(c, q, cell, EMPTY, 0)
    q[found + CHOICES] -= 1
    kept = c[ROOM_KEPT] + q[found + CHOICES] * (ACTIVE * c[CANDIDATE_COUNT] + 2)
    active = q[kept]
    q[found + DONE] = q[kept + 1]
    for at in range(ACTIVE * active):
        q[c[ROOM_ACTIVE] + at] = q[kept + 2 + at]
    return active


def reduce(c: Ints, q: Ints, active: int) -> int:
    """Leave out what cannot count in the branch, and note what is complete; gives how many candidates remain.

    What a candidate lacks is put in another order, so that what it lacked before stays the same.
    """
    found = c[ROOM_FOUND]
    status = c[ROOM_STATUS]
    remaining = 0
    for number in range(active):
        at = c[ROOM_ACTIVE] + ACTIVE * number
        lacks = q[at + LACKS]
        rest = q[at + LACKED]
        n = 0
        while n < rest:
            stands = q[status + q[lacks + 2 * n]]
            if stands == OPEN_CELL:
                n += 1
            elif stands == EMPTY:
                rest = UNUSED
            else:
                rest -= 1
                cell = q[lacks + 2 * n]
                place = q[lacks + 2 * n + 1]
                q[lacks + 2 * n] = q[lacks + 2 * rest]
                q[lacks + 2 * n + 1] = q[lacks + 2 * rest + 1]
                q[lacks + 2 * rest] = cell
                q[lacks + 2 * rest + 1] = place
        if rest == UNUSED or rest > q[found + LEFT]:
            continue
        to = c[ROOM_ACTIVE] + ACTIVE * remaining
        if rest == 0:
            to = c[ROOM_DONE] + ACTIVE * q[found + DONE]
            q[found + DONE] += 1
        else:
            remaining += 1
        q[to + LACKS] = lacks
        q[to + LACKED] = rest
        q[to + RECORD] = q[at + RECORD]
        q[to + AT_MOST] = q[at + AT_MOST]
        q[to + AT_LEAST] = q[at + AT_LEAST]
    return remaining


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
