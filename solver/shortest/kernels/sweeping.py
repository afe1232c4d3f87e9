"""Some plan soon: of the states at each cost the one with the least estimate, cost after cost, sweep by sweep.

A beam that widens as it goes (rectangle search: Lemons, Ruml, Holte and Linares López 2024). A state that is known is not
expanded again at a lower cost, so nothing is proved.
"""

from __future__ import annotations

from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.kernel.packed_states import NUMBER
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs

from .best_first import BestFirst, expand

NONE = -1


class Sweeping(Bundle):
    """A search in progress, which never reopens states. `buckets` has for each cost below `cost_count`, and each estimate below
    `rest_count`, one more than the number of an open state, 0 if there is none; `others` has the next one in the same bucket.
    The next to be expanded is at the cost `layer`, as the `taken` ones of this sweep were before it."""

    search: BestFirst
    buckets: Ints
    others: Ints
    sweep_words: Longs
    cost_count: int
    rest_count: int
    layer: int = entry("sweep_words")
    layer_count: int = entry("sweep_words")
    taken: int = entry("sweep_words")


def spread_queue(sweeping: Sweeping) -> None:
    """Put the states of the queue into their buckets."""
    search = sweeping.search
    for at in range(search.queued):
        number = (search.queue[at] & NUMBER) ^ search.order
        layer = min(search.costs[number], sweeping.cost_count - 1)
        bucket = layer * sweeping.rest_count + min(search.estimates[number], sweeping.rest_count - 1)
        sweeping.others[number] = sweeping.buckets[bucket]
        sweeping.buckets[bucket] = number + 1
        sweeping.layer_count = max(sweeping.layer_count, layer + 1)
    search.queued = 0


def bucket_of_least(sweeping: Sweeping) -> int:
    """The bucket of the least estimate of a layer with states; NONE if it has none."""
    first = sweeping.layer * sweeping.rest_count
    for bucket in range(first, first + sweeping.rest_count):
        if sweeping.buckets[bucket] != 0:
            return bucket
    return NONE


def sweep(sweeping: Sweeping) -> int:
    """Continue until every state is expanded; returns a `SearchEnd`."""
    search = sweeping.search
    spread_queue(sweeping)
    while search.expanded < search.expansion_limit:
        if sweeping.layer == sweeping.layer_count:
            if sweeping.taken == 0:
                return SearchEnd.DONE
            sweeping.layer = 0
            sweeping.taken = 0
        bucket = bucket_of_least(sweeping)
        if bucket != NONE:
            number = sweeping.buckets[bucket] - 1
            if search.has_goal == 0 or search.costs[number] + search.estimates[number] < search.goal_cost:
                end = expand(search, number, search.costs[number])
                if end != SearchEnd.PAUSED:
                    return end
                search.expanded += 1
            sweeping.buckets[bucket] = sweeping.others[number]
            sweeping.taken += 1
            spread_queue(sweeping)
        sweeping.layer += 1
    return SearchEnd.PAUSED
