"""Whether tiles can come to lie on all the cells that a branch of refuted.py fills, side by side, and be brought there.

Tiles are laid on the board for a trial, the cell with the fewest kinds first, and taken off again.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs, lowest, ones
from .entries import (
    ACTIVE,
    AT_MOST,
    BOARD,
    CELL,
    CELLS,
    DONE,
    FILLED,
    FITTING,
    KINDS,
    MOST,
    RECORD,
    ROOM_COUNTS,
    ROOM_DONE,
    ROOM_FOUND,
    ROOM_LAID,
    ROOM_MARKS,
    ROOM_MATCHED,
    ROOM_PLACE,
    ROOM_STATUS,
    SURE,
    TILES,
    WAYS,
    WORTHS,
)
from .gathered import kinds_coming, kinds_fitting
from .travelled import NEW, follow, forget

TRIALS = 300
"""Tiles laid for a trial; with more, nothing is shown."""


def cannot_be(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, goal: int, left: int) -> int:
    """Whether no way to fill those cells earns more than the goal; `left` is how many tiles there are besides."""
    count = 0
    for cell in range(q[c[ROOM_FOUND] + CELLS]):
        if q[c[ROOM_STATUS] + cell] == FILLED:
            q[c[ROOM_LAID] + count] = cell
            count += 1
    for kind in range(c[KINDS]):
        q[c[ROOM_MATCHED] + kind] = q[c[ROOM_COUNTS] + kind]
    if fill(s, c, z, q, u, goal, left, 0, count, TRIALS) < 0:
        return 0
    return 1


def fill(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, goal: int, left: int, depth: int, count: int, trials: int) -> int:
    """Of so many trials, how many are left when no way to fill the other cells, from `depth` on, earns more than the goal. Less
    than none when one may, or when there are too many ways."""
    if trials < 0 or may_earn_more(s, c, q, goal) == 0:
        return trials
    if depth == count:
        if left == 0 and c[WAYS] > 0 and come_there(s, c, z, q, count) == 0:
            return trials
        return -1
    kinds = fewest_kinds(s, c, z, q, u, depth, count)
    place = c[BOARD] + q[c[ROOM_PLACE] + q[c[ROOM_LAID] + depth]]
    while kinds != 0 and trials >= 0:
        kind = lowest(kinds)
        kinds = kinds & (kinds - 1)
        q[c[ROOM_MATCHED] + kind] -= 1
        s[place] = c[c[TILES] + kind]
        trials = fill(s, c, z, q, u, goal, left, depth + 1, count, trials - 1)
        s[place] = 0
        q[c[ROOM_MATCHED] + kind] += 1
    return trials


def fewest_kinds(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, depth: int, count: int) -> int:
    """Bring the cell that fewest kinds fit to the place `depth` of the list; gives those kinds."""
    laid = c[ROOM_LAID]
    coming = kinds_coming(c, q, c[ROOM_MATCHED])
    fewest = MOST
    found = 0
    for n in range(depth, count):
        cell = q[laid + n]
        kinds = kinds_fitting(s, c, z, q[c[ROOM_PLACE] + cell], coming) & u[c[FITTING] + cell]
        if ones(kinds) < fewest:
            fewest = ones(kinds)
            found = kinds
            q[laid + n] = q[laid + depth]
            q[laid + depth] = cell
            if fewest == 0:
                break
    return found


def may_earn_more(s: Ints, c: Ints, q: Ints, goal: int) -> int:
    """Whether the cells that count then may be worth more than the goal."""
    total = q[c[ROOM_FOUND] + SURE]
    for number in range(q[c[ROOM_FOUND] + DONE]):
        at = c[ROOM_DONE] + ACTIVE * number
        record = q[at + RECORD]
        tile = s[c[BOARD] + c[record + CELL]]
        if tile == 0:
            total += q[at + AT_MOST]
        else:
            total += c[c[record + WORTHS] + tile]
    if total > goal:
        return 1
    return 0


def come_there(s: Ints, c: Ints, z: Longs, q: Ints, count: int) -> int:
    """Whether a marker can have brought all those tiles, laying no others."""
    forget(s, c, q)
    for n in range(count):
        q[c[ROOM_MARKS] + q[c[ROOM_PLACE] + q[c[ROOM_LAID] + n]]] = NEW
    follow(s, c, z, q)
    for n in range(count):
        if q[c[ROOM_MARKS] + q[c[ROOM_PLACE] + q[c[ROOM_LAID] + n]]] == NEW:
            return 0
    return 1
