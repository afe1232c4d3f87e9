"""Which tiles markers can bring where, and how many that takes: solver/travel.py for the kernels.

From where the markers stand, ways are followed over the tiles that lie and over vacant cells, each with the kinds that may come
to lie there. Vacant cells without a number are taken for one, from which all that touch it can be reached.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs, wrap
from .entries import (
    BACK,
    BOARD,
    CAME,
    COUNT,
    ENTERS,
    KIND_OF,
    LAY_KINDS,
    LEAVE_KINDS,
    LEAVES,
    LISTED,
    LOOSE,
    MARKER_COUNT,
    MARKERS,
    ROOM_CELLS,
    ROOM_ENDS,
    ROOM_FAR,
    ROOM_MARKS,
    ROOM_NUMBERS,
    ROOM_QUEUE,
    SIZE,
    STEPS,
    WAYS,
)
from .gathered import is_numbered

UNREACHED = 1 << 20
UNSEEN, SEEN, WAITING, NEW = 0, 1, 2, 3
"""Marks of cells. WAITING: in the queue. NEW: a tile is laid there when a marker comes."""

ODD = 0x9E3779B1


def standing(s: Ints, c: Ints, z: Longs, q: Ints, words: int) -> int:
    """A word for where markers can come to over the tiles that lie: it decides the bound, with what decides the other one."""
    forget(s, c, q)
    word = 0
    for at in range(follow(s, c, z, q)):
        word = wrap(word + wrap(z[words + q[c[ROOM_QUEUE] + at]] * ODD))
    return word


def forget(s: Ints, c: Ints, q: Ints) -> None:
    """Nobody has been on the tiles that lie."""
    for at in range(s[c[COUNT]]):
        q[c[ROOM_MARKS] + s[c[LISTED] + at]] = UNSEEN


def follow(s: Ints, c: Ints, z: Longs, q: Ints) -> int:
    """List in the queue where markers come over tiles, those that lie and those that are NEW; gives how many cells that are."""
    marks = c[ROOM_MARKS]
    tail = put_markers(s, c, q)
    head = 0
    while head < tail:
        a = q[c[ROOM_QUEUE] + head]
        head += 1
        leaves = c[c[LEAVES] + s[c[BOARD] + a]]
        for way in range(c[WAYS]):
            b = c[c[STEPS] + way * (c[SIZE] + 1) + a]
            there = s[c[BOARD] + b]
            if there != 0 and (q[marks + b] == UNSEEN or q[marks + b] == NEW):
                goes = c[c[LOOSE] + a] | c[c[LOOSE] + b]
                if q[marks + b] == NEW:
                    goes = goes | (z[c[LAY_KINDS] + way] >> c[c[KIND_OF] + there])
                else:
                    goes = goes | ((leaves & c[c[ENTERS] + there]) >> way)
                if goes & 1 == 1:
                    q[marks + b] = WAITING
                    q[c[ROOM_QUEUE] + tail] = b
                    tail += 1
    return tail


def put_markers(s: Ints, c: Ints, q: Ints) -> int:
    """The cells where markers stand, each once, into the queue; gives how many."""
    tail = 0
    for marker in range(c[MARKER_COUNT]):
        cell = s[c[c[MARKERS] + marker]]
        if q[c[ROOM_MARKS] + cell] == UNSEEN:
            q[c[ROOM_MARKS] + cell] = WAITING
            q[c[ROOM_QUEUE] + tail] = cell
            tail += 1
    return tail


def spread(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, cells: int) -> None:
    """For each numbered cell the kinds of tile that a marker may bring there, and how many tiles that takes with its own."""
    marks = c[ROOM_MARKS]
    came = c[CAME]
    forget(s, c, q)
    for number in range(cells):
        q[marks + q[c[ROOM_CELLS] + number]] = UNSEEN
        q[c[ROOM_FAR] + number] = UNREACHED
        u[came + number] = 0
    ends = c[ROOM_ENDS]
    q[ends] = put_markers(s, c, q)
    q[ends + 1] = 0
    outside = UNREACHED
    wave = 0
    while q[ends + wave % 2] > 0 or outside == wave:
        if outside == wave:
            from_outside(s, c, z, q, u, cells, wave)
        head = 0
        while head < q[ends + wave % 2]:
            a = q[c[ROOM_QUEUE] + wave % 2 * (c[SIZE] + 1) + head]
            head += 1
            q[marks + a] = SEEN
            if step_on(s, c, z, q, u, cells, wave, a) == 1 and outside == UNREACHED:
                outside = wave + 1
        q[ends + wave % 2] = 0
        wave += 1
    for number in range(cells):
        u[number] = u[came + number]


def step_on(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, cells: int, wave: int, a: int) -> int:
    """Go on from a cell in all directions; gives whether that leads to a vacant cell without a number."""
    size = c[SIZE]
    tile = s[c[BOARD] + a]
    outside = 0
    for way in range(c[WAYS]):
        b = c[c[STEPS] + way * (size + 1) + a]
        if b < size:
            loose = c[c[LOOSE] + a] | c[c[LOOSE] + b]
            there = s[c[BOARD] + b]
            if there != 0:
                goes = loose
                if (c[c[ENTERS] + there] >> way) & 1 == 1:
                    if tile != 0:
                        goes = goes | ((c[c[LEAVES] + tile] >> way) & 1)
                    elif u[c[CAME] + q[c[ROOM_NUMBERS] + a]] & z[c[LEAVE_KINDS] + way] != 0:
                        goes = 1
                if goes == 1 and q[c[ROOM_MARKS] + b] == UNSEEN:
                    wait(c, q, b, wave)
            elif is_numbered(c, q, b, cells) == 1:
                bring(c, z, q, u, b, way, loose, wave + 1)
            else:
                outside = 1
    return outside


def wait(c: Ints, q: Ints, cell: int, wave: int) -> None:
    """Put a cell into the queue of a wave, unless it is in one."""
    if q[c[ROOM_MARKS] + cell] != WAITING:
        q[c[ROOM_MARKS] + cell] = WAITING
        end = c[ROOM_ENDS] + wave % 2
        q[c[ROOM_QUEUE] + wave % 2 * (c[SIZE] + 1) + q[end]] = cell
        q[end] += 1


def bring(c: Ints, z: Longs, q: Ints, u: Longs, cell: int, way: int, loose: int, wave: int) -> None:
    """Lay on a numbered cell, from the cell before it, what fits there."""
    number = q[c[ROOM_NUMBERS] + cell]
    came = c[CAME] + number
    kinds = u[number]
    if loose == 0:
        kinds = kinds & z[c[LAY_KINDS] + way]
    if (u[came] | kinds) != u[came]:
        u[came] = u[came] | kinds
        q[c[ROOM_FAR] + number] = min(q[c[ROOM_FAR] + number], wave)
        wait(c, q, cell, wave)


def from_outside(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, cells: int, wave: int) -> None:
    """Reach everything that touches a vacant cell without a number."""
    for at in range(s[c[COUNT]]):
        b = s[c[LISTED] + at]
        for way in range(c[WAYS]):
            a = cell_before(c, b, way)
            if is_outside(s, c, q, a, cells) == 1 and q[c[ROOM_MARKS] + b] == UNSEEN:
                loose = c[c[LOOSE] + a] | c[c[LOOSE] + b]
                if (loose | (c[c[ENTERS] + s[c[BOARD] + b]] >> way)) & 1 == 1:
                    wait(c, q, b, wave)
    for number in range(cells):
        b = q[c[ROOM_CELLS] + number]
        for way in range(c[WAYS]):
            a = cell_before(c, b, way)
            if is_outside(s, c, q, a, cells) == 1:
                bring(c, z, q, u, b, way, c[c[LOOSE] + a] | c[c[LOOSE] + b], wave + 1)


def cell_before(c: Ints, cell: int, way: int) -> int:
    """From where that way leads to a cell."""
    return c[c[STEPS] + c[c[BACK] + way] * (c[SIZE] + 1) + cell]


def is_outside(s: Ints, c: Ints, q: Ints, cell: int, cells: int) -> int:
    """Whether that is a vacant cell without a number."""
    if cell < c[SIZE] and s[c[BOARD] + cell] == 0 and is_numbered(c, q, cell, cells) == 0:
        return 1
    return 0
