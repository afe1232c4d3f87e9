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

# Entries of `c`.
MODE, CONSTANT, SIGN = 0, 1, 2
PARTS, PART_COUNT = 3, 4
BOARD, COUNT, LISTED, LYING = 5, 6, 7, 8
SUPPLIES, SUPPLY_COUNT = 9, 10
KINDS, KIND_OF, KIND_WORTH = 11, 12, 13
CANDIDATES, CANDIDATE_COUNT, PLACES = 14, 15, 16
FITS = 17
LEVELS, LEVEL_COUNT = 18, 19
ROOM_COUNTS, ROOM_NUMBERS, ROOM_ACTIVE, ROOM_LACKS, ROOM_LOADS, ROOM_SORTED, ROOM_SMALL = 20, 21, 22, 23, 24, 25, 26
ROOM = 27
RELAXED_ENTRIES = 28

# How a state is bounded: not at all, by one number, by this file, or by a table, which begins at CONSTANT: at an index to which
# each of PARTS (slot, least value, stride) adds its share.
UNBOUNDED, FIXED, BY_SHARES, BY_TABLE = 0, 1, 2, 3

# A candidate in `c`: where its record begins. The record:
CELL, NEEDS, FIRST_PLACE, WORTHS, BEST_KINDS, DISTANCES, DISTANCE, FIRST_NEED = 0, 1, 2, 3, 4, 5, 6, 7
# WORTHS: worth by tile on the cell. BEST_KINDS: how many, then (worth, where the kinds are in `z`) from the best.
# DISTANCES: from each cell of the board to what the candidate needs, or -1; DISTANCE: from the tiles lying at first.

# An active candidate in ROOM_ACTIVE: where its lacks begin, how many, its record, the most and the least it is worth.
ACTIVE = 5

UNIT = 240
"""Shares are counted in parts of a point."""

SWEEPS = 8
HOPE = 3
"""Sweeps go on while the goal seems within reach: as long as at most so many times what the last one gained is missing."""

SELDOM = 32
"""A level that helps less than once in so many tries is tried as seldom as that."""

MOST = 1 << 30


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
        lacks = q[at]
        count = q[at + 1]
        first = shares + c[q[at + 2] + FIRST_PLACE]
        worth = max(min(q[at + 3], level), q[at + 4]) * UNIT
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
        lacks = q[at]
        count = q[at + 1]
        if count > 1:
            first = shares + c[q[at + 2] + FIRST_PLACE]
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


def reach(s: Ints, c: Ints, record: int) -> int:
    """How far what a candidate needs is from any tile that lies."""
    found = c[record + DISTANCE]
    row = c[record + DISTANCES]
    for at in range(c[LYING], s[c[COUNT]]):
        found = min(found, c[row + s[c[LISTED] + at]])
    return found


def by_shares(s: Ints, c: Ints, z: Longs, q: Ints, u: Longs, p: Ints, goal: int, sweeps: int) -> int:
    """No state reached from this one is worth more. At most the goal whenever that can be shown with so many sweeps."""
    tiles = count_coming(s, c, q)
    coming = 0
    for kind in range(c[KINDS]):
        if q[c[ROOM_COUNTS] + kind] > 0:
            coming = coming | (1 << kind)
    numbers = c[ROOM_NUMBERS]
    lacks = c[ROOM_LACKS]
    sure = c[CONSTANT]
    active = 0
    cells = 0
    open = 0
    for candidate in range(c[CANDIDATE_COUNT]):
        record = c[c[CANDIDATES] + candidate]
        needs = c[record + NEEDS]
        at = c[ROOM_ACTIVE] + ACTIVE * active
        count = 0
        possible = 1
        for n in range(needs):
            cell = c[record + FIRST_NEED + n]
            if s[c[BOARD] + cell] == 0:
                if count == tiles:
                    possible = 0
                    break
                number = q[numbers + cell]
                if number >= cells or q[c[ROOM_SORTED] + number] != cell:
                    number = cells
                    q[numbers + cell] = number
                    q[c[ROOM_SORTED] + number] = cell
                    u[number] = kinds_fitting(s, c, z, cell, coming)
                    cells += 1
                if u[number] == 0:
                    possible = 0
                    break
                q[lacks + 2 * count] = number
                q[lacks + 2 * count + 1] = n
                count += 1
        if possible == 0:
            continue
        tile = s[c[BOARD] + c[record + CELL]]
        if count == 0:
            sure += c[c[record + WORTHS] + tile]
            continue
        if count == needs and c[record + DISTANCES] >= 0 and reach(s, c, record) > tiles - count + 1:
            continue
        most = c[c[record + WORTHS] + tile]
        least = most
        if tile == 0:
            cell = c[record + CELL]
            number = q[numbers + cell]
            kinds = coming
            if number < cells and q[c[ROOM_SORTED] + number] == cell:
                kinds = u[number]
            best = c[record + BEST_KINDS]
            most = 0
            least = 0
            found = 0
            for n in range(c[best]):
                if kinds & z[c[best + 2 * n + 2]] != 0:
                    least = c[best + 2 * n + 1]
                    if found == 0:
                        most = least
                    found = 1
            if most > least:
                open += 1
        if most > 0:
            q[at] = lacks
            q[at + 1] = count
            q[at + 2] = record
            q[at + 3] = most
            q[at + 4] = least
            lacks += 2 * count
            active += 1
    return least_of_levels(c, q, u, p, goal, sure, active, cells, tiles, open, sweeps)


def least_of_levels(
    c: Ints, q: Ints, u: Longs, p: Ints, goal: int, sure: int, active: int, cells: int, tiles: int, open: int, sweeps: int
) -> int:
    """The bound by the level that gives the least; the first that comes down to the goal ends it.

    The last words of `u` count for each level how often it was tried, helped, and was passed over.
    """
    found = MOST
    for number in range(c[LEVEL_COUNT]):
        if number > 0 and open == 0:
            return found
        notes = c[ROOM] + 3 * number
        if number > 0 and u[notes + 1] * SELDOM < u[notes] and u[notes + 2] < SELDOM:
            u[notes + 2] += 1
            continue
        u[notes] += 1
        u[notes + 2] = 0
        level = c[c[LEVELS] + number]
        base = sure + payments(c, q, level, open)
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
        if total <= wanted:
            u[notes + 1] += 1
            return base + total // UNIT
        found = min(found, base + total // UNIT)
    return found
