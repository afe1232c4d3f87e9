"""Runtime of generated code, in the compiled subset: changes of the state with undo, and an incremental hash.

Each change pushes a slot and its old value on the trail, and updates two hashes of the state (state_hash.py). They depend
only on the state, not on the moves that led there.
"""

from __future__ import annotations

from enum import IntEnum

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, latest, lowest, ones, remainder, shift, wrap

STEP = 0x9E3779B97F4A7C15 - (1 << 64)
FIRST_FACTOR = 0xBF58476D1CE4E5B9 - (1 << 64)
SECOND_FACTOR = 0x94D049BB133111EB - (1 << 64)
"""Layout of hashes: odd factors that mix words (splitmix64: Steele, Lea and Flood 2014)."""


class Fault(IntEnum):
    """Why a result is invalid: the rules stopped the game, a buffer was full, or the time is over."""

    NONE = 0
    STOPPED = 1
    FULL = 2
    HALTED = 3


class GameMemory(Bundle):
    """The memory of a game in progress: state (memory_layout.py), lookup tables (lookup_tables.py), registers and buffers.

    `scratch` holds sets, `trail` pairs of slot and old value, `hash_rows` for each hashed place where its words begin in
    `hash_words`.
    """

    state: Ints
    tables: Ints
    scratch: Ints
    registers: Longs
    trail: Ints
    hash_rows: Ints
    hash_words: Longs

    seed: int = entry("registers")
    hash: int = entry("registers")
    other_hash: int = entry("registers")
    trail_length: int = entry("registers")
    trail_limit: int = entry("registers")
    fault: int = entry("registers")
    stamp: int = entry("registers")
    """The number of closures computed so far."""
    moves_limit: int = entry("registers")
    """The last index at which a move fits in the buffer."""
    halt: int = entry("registers")
    """1 when another thread has halted the game: nothing that follows is valid."""

    capacity: int = entry("tables")
    """The most tiles of a zone."""

    point: int = entry("state")
    """The number of the current choice."""
    counted: int = entry("state")
    """How often the horizon's point was left."""


POINT, COUNTED, FIRST_SLOT = 0, 1, 2
CAPACITY, FIRST_ENTRY = 0, 1
REGISTERS = 9
"""Indices of the named slots and table entries, of the first unnamed ones, and the number of registers."""

EPOCH_BITS = 30
"""An epoch has two to this power closures."""

VALUE_WORDS, WIDE_WORDS = 2, 8
"""Words of a hashed place for each of its values; words of a place with too many values for that."""

LOW_HALF = (1 << 32) - 1
"""Bits of the lower half of a word."""


WORD = 31
"""Bits of a 32-bit word that mark cells; it is never negative."""


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


def rehash(game: GameMemory, place: int, before: int, after: int) -> None:
    """Update the hashes for a place whose value changes."""
    old = game.hash_rows[place] + VALUE_WORDS * before
    new = game.hash_rows[place] + VALUE_WORDS * after
    game.hash = wrap(game.hash + game.hash_words[new] - game.hash_words[old])
    game.other_hash = wrap(game.other_hash + game.hash_words[new + 1] - game.hash_words[old + 1])


def wide_word(words: Longs, at: int, value: int) -> int:
    """The word of one of 2^32 values: each half is strongly universal (Dietzfelbinger 1996), and XORing one to the other, a
    bijection that is not linear, has the words of two values differ by no more than chance."""
    low = shift(wrap((value & LOW_HALF) * words[at] + words[at + 1]), 32)
    high = wrap((value & LOW_HALF) * words[at + 2] + words[at + 3])
    return (high & ~LOW_HALF) | (low ^ shift(high, 32))


def change(game: GameMemory, slot: int, value: int) -> None:
    """Change a slot that is hashed."""
    rehash(game, slot, game.state[slot], value)
    write(game, slot, value)


def change_wide(game: GameMemory, slot: int, value: int) -> None:
    """Change a hashed slot that has too many values for a word each."""
    before = game.state[slot]
    if value == before:
        return
    words = game.hash_words
    row = game.hash_rows[slot]
    game.hash = wrap(game.hash + wide_word(words, row, value) - wide_word(words, row, before))
    game.other_hash = wrap(game.other_hash + wide_word(words, row + 4, value) - wide_word(words, row + 4, before))
    write(game, slot, value)


def undo(game: GameMemory, mark: int) -> None:
    """Undo all changes beyond a length of the trail. The caller restores the hashes and the seed."""
    length = game.trail_length
    while length > mark:
        length -= 2
        game.state[game.trail[length]] = game.trail[length + 1]
    game.trail_length = mark


def undo_to(game: GameMemory, mark: int, hash: int, other_hash: int, seed: int) -> None:
    """Undo all changes beyond a length of the trail, to a state with these hashes and this seed."""
    undo(game, mark)
    game.hash = hash
    game.other_hash = other_hash
    game.seed = seed


# Closures ------------------------------------------------------------------------------------------


def next_mark(game: GameMemory, marks: int, size: int) -> int:
    """What marks the elements that a new closure visits. `scratch` has a mark for each from `marks` on, of 32 bits, and after
    them the epoch in which all were made; those of another epoch are cleared, as they might come again."""
    scratch = game.scratch
    game.stamp += 1
    epoch = game.stamp >> EPOCH_BITS
    if scratch[marks + size] != epoch:
        scratch[marks + size] = epoch
        for at in range(marks, marks + size):
            scratch[at] = 0
    return 1 + game.stamp - (epoch << EPOCH_BITS)


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


def halted(game: GameMemory) -> int:
    """Whether another thread has halted the game, which is a fault."""
    if latest(game.halt) == 0:
        return 0
    game.fault = Fault.HALTED
    return 1


def unmark_all(game: GameMemory, words: int, count: int) -> None:
    """Unmark everything in some words of scratch memory."""
    for at in range(words, words + count):
        game.scratch[at] = 0


def mark_new(game: GameMemory, words: int, number: int) -> int:
    """Mark a number in words of scratch memory; 0 if it was marked already."""
    slot = words + number // WORD
    bit = 1 << (number % WORD)
    if game.scratch[slot] & bit != 0:
        return 0
    game.scratch[slot] = game.scratch[slot] | bit
    return 1


def mark_all(game: GameMemory, words: int, size: int) -> None:
    """Mark all of `size` cells in scratch memory."""
    for at in range(words, words + words_of(size)):
        game.scratch[at] = (1 << WORD) - 1
    if size % WORD > 0:
        game.scratch[words + size // WORD] = (1 << (size % WORD)) - 1


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
