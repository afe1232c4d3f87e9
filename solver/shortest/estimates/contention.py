"""Which tiles contend for places, and where each may end: on a cell there is one tile.

If each tile went to its nearest place, several might go to the same one. An assignment of tiles to places costs at least as
much, and where there is none, no goal can be reached (solver/shortest/kernels/assignment.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .abstract_moves import OFF
from .partial_state import Slot, Thing

Ends = Mapping[Thing, Mapping[Slot, int]]


def contended_ends(
    after: Mapping[Thing, Collection[Thing]], goals: Collection[Thing], counts: Mapping[int, int], step: int
) -> Ends:
    """The distances of each tile that contends with others to the cells where it may end, if a move counts `step`.

    `after` has what one move makes of each tile, `goals` those that may be where they are at the end; of each kind there are
    `counts`. Given are the nearest ends, as many as tiles contend, with those at the same distance: in a best assignment no
    tile needs a farther one, since the others leave one of these free.
    """
    bound = {kind for slot, kind in after if (slot, kind) not in goals}
    places = {kind: {slot for slot, other in goals if other == kind and slot[1] != OFF} for kind in bound}
    contending = {kind for kind in bound if sum(counts[other] for other in bound if places[kind] & places[other]) > 1}
    most = sum(counts[kind] for kind in contending)
    things = [(slot, kind) for slot, kind in after if kind in contending and slot[1] != OFF]
    found = {thing: _nearest(after, goals, thing, most, step) for thing in things}
    return {thing: ends for thing, ends in found.items() if ends}


def _nearest(
    after: Mapping[Thing, Collection[Thing]], goals: Collection[Thing], thing: Thing, most: int, step: int
) -> dict[Slot, int]:
    found, seen, layer, distance = dict[Slot, int](), {thing}, [thing], 0
    while layer and len(found) < most:
        found |= {one[0]: distance for one in layer if one in goals}
        layer = list({later for one in layer for later in after[one]} - seen)
        seen.update(layer)
        distance += step
    return found
