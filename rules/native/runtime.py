"""What the generated code of every game calls: changes of the state that can be undone, with the hash of the state kept.

In the native subset. `s` is the state (slots.py), `g` the tables of the grounded game, `x` the registers named below, `t` the
trail: pairs of a slot and what it held. `r` holds two random words for each slot and for each kind of tile in each set; the
hash of a state is the sum of its values times those words, twice, so that equal states have equal hashes whatever way led
there. A tile counts by its class (`g` at CLASSES): kinds that cannot be told apart have one class.
"""

from __future__ import annotations

from .words import Ints, Longs, remainder, shift, wrap

# Registers.
SEED, HASH, OTHER_HASH, TRAIL, TRAIL_END, FAULT, STAMP, MOVES_END = 0, 1, 2, 3, 4, 5, 6, 7
REGISTERS = 8

# Faults: the rules stopped the game, or a buffer is full.
STOPPED, FULL = 1, 2

# The first entries of the tables.
CLASSES, CAPACITY = 0, 1
FIRST_ENTRY = 2

# The first slots of a state.
POINT, COUNTED = 0, 1
FIRST_SLOT = 2

OVER = -1

STEP = 0x9E3779B97F4A7C15 - (1 << 64)
FIRST_FACTOR = 0xBF58476D1CE4E5B9 - (1 << 64)
SECOND_FACTOR = 0x94D049BB133111EB - (1 << 64)


def write(s: Ints, x: Longs, t: Ints, slot: int, value: int) -> None:
    """A slot that the hash does not look at."""
    n = x[TRAIL]
    if n >= x[TRAIL_END]:
        x[FAULT] = FULL
        return
    t[n] = slot
    t[n + 1] = s[slot]
    x[TRAIL] = n + 2
    s[slot] = value


def hash_by(x: Longs, r: Longs, place: int, difference: int) -> None:
    x[HASH] = wrap(x[HASH] + difference * r[2 * place])
    x[OTHER_HASH] = wrap(x[OTHER_HASH] + difference * r[2 * place + 1])


def change(s: Ints, x: Longs, t: Ints, r: Longs, slot: int, value: int) -> None:
    """A slot that holds a number, a cell or the like."""
    hash_by(x, r, slot, value - s[slot])
    write(s, x, t, slot, value)


def change_tile(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, slot: int, tile: int) -> None:
    """A slot that holds a tile."""
    hash_by(x, r, slot, g[g[CLASSES] + tile] - g[g[CLASSES] + s[slot]])
    write(s, x, t, slot, tile)


def undo(s: Ints, x: Longs, t: Ints, mark: int) -> None:
    """Take back every change since the trail had that length. The caller restores the other registers."""
    n = x[TRAIL]
    while n > mark:
        n -= 2
        s[t[n]] = t[n + 1]
    x[TRAIL] = mark


# Boards: the tile on each cell, and a list of the occupied cells with the place of each in it ------


def lay(
    s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, board: int, count: int, listed: int, placed: int, cell: int, tile: int
) -> None:
    change_tile(s, g, x, t, r, board + cell, tile)
    n = s[count]
    write(s, x, t, listed + n, cell)
    write(s, x, t, placed + cell, n)
    write(s, x, t, count, n + 1)


def lift(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, board: int, count: int, listed: int, placed: int, cell: int) -> None:
    change_tile(s, g, x, t, r, board + cell, 0)
    last = s[count] - 1
    moved = s[listed + last]
    place = s[placed + cell]
    write(s, x, t, listed + place, moved)
    write(s, x, t, placed + moved, place)
    write(s, x, t, count, last)


# Sets are sorted lists; what the hash counts begins at `ids` ---------------------------------------


def gain(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, ids: int, tile: int) -> None:
    at = s[length]
    write(s, x, t, length, at + 1)
    while at > 0 and s[base + at - 1] > tile:
        write(s, x, t, base + at, s[base + at - 1])
        at -= 1
    write(s, x, t, base + at, tile)
    hash_by(x, r, ids + g[g[CLASSES] + tile], 1)


def lose(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, ids: int, tile: int) -> int:
    """0 when there is no such tile."""
    n = s[length]
    at = 0
    while at < n and s[base + at] != tile:
        at += 1
    if at == n:
        return 0
    while at < n - 1:
        write(s, x, t, base + at, s[base + at + 1])
        at += 1
    write(s, x, t, length, n - 1)
    hash_by(x, r, ids + g[g[CLASSES] + tile], -1)
    return 1


def clear(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, ids: int) -> None:
    for at in range(s[length]):
        hash_by(x, r, ids + g[g[CLASSES] + s[base + at]], -1)
    write(s, x, t, length, 0)


