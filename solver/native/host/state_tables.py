"""Hash words (Zobrist 1970), orbits, packed resources, and branching limits, as arrays for the kernels."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import value_range
from rulewright.rules.model.types import Cell
from rulewright.solver.native.kernels.orbits import MappedSlot, Mapping, Orbits
from rulewright.solver.native.kernels.search_context import Resource, SearchTables
from rulewright.solver.search.dominance import RESOURCE_BITS, resource_bits
from rulewright.solver.search.problem import Problem
from rulewright.solver.symmetry.space_maps import Automorphism
from rulewright.subset.buffers import ints, longs
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile
from rulewright.subset.table_builder import TableBuilder

from .bound_tables import covering_of

BRANCHING_TILES, MANY, LAID_FIRST, MOST_BRANCHING_TILES = 12, 21, 6, 18
"""Most tiles to come with which bounds branch: BRANCHING_TILES. With MANY at the root, bounds branch once LAID_FIRST tiles are
laid or discarded, at MOST_BRANCHING_TILES at most: with more to come few boards are refuted."""

SignedWord = int


def search_tables(problem: Problem, arrangement: Arrangement) -> SearchTables:
    """The search tables of a problem. Raises `CannotCompile` if the resources do not fit in a word."""
    builder = TableBuilder(SearchTables)
    _add_resources(builder, problem, arrangement)
    builder.set(SearchTables.uses_chance, int(problem.analysis.uses_chance))
    cells = kinds = branching_tiles = 0
    covering = covering_of(problem)
    if covering is not None:
        coming = [tile for column in covering.supplies for tile in problem.root[column]]
        cells, kinds = len(problem.root[covering.column]), len(set(coming)) + 1
        branching_tiles = _branching_tiles(len(coming))
    rng = random.Random(3)
    builder.set(SearchTables.branching_tiles, branching_tiles)
    builder.place(SearchTables.cell_words, [_word(rng) for _ in range(cells)])
    builder.place(SearchTables.kind_words, [_word(rng) for _ in range(kinds)])
    return SearchTables(builder.array("search_tables"), builder.array("zobrist"))


def _branching_tiles(coming: int) -> int:
    return BRANCHING_TILES if coming < MANY else min(coming - LAID_FIRST, MOST_BRANCHING_TILES)


def _add_resources(builder: TableBuilder, problem: Problem, arrangement: Arrangement) -> None:
    """Add a field for each resource, with a guard bit above it."""
    words: list[int] = []
    guards = shift = count = 0
    for name, more_is_better in problem.resources.items():
        place = arrangement.slots.places[name]
        values = value_range(arrangement.instance, place.column.variable)
        offset, sign = (-values.start, 1) if more_is_better else (values.stop - 1, -1)
        for number in range(place.column.count):
            words += Resource.words(slot=place.slot + number, offset=offset, sign=sign, shift=shift)
            shift += resource_bits(values)
            guards |= 1 << (shift - 1)
            count += 1
    if shift > RESOURCE_BITS:
        raise CannotCompile("more resources than fit one word")
    builder.place(SearchTables.resources, words)
    builder.set(SearchTables.resource_count, count)
    builder.set(SearchTables.guards, guards)


def hash_words(arrangement: Arrangement, variables: Collection[str], counts: bool) -> list[SignedWord]:
    """Two random words for each hashed place; zeros where it does not tell states apart.

    Relevant places are the point of the flow, the `variables` and, if `counts`, the count of the horizon's point.
    """
    rng = random.Random(1)
    words = [0] * (2 * arrangement.hashed)

    def draw(first: int, count: int) -> None:
        for at in range(2 * first, 2 * (first + count)):
            words[at] = _word(rng)

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


def _word(rng: random.Random) -> SignedWord:
    return rng.getrandbits(64) - (1 << 63)
