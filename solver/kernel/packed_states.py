"""States packed into words of 64 bits: of each slot that play may change, the bits that tell its values apart.

What follows from the other slots (lists of cells, marks) is left out. Loading a state changes what differs from the state of
the game, so that lists, marks and hashes follow.
"""

from __future__ import annotations

from enum import IntEnum

from rulewright.rules.machine.runtime import (
    GameMemory,
    Listing,
    change,
    change_wide,
    delist,
    enlist,
    mark,
    rehash,
    write,
)
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, shift, wrap
from rulewright.subset.records import Record, Run

from .orbits import Orbits, image_of

NUMBER_BITS = 28
"""Bits of the number of a state."""

NUMBER = (1 << NUMBER_BITS) - 1


class Held(IntEnum):
    """What a slot holds: a value that is hashed by a word of its own, by a wide word, or not at all; or a tile of a set."""

    VALUE = 0
    WIDE = 1
    SILENT = 2
    IN_SET = 3


class CellList(Record, memory="packing"):
    """A list of cells of a board: those whose value `is_listed`."""

    length: int
    base: int
    places: int
    is_listed: Run[int]


class PackedBoard(Record, memory="packing"):
    """A variable over cells: the slot of its first cell, its lists, and the slot of its first word of marks, 0 without any;
    marked are the cells with another value than the `least`."""

    first: int
    least: int
    marks: int
    list_count: int
    lists: Run[CellList]


class PackedSet(Record, memory="packing"):
    """A set of tiles: its first tile, and its first hashed place."""

    base: int
    hashed: int


class PackedSlot(Record, memory="packing"):
    """A slot: where its value, less `low`, is in its word; the board of a cell, or the set of a tile."""

    slot: int
    place: int
    bits: int
    low: int
    held: int
    is_cell: int
    board: PackedBoard
    set: PackedSet


class PackedWord(Record, memory="packing"):
    """The slots in a word, in order: those that tell states apart first."""

    slot_count: int
    telling_count: int
    slots: Run[PackedSlot]


class PackedStates(Bundle):
    """States by number, each its seed, if the game `uses_chance`, and `word_count` words. The first `telling_count` words tell
    states apart, the last of them without its highest `spare` bits, and so does the seed. `word_of` and `slot_of` have for each
    slot of a state its word and its number in that word, -1 if it never changes. `packed` has the state packed last."""

    packing: Ints
    kept: Longs
    packed: Longs
    uses_chance: int = entry("packing")
    word_count: int = entry("packing")
    telling_count: int = entry("packing")
    spare: int = entry("packing")
    size: int = entry("packing")
    words: Run[PackedWord] = entry("packing")
    word_of: Run[int] = entry("packing")
    slot_of: Run[int] = entry("packing")


def pack(states: PackedStates, game: GameMemory) -> None:
    """Pack the state of the game."""
    for at in range(states.word_count):
        word = states.words[at]
        bits = 0
        for known in word.slots[: word.slot_count]:
            bits = bits | ((game.state[known.slot] - known.low) << known.place)
        states.packed[states.uses_chance + at] = wrap(bits)
    if states.uses_chance == 1:
        states.packed[0] = game.seed


def keep(states: PackedStates, number: int) -> None:
    """Keep the state packed last under a number."""
    first = number * states.size
    for at in range(states.size):
        states.kept[first + at] = states.packed[at]


def unpacked(states: PackedStates, known: PackedSlot, bits: int) -> int:
    """The value of a slot in its word."""
    return (shift(bits, known.place) & ((1 << known.bits) - 1)) + known.low


def load_state(states: PackedStates, game: GameMemory, number: int) -> None:
    """Load a state into a game that began at the same root; earlier moves can no longer be undone."""
    game.trail_length = 0
    first = number * states.size
    for at in range(states.word_count):
        bits = states.kept[first + states.uses_chance + at]
        word = states.words[at]
        for known in word.slots[: word.slot_count]:
            value = unpacked(states, known, bits)
            if value != game.state[known.slot]:
                restore(states, game, known, value)
    if states.uses_chance == 1:
        game.seed = states.kept[first]
    game.trail_length = 0


def restore(states: PackedStates, game: GameMemory, known: PackedSlot, value: int) -> None:
    """Change a slot, and what follows from it."""
    before = game.state[known.slot]
    if known.held == Held.WIDE:
        change_wide(game, known.slot, value)
    elif known.held == Held.SILENT:
        write(game, known.slot, value)
    elif known.held == Held.IN_SET:
        exchange(states, game, known, before, value)
    else:
        change(game, known.slot, value)
    if known.is_cell == 1:
        list_again(states, game, known, before, value)


