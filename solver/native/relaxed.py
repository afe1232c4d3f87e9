"""The bound of solver/relaxation.py, sharper and in the native subset.

A cell that may come to count still lacks some tiles. What it is worth is shared out among the cells that it lacks, in any way;
then no K tiles can earn more than the K largest sums of shares. The shares are evened out in sweeps, which comes close to the
best way of all: that of the linear program whose dual this is. The shares of the last call are where the next one begins.

A vacant cell is worth the best tile that may lie there; or no more than a level, and then each tile of the K that is worth more
pays the difference itself. The least over the levels counts.

`c` are tables (the names below are their first entries), `z` sets of kinds as bits, `q` and `u` room, `p` the shares.
"""

from __future__ import annotations

from ...rules.native.words import Ints, Longs
from .entries import (
    ACTIVE,
    AT_LEAST,
    AT_MOST,
    CELLS,
    DONE,
    FAVOURITE,
    FIRST_PLACE,
    KIND_WORTH,
    KINDS,
    LACKED,
    LACKS,
    LEVEL_COUNT,
    LEVELS,
    MOST,
    NOTES,
    OPEN,
    PLACES,
    RECORD,
    ROOM_ACTIVE,
    ROOM_COUNTS,
    ROOM_DONE,
    ROOM_FOUND,
    ROOM_LOADS,
    ROOM_SMALL,
    ROOM_SORTED,
    SURE,
)
from .gathered import count_coming, gather
from .matched import heaviest, within_reach
from .settled import settle

UNIT = 240
"""Shares are counted in parts of a point."""

SWEEPS = 8
HOPE = 3
"""Sweeps go on while the goal seems within reach: as long as at most so many times what the last one gained is missing."""

SELDOM = 32
"""A level that helps less than once in so many tries is tried as seldom as that."""


def largest(q: Ints, first: int, count: int, number: int) -> int:
    """The sum of so many of the largest numbers in a stretch of `q`, which is put in another order (Hoare's selection)."""
    if number < count:
        low = first
        high = first + count - 1
        last = first + number - 1
        while low < high:
            pivot = q[(low + high) >> 1]
            i = low
            j = high
            while i <= j:
                while q[i] > pivot:
                    i += 1
                while q[j] < pivot:
                    j -= 1
                if i <= j:
                    value = q[i]
                    q[i] = q[j]
                    q[j] = value
                    i += 1
                    j -= 1
            if last <= j:
                high = j
            elif last >= i:
                low = i
            else:
                break
        count = number
    total = 0
    for at in range(count):
        total += q[first + at]
    return total


def payments(c: Ints, q: Ints, level: int, number: int) -> int:
    """What the best of the tiles to come, as many as `number`, are worth beyond a level. Kinds stand in order of worth."""
    total = 0
    for kind in range(c[KINDS]):
        worth = c[c[KIND_WORTH] + kind]
        if worth <= level or number == 0:
            return total
        taken = min(q[c[ROOM_COUNTS] + kind], number)
        total += taken * (worth - level)
        number -= taken
    return total


def share_out(c: Ints, q: Ints, p: Ints, active: int, cells: int, level: int, shares: int) -> None:
    """Loads of all cells from the shares of before, scaled where the worth or the cells that are lacked have changed."""
    loads = c[ROOM_LOADS]
    for cell in range(cells):
        q[loads + cell] = 0
    for number in range(active):
        at = c[ROOM_ACTIVE] + ACTIVE * number
        lacks = q[at + LACKS]
        count = q[at + LACKED]
        first = shares + c[q[at + RECORD] + FIRST_PLACE]
        worth = max(min(q[at + AT_MOST], level), q[at + AT_LEAST]) * UNIT
        have = 0
        for n in range(count):
            have += p[first + q[lacks + 2 * n + 1]]
        if have != worth:
            rest = worth
            for n in range(count - 1, 0, -1):
                place = first + q[lacks + 2 * n + 1]
                p[place] = p[place] * worth // have if have > 0 else worth // count
                rest -= p[place]
            p[first + q[lacks + 1]] = rest
        for n in range(count):
            q[loads + q[lacks + 2 * n]] += p[first + q[lacks + 2 * n + 1]]


