"""What identifies a state in the kernels: random words of its hash (Zobrist 1970), and what automorphisms do to slots."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import value_range
from rulewright.rules.model.types import Cell
from rulewright.solver.native.pruning.orbits import MappedSlot, Mapping, Orbits
from rulewright.subset.buffers import ints, longs
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

if TYPE_CHECKING:
    from rulewright.solver.symmetry.space_maps import Automorphism

SignedWord = int


def hash_words(arrangement: Arrangement, variables: Collection[str], counts: bool) -> list[SignedWord]:
    """Two random words for each hashed place; zeros where it does not tell states apart.

    Relevant places are the point of the flow, the `variables` and, if `counts`, the count of the horizon's point.
    """
    rng = random.Random(1)
    words = [0] * (2 * arrangement.hashed)

    def draw(first: int, count: int) -> None:
        for at in range(2 * first, 2 * (first + count)):
            words[at] = random_word(rng)

    draw(0, 1)
    if counts:
        draw(1, 1)
    kinds = len(arrangement.instance.game.tiles) + 1
    for name, place in arrangement.slots.places.items():
        column = place.column
        if name not in variables:
            continue
        if column.over_cells:
            assert isinstance(column.variable.index, Cell)
            draw(arrangement.header[place.entry], arrangement.instance.windows[column.variable.index.space].size + 1)
        elif column.variable.storage is Storage.PILE:
            draw(arrangement.header[place.entry], arrangement.slots.capacity * column.count)
        elif column.variable.storage is Storage.SET:
            draw(arrangement.header[place.entry + 1], kinds * column.count)
        else:
            draw(place.slot, column.count)
    return words


def no_orbits() -> Orbits:
    """Empty orbits, for a search that does not identify states."""
    return Orbits(ints(size_of(Orbits, "orbit_tables")), longs(size_of(Orbits, "orbit_words")))


def orbits_of(automorphisms: Sequence[Automorphism], arrangement: Arrangement, variables: Collection[str]) -> Orbits:
    """What these automorphisms do to the slots of the variables that tell states apart."""
    builder = TableBuilder(Orbits)
    mapped = [_mapped_slots(automorphism, arrangement, variables) for automorphism in automorphisms]
    slots = sorted(set[int]().union(*mapped))
    mappings: list[int] = []
    for one in mapped:
        records: list[int] = []
        for slot in slots:
            target, images = one.get(slot, (slot, ()))
            at = builder.add("orbit_tables", images)
            records += MappedSlot.words(slot=slot, target=target, has_images=int(bool(images)), images=at)
        mappings += Mapping.words(slots=builder.add("orbit_tables", records))
    builder.place(Orbits.mappings, mappings)
    builder.set(Orbits.mapping_count, len(mapped) if slots else 0)
    builder.set(Orbits.slot_count, len(slots))
    return Orbits(builder.array("orbit_tables"), longs(size_of(Orbits, "orbit_words")))


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


def random_word(rng: random.Random) -> SignedWord:
    return rng.getrandbits(64) - (1 << 63)