def exchange(states: PackedStates, game: GameMemory, known: PackedSlot, before: int, tile: int) -> None:
    """Put a tile in the place of another one of a set; 0 is none."""
    if before > 0:
        copies = copies_of(game, known.set.base, before)
        rehash(game, known.set.hashed + before, copies, copies - 1)
    write(game, known.slot, tile)
    if tile > 0:
        copies = copies_of(game, known.set.base, tile)
        rehash(game, known.set.hashed + tile, copies - 1, copies)


def copies_of(game: GameMemory, base: int, tile: int) -> int:
    """How many tiles of a kind a set has."""
    copies = 0
    for at in range(base, base + game.capacity):
        if game.state[at] == tile:
            copies += 1
    return copies


def list_again(states: PackedStates, game: GameMemory, known: PackedSlot, before: int, value: int) -> None:
    """Bring lists and marks of cells up to date after the value of a cell has changed."""
    board = known.board
    cell = known.slot - board.first
    for one in board.lists[: board.list_count]:
        if one.is_listed[before] > one.is_listed[value]:
            delist(game, Listing(one.length, one.base, one.places), cell)
        elif one.is_listed[before] < one.is_listed[value]:
            enlist(game, Listing(one.length, one.base, one.places), cell)
    if board.marks > 0:
        is_marked = 0
        if value != board.least:
            is_marked = 1
        mark(game, board.marks, cell, is_marked)


def is_kept_at(states: PackedStates, number: int) -> bool:
    """Whether nothing tells the state with a number from the one packed last."""
    first = number * states.size
    last = states.uses_chance + states.telling_count - 1
    differences = wrap((states.kept[first + last] ^ states.packed[last]) << states.spare)
    for at in range(last):
        differences = differences | (states.kept[first + at] ^ states.packed[at])
    return differences == 0


def value_at(states: PackedStates, game: GameMemory, number: int, slot: int) -> int:
    """The value of a slot in the state with a number."""
    at = states.word_of[slot]
    if at < 0:
        return game.state[slot]
    bits = states.kept[number * states.size + states.uses_chance + at]
    return unpacked(states, states.words[at].slots[states.slot_of[slot]], bits)


def is_same_orbit(orbits: Orbits, game: GameMemory, states: PackedStates, number: int, mapping: int) -> bool:
    """Whether the state of the game, identified last, is mapped to the same state as that with a number is by the automorphism
    numbered `mapping`; 0 is the identity."""
    images = orbits.images
    for at in range(states.telling_count):
        word = states.words[at]
        bits = states.kept[number * states.size + states.uses_chance + at]
        for told in word.slots[: word.telling_count]:
            if orbits.is_mapped[told.slot] == 0 and unpacked(states, told, bits) != game.state[told.slot]:
                return False
    if states.uses_chance == 1 and states.kept[number * states.size] != game.seed:
        return False
    for known in orbits.mappings[max(orbits.mapping - 1, 0)].slots[: orbits.slot_count]:
        if orbits.mapping == 0:
            images[known.slot] = game.state[known.slot]
        else:
            images[known.target] = image_of(orbits, known, game.state[known.slot])
    for known in orbits.mappings[max(mapping - 1, 0)].slots[: orbits.slot_count]:
        held = value_at(states, game, number, known.slot)
        if mapping == 0 and images[known.slot] != held:
            return False
        if mapping > 0 and images[known.target] != image_of(orbits, known, held):
            return False
    return True


def public_word(orbits: Orbits, game: GameMemory, states: PackedStates) -> int:
    """A word that all states of the orbit of the state of the game share, the same in every run, whatever the key of the
    hashes."""
    rest = 0
    for at in range(states.telling_count):
        word = states.words[at]
        for told in word.slots[: word.telling_count]:
            if orbits.mapping_count == 0 or orbits.is_mapped[told.slot] == 0:
                rest = wrap(rest + public_share(told.slot, game.state[told.slot]))
    if orbits.mapping_count == 0:
        return rest
    least = rest
    for known in orbits.mappings[0].slots[: orbits.slot_count]:
        least = wrap(least + public_share(known.slot, game.state[known.slot]))
    for mapping in orbits.mappings[: orbits.mapping_count]:
        sum = rest
        for known in mapping.slots[: orbits.slot_count]:
            sum = wrap(sum + public_share(known.target, image_of(orbits, known, game.state[known.slot])))
        least = min(least, sum)
    return least


def public_share(slot: int, value: int) -> int:
    """What a value adds to a public word. Words that are often equal only divide states less evenly."""
    return value * (slot * slot + slot + 1)


def repack(pool: PackedStates, old: PackedStates, game: GameMemory, first: int, count: int) -> int:
    """Keep `count` states of another pool, from the one numbered `first` on. The state of the game is lost."""
    for number in range(count):
        load_state(old, game, first + number)
        pack(pool, game)
        keep(pool, number)
    return 0
