"""Runtime of generated code, in the compiled subset: changes of the state with undo, and an incremental hash.

Each change pushes a slot and its old value on the trail. The hash of a state is the sum over its slots of value times random
word, twice (Zobrist 1970, with sums in place of XOR): it depends only on the state, not on the moves that led there.
"""

from __future__ import annotations

from enum import IntEnum

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, lowest, ones, remainder, shift, wrap

STEP = 0x9E3779B97F4A7C15 - (1 << 64)
FIRST_FACTOR = 0xBF58476D1CE4E5B9 - (1 << 64)
SECOND_FACTOR = 0x94D049BB133111EB - (1 << 64)


class Fault(IntEnum):
    """Why a result is invalid: the rules stopped the game, or a buffer was full."""

    NONE = 0
    STOPPED = 1
    FULL = 2


class GameMemory(Bundle):
    """The memory of a game in progress: state (memory_layout.py), lookup tables (lookup_tables.py), registers and buffers.

    `scratch` holds sets, `trail` pairs of slot and old value, `hash_words` two random words for each hashed place.
    """

    state: Ints
    tables: Ints
    scratch: Ints
    registers: Longs
    trail: Ints
    hash_words: Longs

    seed: int = entry("registers")
    hash: int = entry("registers")
    other_hash: int = entry("registers")
    trail_length: int = entry("registers")
    trail_limit: int = entry("registers")
    fault: int = entry("registers")
    stamp: int = entry("registers")
    """The number of closures computed so far: their marks in `scratch`."""
    moves_limit: int = entry("registers")
    """The last index at which a move fits in the buffer."""

    capacity: int = entry("tables")
    """The most tiles of a zone."""

    point: int = entry("state")
    """The number of the current choice."""
    counted: int = entry("state")
    """How often the horizon's point was left."""


POINT, COUNTED, FIRST_SLOT = 0, 1, 2
CAPACITY, FIRST_ENTRY = 0, 1
REGISTERS = 8
"""The named slots and table entries, the first unnamed ones, and the number of registers."""


WORD = 31
"""The cells that a 32-bit word marks; it is never negative."""


UNDER = -2
"""In place of a zone's first hashed place: a pile whose tiles come and go at its bottom."""


class Zone(Bundle):
    """The places of a zone: its first tile, its length, its first hashed place.

    For a pile, which is hashed by slots, the last is -1 or `UNDER`.
    """

    base: int
    length: int
    hashed: int


class Listing(Bundle):
    """The places of an unordered list of cells: its length, its first cell, and the index in it of each cell."""

    length: int
    base: int
    places: int


def write(game: GameMemory, slot: int, value: int) -> None:
    """Change a slot that is not hashed."""
    length = game.trail_length
    if length >= game.trail_limit:
        game.fault = Fault.FULL
        return
    game.trail[length] = slot
    game.trail[length + 1] = game.state[slot]
    game.trail_length = length + 2
    game.state[slot] = value


def add_to_hash(game: GameMemory, place: int, difference: int) -> None:
    game.hash = wrap(game.hash + difference * game.hash_words[2 * place])
    game.other_hash = wrap(game.other_hash + difference * game.hash_words[2 * place + 1])


def change(game: GameMemory, slot: int, value: int) -> None:
    """Change a slot that is hashed."""
    add_to_hash(game, slot, value - game.state[slot])
    write(game, slot, value)


def undo(game: GameMemory, mark: int) -> None:
    """Undo all changes beyond a length of the trail. The caller restores hashes and seed."""
    length = game.trail_length
    while length > mark:
        length -= 2
        game.state[game.trail[length]] = game.trail[length + 1]
    game.trail_length = mark


# Boards --------------------------------------------------------------------------------------------


def enlist(game: GameMemory, listing: Listing, cell: int) -> None:
    """Add a cell to a list of cells."""
    length = game.state[listing.length]
    write(game, listing.base + length, cell)
    write(game, listing.places + cell, length)
    write(game, listing.length, length + 1)


def delist(game: GameMemory, listing: Listing, cell: int) -> None:
    """Remove a cell from a list of cells; the last cell takes its place."""
    last = game.state[listing.length] - 1
    moved = game.state[listing.base + last]
    place = game.state[listing.places + cell]
    write(game, listing.base + place, moved)
    write(game, listing.places + moved, place)
    write(game, listing.length, last)


def lay(game: GameMemory, cells: int, occupied: Listing, cell: int, tile: int) -> None:
    """Put a tile on a vacant cell of a board whose tiles begin at `cells`."""
    change(game, cells + cell, tile)
    enlist(game, occupied, cell)


