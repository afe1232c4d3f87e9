"""Whether tiles can come to lie on all the cells that a branch of refuted.py fills, side by side, and be brought there.

Tiles are laid on the board for a trial, the cell with the fewest kinds first, and taken off again.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs
from .entries import (
    BOARD,
    CELL,
    CELLS,
    CHOICES,
    COUNT,
    DONE,
    DONE_ENTRY,
    ENTERS,
    FILLED,
    FITTING,
    KIND_OF,
    KINDS,
    LAY_KINDS,
    LEAVES,
    LISTED,
    LOOSE,
    MOST,
    ROOM_COUNTS,
    ROOM_DONE,
    ROOM_FOUND,
    ROOM_LAID,
    ROOM_MARKS,
    ROOM_MATCHED,
    ROOM_PLACE,
    ROOM_QUEUE,
    ROOM_STATUS,
    SIZE,
    STEPS,
    SURE,
    TILES,
    WAYS,
    WORTHS,
)
from .relaxed import kinds_fitting
from .travelled import SEEN, UNSEEN, put_markers

NEW = 3
"""The mark of a cell that is still to be filled."""

TRIALS = 300
"""Tiles laid for a trial; with more, nothing is shown."""


def cannot_be(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, goal: int, left: int) -> int:
    """Whether no way to fill those cells earns more than the goal; `left` is how many tiles there are besides."""
    laid = c[ROOM_LAID]
    choices = c[CHOICES]
    counts = c[ROOM_MATCHED]
    count = 0
    for cell in range(q[c[ROOM_FOUND] + CELLS]):
        if q[c[ROOM_STATUS] + cell] == FILLED:
            q[laid + count] = cell
            count += 1
    for kind in range(c[KINDS]):
        q[counts + kind] = q[c[ROOM_COUNTS] + kind]
    depth = 0
    trials = TRIALS
    may = 0
    forward = 1
    while may == 0:
        if forward == 1 and depth == count:
            may = may_earn_more(s, c, q, goal)
            if may == 1 and left == 0 and c[WAYS] > 0:
                may = come_there(s, c, z, q, laid, count)
            forward = 0
            if may == 1:
                break
        elif forward == 1 and may_earn_more(s, c, q, goal) == 0:
            forward = 0
        elif forward == 1:
            choose(s, c, z, q, u, laid, choices, counts, depth, count)
        if forward == 0:
            if depth == 0:
                return 1
            depth -= 1
            place = c[BOARD] + q[c[ROOM_PLACE] + q[laid + depth]]
            q[counts + c[c[KIND_OF] + s[place]]] += 1
            s[place] = 0
        kinds = u[choices + depth]
        if kinds == 0:
            forward = 0
        elif trials == 0:
            may = 1
        else:
            trials -= 1
            kind = 0
            while (kinds >> kind) & 1 == 0:
                kind += 1
            u[choices + depth] = kinds & ~(1 << kind)
            q[counts + kind] -= 1
            s[c[BOARD] + q[c[ROOM_PLACE] + q[laid + depth]]] = c[c[TILES] + kind]
            depth += 1
            forward = 1
    for n in range(depth):
        s[c[BOARD] + q[c[ROOM_PLACE] + q[laid + n]]] = 0
    return 0


def choose(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, laid: int, choices: int, counts: int, depth: int, count: int) -> None:
    """Bring the cell that fewest kinds fit to the place `depth` of the list, and note those kinds."""
    coming = 0
    for kind in range(c[KINDS]):
        if q[counts + kind] > 0:
            coming = coming | (1 << kind)
    fewest = MOST
    for n in range(depth, count):
        cell = q[laid + n]
        kinds = kinds_fitting(s, c, z, q[c[ROOM_PLACE] + cell], coming) & u[c[FITTING] + cell]
        number = 0
        rest = kinds
        while rest != 0:
            rest = rest & (rest - 1)
            number += 1
        if number < fewest:
            fewest = number
            u[choices + depth] = kinds
            q[laid + n] = q[laid + depth]
            q[laid + depth] = cell
            if number == 0:
                return


def may_earn_more(s: Ints, c: Ints, q: Ints, goal: int) -> int:
    """Whether the cells that count then may be worth more than the goal."""
    total = q[c[ROOM_FOUND] + SURE]
    for n in range(q[c[ROOM_FOUND] + DONE]):
        at = c[ROOM_DONE] + DONE_ENTRY * n
        tile = s[c[BOARD] + c[q[at + 2] + CELL]]
        if tile == 0:
            total += q[at]
        else:
            total += c[c[q[at + 2] + WORTHS] + tile]
    if total > goal:
        return 1
    return 0


def come_there(s: Ints, c: Ints, z: Longs, q: Ints, laid: int, count: int) -> int:
    """Whether a marker can have brought all those tiles, laying no others."""
    size = c[SIZE]
    marks = c[ROOM_MARKS]
    queue = c[ROOM_QUEUE]
    for at in range(s[c[COUNT]]):
        q[marks + s[c[LISTED] + at]] = UNSEEN
    for n in range(count):
        q[marks + q[c[ROOM_PLACE] + q[laid + n]]] = NEW
    tail = put_markers(s, c, q)
    head = 0
    brought = 0
    while head < tail:
        a = q[queue + head]
        head += 1
        leaves = c[c[LEAVES] + s[c[BOARD] + a]]
        for way in range(c[WAYS]):
            b = c[c[STEPS] + way * (size + 1) + a]
            there = s[c[BOARD] + b]
            if there != 0 and (q[marks + b] == UNSEEN or q[marks + b] == NEW):
                goes = c[c[LOOSE] + a] | c[c[LOOSE] + b]
                if q[marks + b] == NEW:
                    goes = goes | ((z[c[LAY_KINDS] + way] >> c[c[KIND_OF] + there]) & 1)
                    brought += goes
                else:
                    goes = goes | (((leaves & c[c[ENTERS] + there]) >> way) & 1)
                if goes == 1:
                    q[marks + b] = SEEN
                    q[queue + tail] = b
                    tail += 1
    if brought == count:
        return 1
    return 0