# Piles are lists, the top last ---------------------------------------------------------------------


def push(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, tile: int) -> None:
    n = s[length]
    change_tile(s, g, x, t, r, base + n, tile)
    write(s, x, t, length, n + 1)


def pull(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, tile: int) -> int:
    """Take the uppermost tile of a kind out of a pile; 0 when there is none."""
    n = s[length]
    at = n - 1
    while at >= 0 and s[base + at] != tile:
        at -= 1
    if at < 0:
        return 0
    while at < n - 1:
        change_tile(s, g, x, t, r, base + at, s[base + at + 1])
        at += 1
    change_tile(s, g, x, t, r, base + n - 1, 0)
    write(s, x, t, length, n - 1)
    return 1


def uncover(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int) -> int:
    """Take the top of a pile that is not empty."""
    n = s[length] - 1
    tile = s[base + n]
    change_tile(s, g, x, t, r, base + n, 0)
    write(s, x, t, length, n)
    return tile


# From zone to zone: `number` tiles from the top or from the front; `ids` of a pile is -1 --------------


def receive(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, ids: int, tile: int) -> None:
    if ids < 0:
        push(s, g, x, t, r, base, length, tile)
    else:
        gain(s, g, x, t, r, base, length, ids, tile)


def deal(
    s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, number: int,
    base: int, length: int, ids: int, to_base: int, to_length: int, to_ids: int,
) -> None:  # fmt: skip
    number = min(number, s[length])
    if base == to_base:
        if ids < 0:
            turn_over(s, g, x, t, r, base, length, number)
        return
    for _ in range(number):
        if ids < 0:
            tile = uncover(s, g, x, t, r, base, length)
        else:
            tile = s[base]
            lose(s, g, x, t, r, base, length, ids, tile)
        receive(s, g, x, t, r, to_base, to_length, to_ids, tile)


def move_all(
    s: Ints, g: Ints, x: Longs, t: Ints, r: Longs,
    base: int, length: int, ids: int, to_base: int, to_length: int, to_ids: int,
) -> None:  # fmt: skip
    if ids < 0 or base == to_base:
        deal(s, g, x, t, r, s[length], base, length, ids, to_base, to_length, to_ids)
        return
    for at in range(s[length]):
        receive(s, g, x, t, r, to_base, to_length, to_ids, s[base + at])
    clear(s, g, x, t, r, base, length, ids)


def turn_over(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int, number: int) -> None:
    """The upper tiles of a pile the other way round: what moving them onto their own pile does."""
    high = s[length] - 1
    low = high - number + 1
    while low < high:
        tile = s[base + low]
        change_tile(s, g, x, t, r, base + low, s[base + high])
        change_tile(s, g, x, t, r, base + high, tile)
        low += 1
        high -= 1


# Spaces --------------------------------------------------------------------------------------------


def toward(g: Ints, w: Ints, room: int, steps: int, size: int, directions: int, a: int, b: int) -> int:
    """The direction whose line from `a` reaches `b` soonest, the first of several; -1 when none does (Window.toward)."""
    if a == b or max(a, b) == size:
        return -1
    for d in range(directions):
        w[room + d] = g[steps + d * (size + 1) + a]
    walking = directions
    while walking > 0:
        walking = 0
        for d in range(directions):
            if w[room + d] == b:
                return d
            if w[room + d] != size and w[room + d] != a:
                w[room + d] = g[steps + d * (size + 1) + w[room + d]]
                walking += 1
    return -1


# Chance: splitmix64 (Steele, Lea and Flood 2014), as rules/chance.py -------------------------------


def mixed(seed: int) -> int:
    """64 well mixed bits of a seed."""
    z = wrap((seed ^ shift(seed, 30)) * FIRST_FACTOR)
    z = wrap((z ^ shift(z, 27)) * SECOND_FACTOR)
    return z ^ shift(z, 31)


def draw(x: Longs, choices: int) -> int:
    """A number below `choices` by chance."""
    x[SEED] = wrap(x[SEED] + STEP)
    return remainder(mixed(x[SEED]), choices)


def shuffle(s: Ints, g: Ints, x: Longs, t: Ints, r: Longs, base: int, length: int) -> None:
    """Fisher and Yates, counted from the top of the pile."""
    n = s[length]
    last = n - 1
    while last > 0:
        other = draw(x, last + 1)
        one = base + n - 1 - last
        two = base + n - 1 - other
        tile = s[one]
        change_tile(s, g, x, t, r, one, s[two])
        change_tile(s, g, x, t, r, two, tile)
        last -= 1