def lift(game: GameMemory, cells: int, occupied: Listing, cell: int) -> None:
    """Take the tile off a cell."""
    change(game, cells + cell, 0)
    delist(game, occupied, cell)


# Marked cells are bits of words -------------------------------------------------------------------


def words_of(size: int) -> int:
    """The number of words with a bit for each of `size` cells."""
    return (size + WORD - 1) // WORD


def mark(game: GameMemory, words: int, cell: int, is_marked: int) -> None:
    """Mark or unmark a cell."""
    slot = words + cell // WORD
    held = game.state[slot]
    if (held >> (cell % WORD)) & 1 != is_marked:
        write(game, slot, held ^ (1 << (cell % WORD)))


def next_marked(array: Ints, words: int, size: int, cell: int) -> int:
    """The first marked cell from `cell` on; `size` if there is none. The bits after the last cell are 0."""
    if cell >= size:
        return size
    at = cell // WORD
    bits = array[words + at] >> (cell % WORD)
    if bits != 0:
        return cell + lowest(bits)
    last = (size - 1) // WORD
    while at < last:
        at += 1
        if array[words + at] != 0:
            return at * WORD + lowest(array[words + at])
    return size


def count_marked(array: Ints, words: int, size: int) -> int:
    """The number of marked cells."""
    found = 0
    for at in range(words, words + words_of(size)):
        found += ones(array[at])
    return found


class Spread(Bundle):
    """Cells marked for being near marked cells: the starts of both sets of words, in state and in scratch memory, the numbers
    of cells, and the table of cells near each cell."""

    words: int
    size: int
    near: int
    width: int
    target: int
    target_size: int


def spread(game: GameMemory, spread: Spread) -> None:
    """Mark, in scratch memory, the cells near marked cells."""
    for at in range(spread.target, spread.target + words_of(spread.target_size)):
        game.scratch[at] = 0
    cell = next_marked(game.state, spread.words, spread.size, 0)
    while cell < spread.size:
        at = spread.near + cell * spread.width
        end = at + spread.width
        while at < end and game.tables[at] >= 0:
            near = game.tables[at]
            slot = spread.target + near // WORD
            game.scratch[slot] = game.scratch[slot] | (1 << (near % WORD))
            at += 1
        cell = next_marked(game.state, spread.words, spread.size, cell + 1)


