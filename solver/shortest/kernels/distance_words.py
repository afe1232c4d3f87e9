"""Distance tables (distance_tables.py) and pattern databases (pattern_databases.py) as kernels read them."""

from __future__ import annotations

from typing import Annotated

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import In, Record, Ref, Run, inline

DEAD = 1 << 20
"""Stands for the distance and the estimate of an unreachable goal."""

ENTRY_BITS, PACKED = 7, 4
"""Bits of a distance in a pattern database, and distances per word."""

OUT_OF_REACH = (1 << ENTRY_BITS) - 1
FARTHEST = OUT_OF_REACH - 1
"""Greater distances count as this one."""

MOST_IN_TRAP, MOST_TRAPS = 8, 1 << 10
"""Tiles of a trap that is remembered, and traps."""


class SlotDistances(Record, memory="distance_words"):
    """A slot, and the distance of each value that it may have."""

    slot: int
    distances: Run[int]


class End(Record, memory="distance_words"):
    """A place where a thing may end, and its distance."""

    place: int
    distance: int


class Ends(Record, memory="distance_words"):
    """All places where a thing may end, or the nearest ones, as many as there are things."""

    count: int
    each: Run[End] = inline()


class Bar(Record, memory="distance_words"):
    """A tile that bars a way: the number of its slot, and its kind."""

    at: int
    kind: int


class Way(Record, memory="distance_words"):
    """The number of the slot to which a tile may move, the cell of the marker that begins it, -1 if any will do, and what bars
    it."""

    end: int
    stand: int
    count: int
    bars: Run[Bar] = inline()


class Tile(Record, memory="distance_words"):
    """A kind of tile on a slot. If it `contends` for places, `place` is its own, if it may stay, else -1, and `ends` are the
    nearest. If it `may_be_held`, each of its ways may be barred; it is lost then unless it `may_stay`."""

    may_stay: int
    may_be_held: int
    contends: int
    place: int
    ends: Ends
    way_count: int
    ways: Run[Ref[Way]] = inline()


class TileSlot(Record, memory="distance_words"):
    """A slot, and what each kind of tile is there; at index 0 if it is not followed."""

    slot: int
    cell: int
    kinds: Run[Ref[Tile]]


class MarkerCell(Record, memory="distance_words"):
    """A cell of a marker: the number of the slot whose tile bars it, -1 if there is none, and where steps lead."""

    at: int
    count: int
    steps: Run[int] = inline()


class TrapTile(Record, memory="scratch_words"):
    """A tile of a trap: the number of its slot, and its kind."""

    at: int
    kind: int


class SlotGroup(Record, memory="distance_words"):
    """Slots whose sum of distances no move lowers by more than `most`; things that contend for `place_count` places are
    assigned to them instead. A move counts `step`. The slot of the marker whose region may bar ways is `marker`, if
    `cell_count` is not 0. If `has_traps`, a move changes one of the tiles at most."""

    most: int
    has_traps: int
    step: int
    count: int
    members: Run[SlotDistances]
    tile_count: int
    tiles: Run[TileSlot]
    place_count: int
    marker: int
    cell_count: int
    cells: Run[Ref[MarkerCell]]
    cell_numbers: Run[int]
    is_free: int
    tile_words: Run[int]
    stand_words: Run[int]


class Pattern(Record, memory="distance_words"):
    """A pattern database: what slot values add to the index of a state, and the packed distances."""

    count: int
    members: Run[SlotDistances]
    packed: Annotated[Run[int], In("packed_words")]


class PatternSum(Record, memory="distance_words"):
    """Patterns whose sum of distances no move lowers by more than 1."""

    count: int
    patterns: Run[Pattern]


Scratch = Annotated[Run[int], In("scratch_words")]


class DistanceWords(Bundle):
    """The groups and the sums of patterns of a question, empty if nothing is estimated, and memory for one assignment.

    Each thing that contends has a row of `costs`: its distance to each place. Each place has a `price` and a `holder`, a thing
    that pays it, and each thing has a `place` and a `budget`. On the way to a free place, `reach` is the length of the shortest
    path to a place, from the thing `via`; it `is_settled` once that is known. A slot `is_held` if others hold the tile there.
    Slots that a tile, or cells that the marker may come to are `pending`, and `is_reached` or `is_within` from then on.

    Traps have numbers from 1 on; `next_trap[0]` of them are known, those by their first tile from `first_trap` on. While a new
    one is sought, its tiles may be those that are `is_kept`; those without which there is none are `is_needed`.
    """

    distance_words: Ints
    packed_words: Ints
    scratch_words: Ints
    group_count: int = entry("distance_words")
    groups: Run[SlotGroup] = entry("distance_words")
    sum_count: int = entry("distance_words")
    sums: Run[PatternSum] = entry("distance_words")
    costs: Scratch = entry("distance_words")
    budget: Scratch = entry("distance_words")
    place: Scratch = entry("distance_words")
    price: Scratch = entry("distance_words")
    holder: Scratch = entry("distance_words")
    reach: Scratch = entry("distance_words")
    via: Scratch = entry("distance_words")
    is_settled: Scratch = entry("distance_words")
    listed: Scratch = entry("distance_words")
    listed_count: Scratch = entry("distance_words")
    thing: Scratch = entry("distance_words")
    kept_total: Scratch = entry("distance_words")
    kept_count: Scratch = entry("distance_words")
    kept_thing: Scratch = entry("distance_words")
    kept_budget: Scratch = entry("distance_words")
    kept_place: Scratch = entry("distance_words")
    kept_price: Scratch = entry("distance_words")
    kept_holder: Scratch = entry("distance_words")
    is_held: Scratch = entry("distance_words")
    is_kept: Scratch = entry("distance_words")
    is_needed: Scratch = entry("distance_words")
    first_trap: Scratch = entry("distance_words")
    next_trap: Scratch = entry("distance_words")
    trap_tiles: Annotated[Run[TrapTile], In("scratch_words")] = entry("distance_words")
    trap_regions: Scratch = entry("distance_words")
    pending: Scratch = entry("distance_words")
    is_reached: Scratch = entry("distance_words")
    is_within: Scratch = entry("distance_words")
    is_open: Scratch = entry("distance_words")
