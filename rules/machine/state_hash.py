"""The hashes that identify states: sums, over the places of a state, of a random word for the value there.

A place is a slot or, for a set, a kind of tile, whose value is its number of copies. `hash` and `other_hash` take their words
from a secret key: simple tabulation (Zobrist 1970), with sums in place of XOR so that equal tiles do not cancel, and strongly
universal words (Dietzfelbinger 1996) where a place has many values. Two states that differ do so at some place, where their
words are independent and uniform. So whatever the rules and the states are, `hash` is the same for both with probability 2^-64,
and so, independently, is `other_hash`: those who write rules, and do not know the key, cannot do better than chance.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence

from rulewright.base.hash_keys import HashKey
from rulewright.base.records import frozen
from rulewright.rules.model.state import value_range
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.intrinsics import wrap

from .memory_layout import Arrangement
from .runtime import COUNTED, POINT, VALUE_WORDS, WIDE_WORDS, wide_word

Hashes = tuple[int, int]
"""`hash` and `other_hash` of a state."""


@frozen
class HashedPart:
    """Places of one variable ("": of none) that are hashed alike: `count` from `first` on, each with a value of `values`, wide
    if None; and the slots that determine these values."""

    variable: str
    first: int
    count: int
    values: range | None
    slots: Sequence[range]

    @property
    def row(self) -> int:
        """The number of words of a place."""
        return WIDE_WORDS if self.values is None else VALUE_WORDS * len(self.values)

    @property
    def offset(self) -> int:
        """How far from the word of a place's least value that of 0 would be."""
        return 0 if self.values is None else -VALUE_WORDS * self.values.start

    def tells(self, telling: Collection[str] | None, counts: bool) -> bool:
        if not self.variable:
            return counts or self.first == POINT
        return telling is None or self.variable in telling


@frozen
class HashTables:
    """The words of all places, as `GameMemory` holds them."""

    parts: Sequence[HashedPart]
    rows: Array
    words: Array

    def of(self, arrangement: Arrangement, memory: Sequence[int]) -> Hashes:
        """The hashes of a whole state; runtime.py maintains them."""
        rows, words = self.rows.items, self.words.items
        hash = other_hash = 0
        for part in self.parts:
            for place, value in _values(arrangement, part, memory):
                if part.values is None:
                    hash += wide_word(words, rows[place], value)
                    other_hash += wide_word(words, rows[place] + WIDE_WORDS // 2, value)
                else:
                    hash += words[rows[place] + VALUE_WORDS * value]
                    other_hash += words[rows[place] + VALUE_WORDS * value + 1]
        return wrap(hash), wrap(other_hash)


def hash_tables(arrangement: Arrangement, telling: Collection[str] | None, counts: bool, key: HashKey) -> HashTables:
    """Random words for each hashed place; zeros where it does not tell states apart.

    What tells are the point of the flow, the `telling` variables (None: all) and, if `counts`, the count of the horizon's
    point.
    """
    parts = hashed_parts(arrangement)
    told = [part for part in parts if part.tells(telling, counts)]
    silent = max(part.row for part in parts)
    words = key.words(silent + sum(part.row * part.count for part in told), "states")
    words[:silent] = array("q", bytes(8 * silent))
    rows, at = array("i", bytes(4 * arrangement.hashed)), silent
    for part in parts:
        for place in range(part.first, part.first + part.count):
            if part not in told:
                rows[place] = part.offset
                continue
            rows[place] = at + part.offset
            if part.values is not None and 0 in part.values:
                # So that hashing a whole state may skip what is 0.
                words[rows[place]] = words[rows[place] + 1] = 0
            at += part.row
    return HashTables(parts, ints(len(rows)).fill(rows), longs(len(words)).fill(words))


def hashed_parts(arrangement: Arrangement) -> list[HashedPart]:
    """All hashed places."""
    header, kinds, capacity = arrangement.header, arrangement.kinds, arrangement.slots.capacity
    found = [HashedPart("", slot, 1, None, (range(slot, slot + 1),)) for slot in (POINT, COUNTED)]
    for name, place in arrangement.slots.places.items():
        column, first = place.column, place.slot
        plain = range(first, first + column.count)
        if not place.is_zone:
            if column.over_cells:
                first = header[place.entry]
                plain = range(first, first + arrangement.cells(column) + 1)
            values = None if place.is_wide else value_range(arrangement.instance, column.variable)
            found.append(HashedPart(name, first, len(plain), values, (plain,)))
            continue
        first = header[place.entry]
        tiles = range(first, first + capacity * column.count)
        if place.is_pile:
            found.append(HashedPart(name, first, len(tiles), range(kinds), (tiles,)))
        else:
            copies = range(capacity + 1)
            found.append(HashedPart(name, header[place.entry + 1], kinds * column.count, copies, (plain, tiles)))
    return found


def _values(arrangement: Arrangement, part: HashedPart, memory: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The places of a part and their values, without those that are known to count nothing."""
    match part.slots:
        case (plain,):
            yield from ((slot, memory[slot]) for slot in plain if part.values is None or memory[slot])
        case (lengths, tiles):
            for number, length in enumerate(lengths):
                first = tiles.start + number * arrangement.slots.capacity
                held = list(memory[first : first + memory[length]])
                for tile in sorted(set(held)):
                    yield part.first + number * arrangement.kinds + tile, held.count(tile)