def mark_all(game: GameMemory, words: int, size: int) -> None:
    """Mark all of `size` cells in scratch memory."""
    for at in range(words, words + words_of(size)):
        game.scratch[at] = (1 << WORD) - 1
    if size % WORD > 0:
        game.scratch[words + size // WORD] = (1 << (size % WORD)) - 1


# Sets are sorted lists -----------------------------------------------------------------------------


def gain(game: GameMemory, zone: Zone, tile: int) -> None:
    """Add a tile to a set."""
    at = game.state[zone.length]
    write(game, zone.length, at + 1)
    while at > 0 and game.state[zone.base + at - 1] > tile:
        write(game, zone.base + at, game.state[zone.base + at - 1])
        at -= 1
    write(game, zone.base + at, tile)
    add_to_hash(game, zone.hashed + tile, 1)


def lose(game: GameMemory, zone: Zone, tile: int) -> bool:
    """Take a tile out of a set; False if there is no such tile."""
    length = game.state[zone.length]
    at = 0
    while at < length and game.state[zone.base + at] != tile:
        at += 1
    if at == length:
        return False
    while at < length - 1:
        write(game, zone.base + at, game.state[zone.base + at + 1])
        at += 1
    write(game, zone.length, length - 1)
    add_to_hash(game, zone.hashed + tile, -1)
    return True


def clear(game: GameMemory, zone: Zone) -> None:
    """Empty a set."""
    for at in range(game.state[zone.length]):
        add_to_hash(game, zone.hashed + game.state[zone.base + at], -1)
    write(game, zone.length, 0)


# Piles are lists, the top last ---------------------------------------------------------------------


def push(game: GameMemory, pile: Zone, tile: int) -> None:
    length = game.state[pile.length]
    change(game, pile.base + length, tile)
    write(game, pile.length, length + 1)


def push_under(game: GameMemory, pile: Zone, tile: int) -> None:
    """Lay a tile at the bottom of a pile."""
    at = game.state[pile.length]
    write(game, pile.length, at + 1)
    while at > 0:
        change(game, pile.base + at, game.state[pile.base + at - 1])
        at -= 1
    change(game, pile.base, tile)


def pull(game: GameMemory, pile: Zone, tile: int) -> bool:
    """Take the tile of a kind nearest to a pile's end out of it; False if there is none."""
    length = game.state[pile.length]
    at = 0
    if pile.hashed == UNDER:
        while at < length and game.state[pile.base + at] != tile:
            at += 1
    else:
        at = length - 1
        while at >= 0 and game.state[pile.base + at] != tile:
            at -= 1
    if at < 0 or at == length:
        return False
    take_at(game, pile, at)
    return True


def take_at(game: GameMemory, pile: Zone, place: int) -> int:
    """Take a tile out of a pile, by its index from the bottom."""
    last = game.state[pile.length] - 1
    tile = game.state[pile.base + place]
    for at in range(place, last):
        change(game, pile.base + at, game.state[pile.base + at + 1])
    change(game, pile.base + last, 0)
    write(game, pile.length, last)
    return tile


# From zone to zone ---------------------------------------------------------------------------------


def receive(game: GameMemory, zone: Zone, tile: int) -> None:
    """Add a tile to a set, or put it on or under a pile."""
    if zone.hashed == UNDER:
        push_under(game, zone, tile)
    elif zone.hashed < 0:
        push(game, zone, tile)
    else:
        gain(game, zone, tile)


def deal(game: GameMemory, number: int, source: Zone, target: Zone) -> None:
    """Move at most `number` tiles from the end of a pile, or from the front of a set."""
    number = min(number, game.state[source.length])
    if source.base == target.base and source.hashed == target.hashed:
        if source.hashed == UNDER:
            reverse(game, source.base, source.base + number - 1)
        elif source.hashed < 0:
            end = source.base + game.state[source.length]
            reverse(game, end - number, end - 1)
        return
    for _ in range(number):
        if source.hashed == UNDER:
            tile = take_at(game, source, 0)
        elif source.hashed < 0:
            tile = take_at(game, source, game.state[source.length] - 1)
        else:
            tile = game.state[source.base]
            lose(game, source, tile)
        receive(game, target, tile)


def move_all(game: GameMemory, source: Zone, target: Zone) -> None:
    if source.hashed < 0 or source.base == target.base:
        deal(game, game.state[source.length], source, target)
        return
    for at in range(game.state[source.length]):
        receive(game, target, game.state[source.base + at])
    clear(game, source)


def reverse(game: GameMemory, low: int, high: int) -> None:
    """Reverse the tiles of a pile between two slots, as dealing them onto the same end of the same pile does."""
    while low < high:
        tile = game.state[low]
        change(game, low, game.state[high])
        change(game, high, tile)
        low += 1
        high -= 1


# Spaces --------------------------------------------------------------------------------------------


class Steps(Bundle):
    """A space: its table of steps, its numbers of cells and directions, and scratch memory for a cell of each direction."""

    table: int
    size: int
    directions: int
    room: int


def toward(game: GameMemory, steps: Steps, start: int, end: int) -> int:
    """The direction whose line from `start` reaches `end` soonest, the first in a tie; -1 if there is none (Window.toward)."""
    if start == end or max(start, end) == steps.size:
        return -1
    for direction in range(steps.directions):
        game.scratch[steps.room + direction] = game.tables[steps.table + direction * (steps.size + 1) + start]
    walking = steps.directions
    while walking > 0:
        walking = 0
        for direction in range(steps.directions):
            here = game.scratch[steps.room + direction]
            if here == end:
                return direction
            if here in (steps.size, start):
                continue
            game.scratch[steps.room + direction] = game.tables[steps.table + direction * (steps.size + 1) + here]
            walking += 1
    return -1


# Chance: splitmix64 (Steele, Lea and Flood 2014), as rules/semantics/rng.py -------------------------


def mixed(seed: int) -> int:
    """The 64 random bits of a seed."""
    bits = wrap((seed ^ shift(seed, 30)) * FIRST_FACTOR)
    bits = wrap((bits ^ shift(bits, 27)) * SECOND_FACTOR)
    return bits ^ shift(bits, 31)


def draw(game: GameMemory, choices: int) -> int:
    """A random number below `choices`."""
    game.seed = wrap(game.seed + STEP)
    return remainder(mixed(game.seed), choices)


def pick(game: GameMemory, choices: int) -> int:
    """A random number below `choices`, at least 1; a single choice uses no randomness."""
    return draw(game, choices) if choices > 1 else 0


def shuffle(game: GameMemory, pile: Zone) -> None:
    """Shuffle a pile (Fisher and Yates), counted from its top."""
    length = game.state[pile.length]
    last = length - 1
    while last > 0:
        other = draw(game, last + 1)
        one_slot = pile.base + length - 1 - last
        other_slot = pile.base + length - 1 - other
        tile = game.state[one_slot]
        change(game, one_slot, game.state[other_slot])
        change(game, other_slot, tile)
        last -= 1
