"""The orbit of a state under the automorphisms of a question; its hashes are the least of all states of the orbit.

States themselves are not mapped. The hash of a state is a sum over slots, so its image has the same sum with other words.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, wrap
from rulewright.subset.records import Record, Run


class MappedSlot(Record, memory="orbit_tables"):
    """A slot, the slot it is mapped to, and, if it `has_images`, the image of each of its values."""

    slot: int
    target: int
    has_images: int
    images: Run[int]


class Mapping(Record, memory="orbit_tables"):
    """An automorphism: every slot that any automorphism changes, in the same order."""

    slots: Run[MappedSlot]


class Orbits(Bundle):
    """The automorphisms of a question; empty if states are not identified. `hash` and `other_hash` are those of the orbit of
    the state last identified."""

    orbit_tables: Ints
    orbit_words: Longs
    mapping_count: int = entry("orbit_tables")
    slot_count: int = entry("orbit_tables")
    mappings: Run[Mapping] = entry("orbit_tables")
    hash: int = entry("orbit_words")
    other_hash: int = entry("orbit_words")


def identify(orbits: Orbits, game: GameMemory) -> None:
    """Compute the hashes of the orbit of the state of the game."""
    orbits.hash = game.hash
    orbits.other_hash = game.other_hash
    if orbits.mapping_count == 0:
        return
    rest = game.hash
    other_rest = game.other_hash
    for known in orbits.mappings[0].slots[: orbits.slot_count]:
        held = game.state[known.slot]
        rest = wrap(rest - held * game.hash_words[2 * known.slot])
        other_rest = wrap(other_rest - held * game.hash_words[2 * known.slot + 1])
    for mapping in orbits.mappings[: orbits.mapping_count]:
        hash = rest
        other_hash = other_rest
        for known in mapping.slots[: orbits.slot_count]:
            held = game.state[known.slot]
            if known.has_images == 1:
                held = known.images[held]
            if held != 0:
                hash = wrap(hash + held * game.hash_words[2 * known.target])
                other_hash = wrap(other_hash + held * game.hash_words[2 * known.target + 1])
        if other_hash < orbits.other_hash:
            orbits.hash = hash
            orbits.other_hash = other_hash