def sweep(c: Ints, q: Ints, p: Ints, active: int, shares: int) -> None:
    """Pour the worth of each candidate anew, where the loads are lowest."""
    loads = c[ROOM_LOADS]
    small = c[ROOM_SMALL]
    for number in range(active):
        at = c[ROOM_ACTIVE] + ACTIVE * number
        lacks = q[at + LACKS]
        count = q[at + LACKED]
        if count > 1:
            first = shares + c[q[at + RECORD] + FIRST_PLACE]
            worth = 0
            for n in range(count):
                share = p[first + q[lacks + 2 * n + 1]]
                worth += share
                load = q[loads + q[lacks + 2 * n]] - share
                place = n
                while place > 0 and q[small + 2 * place - 2] > load:
                    q[small + 2 * place] = q[small + 2 * place - 2]
                    q[small + 2 * place + 1] = q[small + 2 * place - 1]
                    place -= 1
                q[small + 2 * place] = load
                q[small + 2 * place + 1] = n
            filled = 1
            total = q[small]
            while filled < count and total + worth > q[small + 2 * filled] * filled:
                total += q[small + 2 * filled]
                filled += 1
            water = (total + worth) // filled
            over = (total + worth) - water * filled
            for place in range(count):
                n = q[small + 2 * place + 1]
                share = 0
                if place < filled:
                    share = water - q[small + 2 * place]
                    if place < over:
                        share += 1
                p[first + q[lacks + 2 * n + 1]] = share
                q[loads + q[lacks + 2 * n]] = q[small + 2 * place] + share


def earned(c: Ints, q: Ints, cells: int, tiles: int) -> int:
    """What so many tiles may earn with the loads as they are, in parts of a point."""
    for cell in range(cells):
        q[c[ROOM_SORTED] + cell] = q[c[ROOM_LOADS] + cell]
    return largest(q, c[ROOM_SORTED], cells, tiles)


def by_shares(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, sweeps: int) -> int:
    """No state reached from this one is worth more. At most the goal whenever that can be shown with so many sweeps."""
    tiles = count_coming(s, c, q)
    active = gather(s, c, z, q, u, tiles, 0)
    return least_of_levels(c, q, u, p, goal, active, tiles, sweeps, 0, 0)


def open_at(c: Ints, q: Ints, active: int, level: int) -> int:
    """How many candidates a tile may make worth more than a level."""
    return open_among(q, c[ROOM_ACTIVE], active, level) + open_among(q, c[ROOM_DONE], q[c[ROOM_FOUND] + DONE], level)


def open_among(q: Ints, first: int, count: int, level: int) -> int:
    """The same of so many in a row."""
    found = 0
    for number in range(count):
        at = first + ACTIVE * number
        if q[at + AT_MOST] > q[at + AT_LEAST] and q[at + AT_MOST] > level:
            found += 1
    return found


def sure_at(c: Ints, q: Ints, level: int) -> int:
    """What is certain, when a tile pays itself what it is worth beyond a level."""
    total = q[c[ROOM_FOUND] + SURE]
    for number in range(q[c[ROOM_FOUND] + DONE]):
        at = c[ROOM_DONE] + ACTIVE * number
        total += max(min(q[at + AT_MOST], level), q[at + AT_LEAST])
    return total


def least_of_levels(
    c: Ints, q: Ints, u: Longs, p: Ints, goal: int, active: int, tiles: int, sweeps: int, far: int, branched: int
) -> int:
    """The bound by the level that gives the least; the first that comes down to the goal ends it. The one that did so last is
    tried first. `far`: how many tiles there were when it was found how far cells are; 0 if it was not. `branched`: it is a
    branch, where what is said of cells counts, one level must do, and what is certain is settled.
    """
    cells = q[c[ROOM_FOUND] + CELLS]
    found = MOST
    favourite = q[c[ROOM_FOUND] + FAVOURITE]
    for turn in range(c[LEVEL_COUNT]):
        if turn > 0 and (branched == 1 or q[c[ROOM_FOUND] + OPEN] == 0):
            return found
        number = turn
        if turn == 0:
            number = favourite
        elif turn <= favourite:
            number = turn - 1
        notes = c[NOTES] + 3 * number
        if turn > 0 and u[notes + 1] * SELDOM < u[notes] and u[notes + 2] < SELDOM:
            u[notes + 2] += 1
            continue
        u[notes] += 1
        u[notes + 2] = 0
        level = c[c[LEVELS] + number]
        base = sure_at(c, q, level) + payments(c, q, level, open_at(c, q, active, level))
        shares = number * c[PLACES]
        share_out(c, q, p, active, cells, level, shares)
        total = earned(c, q, cells, tiles)
        wanted = (goal + 1 - base) * UNIT - 1
        for _ in range(sweeps):
            if total <= wanted:
                break
            before = total
            sweep(c, q, p, active, shares)
            total = min(total, earned(c, q, cells, tiles))
            if total - wanted > HOPE * (before - total):
                break
        if total > wanted and far > 0:
            total = min(total, within_reach(c, q, cells, far, tiles))
        if total > wanted and far + branched > 0:
            total = min(total, heaviest(c, q, u, cells, tiles))
        if total > wanted and branched == 1:
            settle(c, q, active, cells, tiles, earned(c, q, cells, tiles) - wanted)
        if total <= wanted:
            u[notes + 1] += 1
            q[c[ROOM_FOUND] + FAVOURITE] = number
            return base + total // UNIT
        found = min(found, base + total // UNIT)
    return found
