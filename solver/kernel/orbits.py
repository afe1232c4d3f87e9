"""The orbit of a state under the automorphisms of a question; its hashes are the least of all states of the orbit.

States themselves are not mapped to find it. The hash of a state is a sum over places, so its image has a sum over the same
values at other places. Where states are kept, two of one orbit are compared under the automorphisms that led to its hashes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.runtime import VALUE_WORDS, WIDE_WORDS, GameMemory, mixed, wide_word
from rulewright.rules.machine.state_hash import hashed_parts
from rulewright.rules.model.state import value_range
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import Bundle, TableBuilder, entry
from rulewright.subset.intrinsics import Ints, Longs, wrap
from rulewright.subset.records import Record, Run, size_of

if TYPE_CHECKING:
    from rulewright.rules.analysis.space_maps import Automorphism


class MappedSlot(Record, memory="orbit_tables"):
    """A slot, the slot it is mapped to, whether both are hashed as wide, and, if it `has_images`, the image of each of its
    values."""

    slot: int
    target: int
    is_wide: int
    has_images: int
    images: Run[int]


class Mapping(Record, memory="orbit_tables"):
    """An automorphism: every slot that any automorphism changes, in the same order."""

    slots: Run[MappedSlot]


class Orbits(Bundle):
    """The automorphisms of a question; without any, each state is an orbit. `hash` and `other_hash` are those of the orbit of
    the state identified last, and of its seed if the game `uses_chance`; `mapping` is the number of the automorphism that maps
    it there, from 1 on, 0 for none.

    `is_mapped` is 1 for each slot that some automorphism changes; `images` has room for the values of all slots.
    """

    orbit_tables: Ints
    orbit_words: Longs
    is_mapped: Ints
    images: Ints
    mapping_count: int = entry("orbit_tables")
    slot_count: int = entry("orbit_tables")
    uses_chance: int = entry("orbit_tables")
    mappings: Run[Mapping] = entry("orbit_tables")
    hash: int = entry("orbit_words")
    other_hash: int = entry("orbit_words")
    mapping: int = entry("orbit_words")


def word_at(game: GameMemory, place: int, is_wide: int, value: int, half: int) -> int:
    """The word of a value at a place, in `hash` (half 0) or `other_hash` (1)."""
    row = game.hash_rows[place]
    if is_wide == 1:
        return wide_word(game.hash_words, row + half * (WIDE_WORDS // 2), value)
    return game.hash_words[row + VALUE_WORDS * value + half]


def identify(orbits: Orbits, game: GameMemory) -> None:
    """Compute the hashes of the orbit of the state of the game."""
    orbits.hash = game.hash
    orbits.other_hash = game.other_hash
    orbits.mapping = 0
    if orbits.mapping_count > 0:
        take_least(orbits, game)
    orbits.hash = wrap(orbits.hash + game.seed * orbits.uses_chance)
    orbits.other_hash = wrap(orbits.other_hash + mixed(game.seed) * orbits.uses_chance)


def take_least(orbits: Orbits, game: GameMemory) -> None:
    """Take the hashes of the image of the state of the game that are the least."""
    rest = game.hash
    other_rest = game.other_hash
    for known in orbits.mappings[0].slots[: orbits.slot_count]:
        held = game.state[known.slot]
        rest = wrap(rest - word_at(game, known.slot, known.is_wide, held, 0))
        other_rest = wrap(other_rest - word_at(game, known.slot, known.is_wide, held, 1))
    for number in range(orbits.mapping_count):
        mapping = orbits.mappings[number]
        hash = rest
        other_hash = other_rest
        for known in mapping.slots[: orbits.slot_count]:
            held = image_of(orbits, known, game.state[known.slot])
            hash = wrap(hash + word_at(game, known.target, known.is_wide, held, 0))
            other_hash = wrap(other_hash + word_at(game, known.target, known.is_wide, held, 1))
        if other_hash < orbits.other_hash:
            orbits.hash = hash
            orbits.other_hash = other_hash
            orbits.mapping = number + 1


def image_of(orbits: Orbits, known: MappedSlot, held: int) -> int:
    """The value that an automorphism makes of one at a slot."""
    if known.has_images == 1:
        return known.images[held]
    return held


def orbits_of(
    automorphisms: Sequence[Automorphism], arrangement: Arrangement, variables: Collection[str], uses_chance: bool
) -> Orbits:
    """What these automorphisms do to the slots of the variables that tell states apart, as does the seed if the game
    `uses_chance`."""
    builder = TableBuilder(Orbits)
    mapped = [_mapped_slots(automorphism, arrangement, variables) for automorphism in automorphisms]
    slots = sorted(set[int]().union(*mapped))
    wide = {slot for part in hashed_parts(arrangement) if part.values is None for own in part.slots for slot in own}
    mappings: list[int] = []
    for one in mapped:
        records: list[int] = []
        for slot in slots:
            target, images = one.get(slot, (slot, ()))
            at = builder.add("orbit_tables", images)
            is_wide = int(slot in wide)
            records += MappedSlot.words(slot=slot, target=target, is_wide=is_wide, has_images=int(bool(images)), images=at)
        mappings += Mapping.words(slots=builder.add("orbit_tables", records))
    count = len(mapped) if slots else 0
    builder.put(mappings=mappings, mapping_count=count, slot_count=len(slots), uses_chance=int(uses_chance))
    is_mapped = ints(arrangement.size)
    for slot in slots:
        is_mapped[slot] = 1
    return Orbits(builder.array("orbit_tables"), longs(size_of(Orbits, "orbit_words")), is_mapped, ints(arrangement.size))


def _mapped_slots(
    automorphism: Automorphism, arrangement: Arrangement, variables: Collection[str]
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """By slot that an automorphism changes: the slot it is mapped to, and the images of its values if they change."""
    instance, found = arrangement.instance, dict[int, tuple[int, tuple[int, ...]]]()
    for name, place in arrangement.slots.places.items():
        variable = place.column.variable
        if name not in variables or place.is_zone:
            continue
        images: tuple[int, ...] = ()
        if automorphism.moves(variable.type):
            values = value_range(instance, variable)
            images = tuple(automorphism.image(instance, variable.type, value) for value in values)
        index, start = variable.index, arrangement.header[place.entry] if place.column.over_cells else place.slot
        offset = place.column.offset
        for at in instance.domain(index) if index is not None else (offset,):
            to = at if index is None else automorphism.image(instance, index, at)
            if to != at or images:
                found[start + at - offset] = start + to - offset, images
    return found
