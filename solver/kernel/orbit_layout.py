"""What automorphisms do to the slots of states, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.machine.state_hash import hashed_parts
from rulewright.rules.model.state import value_range
from rulewright.subset.buffers import ints, longs
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

from .orbits import MappedSlot, Mapping, Orbits

if TYPE_CHECKING:
    from rulewright.rules.analysis.space_maps import Automorphism


def no_orbits() -> Orbits:
    """Empty orbits, for a search that does not identify states."""
    return Orbits(ints(size_of(Orbits, "orbit_tables")), longs(size_of(Orbits, "orbit_words")), ints(1), ints(1))


def orbits_of(automorphisms: Sequence[Automorphism], arrangement: Arrangement, variables: Collection[str]) -> Orbits:
    """What these automorphisms do to the slots of the variables that tell states apart."""
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
    builder.put(mappings=mappings, mapping_count=len(mapped) if slots else 0, slot_count=len(slots))
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
