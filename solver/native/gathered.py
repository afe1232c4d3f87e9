"""What may still come to count from a state on, with the vacant cells that it lacks: the candidates of a program (relaxed.py).

Vacant cells that are met with are numbered, and those that are lacked are numbered anew, for the program.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs
from .entries import (
    ACTIVE,
    AT_LEAST,
    AT_MOST,
    BEST_KINDS,
    BOARD,
    CANDIDATE_COUNT,
    CANDIDATES,
    CELL,
    CELLS,
    CONSTANT,
    COUNT,
    DISTANCE,
    DISTANCES,
    DONE,
    FIRST_NEED,
    FITS,
    FITTING,
    KIND_OF,
    KINDS,
    LACKED,
    LACKS,
    LISTED,
    LYING,
    NEEDS,
    NUMBERED,
    OPEN,
    RECORD,
    ROOM_ACTIVE,
    ROOM_AWAY,
    ROOM_CELLS,
    ROOM_COUNTS,
    ROOM_FAR,
    ROOM_FOUND,
    ROOM_LACKS,
    ROOM_NUMBERS,
    ROOM_PLACE,
    ROOM_SLIM,
    SUPPLIES,
    SUPPLY_COUNT,
    SURE,
    UNUSED,
    WORTHS,
)

NEVER = -1
"""In the place of a number of cells: they cannot all be covered. In the place of a limit: nothing is within it."""


def number_coming(s: Ints, c: Ints) -> int:
    """How many tiles are to come."""
    total = 0
    for supply in range(c[SUPPLY_COUNT]):
        total += s[c[c[SUPPLIES] + 2 * supply + 1]]
    return total


def count_coming(s: Ints, c: Ints, q: Ints) -> int:
    """How many tiles of each kind are to come, into `q`; gives the number of all."""
    for kind in range(c[KINDS]):
        q[c[ROOM_COUNTS] + kind] = 0
    total = 0
    for supply in range(c[SUPPLY_COUNT]):
        base = c[c[SUPPLIES] + 2 * supply]
        length = s[c[c[SUPPLIES] + 2 * supply + 1]]
        for at in range(length):
            q[c[ROOM_COUNTS] + c[c[KIND_OF] + s[base + at]]] += 1
        total += length
    return total


def kinds_coming(c: Ints, q: Ints, counts: int) -> int:
    """The kinds to come as bits, from their numbers."""
    coming = 0
    for kind in range(c[KINDS]):
        if q[counts + kind] > 0:
            coming = coming | (1 << kind)
    return coming


def kinds_fitting(s: Ints, c: Ints, z: Longs, cell: int, coming: int) -> int:
    """Which of the kinds to come may be laid on a cell, as far as the tiles near it decide."""
    record = c[c[FITS] + cell]
    if record < 0:
        return coming
    found = 0
    at = record + 1
    for _ in range(c[record]):
        kinds = coming
        parts = c[at]
        at += 1
        for _ in range(parts):
            kinds = kinds & z[c[at + 1] + s[c[BOARD] + c[at]]]
            at += 2
        found = found | kinds
    return found


def gather(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, tiles: int, known: int) -> int:
    """List what may still come to count; gives how many there are.

    So many vacant cells have a number already, with the kinds that may come to lie there and how far they are.
    """
    coming = kinds_coming(c, q, c[ROOM_COUNTS])
    lacks = c[ROOM_LACKS]
    found = c[ROOM_FOUND]
    for number in range(known):
        q[c[ROOM_SLIM] + number] = UNUSED
    q[found + SURE] = c[CONSTANT]
    q[found + CELLS] = 0
    q[found + OPEN] = 0
    q[found + NUMBERED] = known
    q[found + DONE] = 0
    active = 0
    for candidate in range(c[CANDIDATE_COUNT]):
        record = c[c[CANDIDATES] + candidate]
        count = lacked(s, c, z, q, u, record, lacks, coming, tiles)
        if count == 0:
            q[found + SURE] += c[c[record + WORTHS] + s[c[BOARD] + c[record + CELL]]]
        elif count > 0 and in_reach(s, c, q, record, lacks, count, tiles) == 1:
            at = c[ROOM_ACTIVE] + ACTIVE * active
            weigh(s, c, z, q, u, record, coming, at)
            if q[at + AT_MOST] > 0:
                if q[at + AT_MOST] > q[at + AT_LEAST]:
                    q[found + OPEN] += 1
                for n in range(count):
                    q[lacks + 2 * n] = number_in_program(c, q, u, q[lacks + 2 * n])
                q[at + LACKS] = lacks
                q[at + LACKED] = count
                q[at + RECORD] = record
                lacks += 2 * count
                active += 1
    return active


def lacked(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, record: int, lacks: int, coming: int, tiles: int) -> int:
    """List the cells that a candidate lacks, with their places among its needs; gives how many, if so many tiles can do."""
    count = 0
    for n in range(c[record + NEEDS]):
        cell = c[record + FIRST_NEED + n]
        if s[c[BOARD] + cell] == 0:
            if count == tiles:
                return NEVER
            number = number_of(s, c, z, q, u, cell, coming)
            if u[number] == 0:
                return NEVER
            q[lacks + 2 * count] = number
            q[lacks + 2 * count + 1] = n
            count += 1
    return count


def number_of(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, cell: int, coming: int) -> int:
    """The number of a vacant cell: a new one, when it has none."""
    numbered = q[c[ROOM_FOUND] + NUMBERED]
    if is_numbered(c, q, cell, numbered) == 1:
        return q[c[ROOM_NUMBERS] + cell]
    q[c[ROOM_FOUND] + NUMBERED] = numbered + 1
    q[c[ROOM_NUMBERS] + cell] = numbered
    q[c[ROOM_CELLS] + numbered] = cell
    q[c[ROOM_FAR] + numbered] = 1
    q[c[ROOM_SLIM] + numbered] = UNUSED
    u[numbered] = kinds_fitting(s, c, z, cell, coming)
    return numbered


def is_numbered(c: Ints, q: Ints, cell: int, numbered: int) -> int:
    """Whether a cell is among the vacant cells numbered."""
    number = q[c[ROOM_NUMBERS] + cell]
    if number < numbered and q[c[ROOM_CELLS] + number] == cell:
        return 1
    return 0


def number_in_program(c: Ints, q: Ints, u: Longs, number: int) -> int:
    """The number that a numbered cell has in the program."""
    slim = c[ROOM_SLIM] + number
    if q[slim] == UNUSED:
        cells = q[c[ROOM_FOUND] + CELLS]
        q[slim] = cells
        q[c[ROOM_AWAY] + cells] = q[c[ROOM_FAR] + number]
        q[c[ROOM_PLACE] + cells] = q[c[ROOM_CELLS] + number]
        u[c[FITTING] + cells] = u[number]
        q[c[ROOM_FOUND] + CELLS] = cells + 1
    return q[slim]


def in_reach(s: Ints, c: Ints, q: Ints, record: int, lacks: int, count: int, tiles: int) -> int:
    """Whether so many tiles can come to all the cells that a candidate lacks."""
    nearest = tiles
    for n in range(count):
        far = q[c[ROOM_FAR] + q[lacks + 2 * n]]
        if far > tiles:
            return 0
        nearest = min(nearest, far)
    rest = tiles - count + 1
    if nearest > rest or (count == c[record + NEEDS] and c[record + DISTANCES] >= 0 and reach(s, c, record) > rest):
        return 0
    return 1


def reach(s: Ints, c: Ints, record: int) -> int:
    """How far what a candidate needs is from any tile that lies."""
    found = c[record + DISTANCE]
    row = c[record + DISTANCES]
    for at in range(c[LYING], s[c[COUNT]]):
        found = min(found, c[row + s[c[LISTED] + at]])
    return found


def weigh(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, record: int, coming: int, at: int) -> None:
    """Note the most and the least that a candidate may be worth, by the tile on its cell or those that may come there."""
    cell = c[record + CELL]
    tile = s[c[BOARD] + cell]
    most = c[c[record + WORTHS] + tile]
    least = most
    if tile == 0:
        kinds = coming
        if is_numbered(c, q, cell, q[c[ROOM_FOUND] + NUMBERED]) == 1:
            kinds = u[q[c[ROOM_NUMBERS] + cell]]
        best = c[record + BEST_KINDS]
        most = 0
        least = 0
        for n in range(c[best]):
            if kinds & z[c[best + 2 * n + 2]] != 0:
                least = c[best + 2 * n + 1]
                most = max(most, least)
    q[at + AT_MOST] = most
    q[at + AT_LEAST] = least
