"""The data common to all searches of a problem: game, bound, words that threads share; and how states are bounded."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.best.dual.active_terms import number_coming
from rulewright.solver.best.dual.arena import UNUSED, Bound, BoundMode
from rulewright.solver.best.dual.branch_and_bound import bound_by_branching
from rulewright.solver.best.dual.dual_bound import bound_by_dual_costs
from rulewright.solver.best.dual.marker_reachability import clear_marks, reach_over_tiles
from rulewright.solver.kernel.game_interface import value
from rulewright.solver.kernel.orbits import Orbits
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, Shared, wrap
from rulewright.subset.records import In, Record, Run

from .transposition_table import BoundCache, load_bound, store_bound

GREATEST = UNKNOWN = 1 << 31
"""Greater than all bounds."""

BRANCHING_KEY = 1
"""Code that is added to the hash of a board for its bound by branching."""

HASH_FACTOR = 0x9E3779B1
"""An odd factor, so that distinct words stay distinct (Fibonacci hashing; Knuth 1973, 6.4)."""


class Resource(Record, memory="search_tables"):
    """A slot of which more is better; `(state[slot] * sign + offset) << shift` is its field of the packed resources."""

    slot: int
    offset: int
    sign: int
    shift: int


class SearchTables(Bundle):
    """What tells states and boards apart: resources, and random words. Bounds branch with at most `branching_tiles` to come.

    `cell_words` and `kind_words` are the same in every run, so that a search caches the same bounds. The others are secret: of
    each kind of tile on each cell, of a tile to come, and of a cell that a marker reaches.
    """

    search_tables: Ints
    zobrist: Longs
    guards: int = entry("zobrist")
    resources: Run[Resource] = entry("search_tables")
    resource_count: int = entry("search_tables")
    branching_tiles: int = entry("search_tables")
    kind_count: int = entry("search_tables")
    cell_words: Annotated[Run[int], In("zobrist")] = entry("search_tables")
    kind_words: Annotated[Run[int], In("zobrist")] = entry("search_tables")
    laid_words: Annotated[Run[int], In("zobrist")] = entry("search_tables")
    coming_words: Annotated[Run[int], In("zobrist")] = entry("search_tables")
    reached_words: Annotated[Run[int], In("zobrist")] = entry("search_tables")


class SharedWords(Bundle):
    """Words that the threads of a search share: the value of the incumbent (the best plan so far), why to stop (0: continue),
    and the target value, at which nothing better remains to be found."""

    shared: Shared
    incumbent: int = entry("shared")
    stop: int = entry("shared")
    target: int = entry("shared")


class Progress(Bundle):
    """Words that a thread shares with its host.

    Nodes expanded; whether there is a plan, its value and its length; bounds computed; states generated; the depth at which a
    depth-first search paused (`AT_ROOT`: it has not begun), and the number of nodes at which it pauses; whether a state that
    had been searched gave way to another in the transposition table.
    """

    counters: Longs
    nodes: int = entry("counters")
    has_plan: int = entry("counters")
    plan_value: int = entry("counters")
    plan_length: int = entry("counters")
    bound_calls: int = entry("counters")
    generated: int = entry("counters")
    depth: int = entry("counters")
    node_limit: int = entry("counters")
    has_replaced: int = entry("counters")


class BoardHash(Bundle):
    """Two hashes of what a bound depends on: a public one, for its place in the cache, and a secret one, which is compared."""

    board_words: Longs
    place: int = entry("board_words")
    key: int = entry("board_words")


class SearchContext(Bundle, same={"bound.state": "game.state"}):
    """`moves` is room for the moves of states; `plan` holds the moves of this thread's best plan. Tables identify the states of
    one orbit (`orbits`)."""

    game: GameMemory
    bound: Bound
    tables: SearchTables
    orbits: Orbits
    board: BoardHash
    cache: BoundCache
    shared: SharedWords
    progress: Progress
    moves: Ints
    plan: Ints


def packed_resources(game: GameMemory, tables: SearchTables) -> int:
    """The remaining resources of a state, in one field each."""
    packed = 0
    for resource in tables.resources[: tables.resource_count]:
        packed = packed | ((game.state[resource.slot] * resource.sign + resource.offset) << resource.shift)
    return packed


def hash_board(context: SearchContext) -> None:
    """Hash the tiles laid since the root and those to come: all that the dual bound depends on."""
    bound = context.bound
    tables = context.tables
    hash_laid(context)
    place = context.board.place
    key = context.board.key
    for supply in bound.supplies[: bound.supply_count]:
        for tile in supply.tiles[: bound.state[supply.length]]:
            place = wrap(place + tables.kind_words[bound.kind_of[tile]])
            key = wrap(key + tables.coming_words[bound.kind_of[tile]])
    context.board.place = place
    context.board.key = key


def hash_laid(context: SearchContext) -> None:
    """Hash the tiles laid since the root (Zobrist 1970)."""
    bound = context.bound
    tables = context.tables
    place = 1
    key = 0
    for cell in bound.lying[bound.lying_at_root : bound.state[bound.lying_slot]]:
        kind = bound.kind_of[bound.board[cell]]
        place = wrap(place + tables.cell_words[cell] * (kind + 1))
        key = wrap(key + tables.laid_words[cell * tables.kind_count + kind])
    context.board.place = place
    context.board.key = key


def hash_reached_cells(context: SearchContext) -> None:
    """Add to the hashes of a board the cells that markers reach over laid tiles: with them it is all that the bound by
    branching depends on."""
    bound = context.bound
    place = wrap(context.board.place + BRANCHING_KEY)
    key = wrap(context.board.key + BRANCHING_KEY)
    if bound.direction_count > 0:
        clear_marks(bound)
        count = reach_over_tiles(bound)
        for cell in bound.queues[0][:count]:
            place = wrap(place + wrap(context.tables.cell_words[cell] * HASH_FACTOR))
            key = wrap(key + context.tables.reached_words[cell])
    context.board.place = place
    context.board.key = key


def cached_bound(context: SearchContext, incumbent: int) -> int:
    """The cached bound of the board hashed last; UNKNOWN if there is none, or if it does not prune and more effort might lower
    it."""
    word = load_bound(context.cache, context.board.place, context.board.key)
    bound = (word >> 1) - GREATEST
    if word == 0 or (bound > incumbent and word & 1 == 0):
        return UNKNOWN
    return bound


def cache_bound(context: SearchContext, incumbent: int, bound: int) -> None:
    """Cache a bound of the board hashed last, with whether all was done to bring it down to the incumbent."""
    store_bound(context.cache, context.board.place, context.board.key, ((bound + GREATEST) << 1) | (bound > incumbent))


def upper_bound(context: SearchContext, sweeps: int, branching_tiles: int) -> int:
    """An upper bound on all ends of the game reachable from here. With at most `branching_tiles` to come, more effort goes into
    showing that none beats the incumbent."""
    bound = context.bound
    mode = bound.mode
    if mode == BoundMode.DUAL_COSTS:
        return least_bound(context, sweeps, branching_tiles)
    if mode == BoundMode.FIXED:
        return bound.constant
    if mode in (BoundMode.TABLE, BoundMode.GAINS):
        at = bound.constant
        for part in bound.parts[: bound.part_count]:
            at += (bound.state[part.slot] - part.least) * part.stride
        if mode == BoundMode.TABLE:
            return bound.tables[at]
        return bound.sign * value(context.game) + bound.tables[at]
    return GREATEST - 1


def least_bound(context: SearchContext, sweeps: int, branching_tiles: int) -> int:
    """The dual bound or, if it does not prune, the bound by branching; both cached."""
    bound = context.bound
    incumbent = context.shared.incumbent
    hash_board(context)
    most = cached_bound(context, incumbent)
    active = UNUSED
    if most == UNKNOWN:
        most = bound_by_dual_costs(bound, incumbent, sweeps)
        context.progress.bound_calls += 1
        cache_bound(context, incumbent, most)
        active = bound.node.active
    if most <= incumbent or number_coming(bound) > branching_tiles:
        return most
    hash_reached_cells(context)
    least = cached_bound(context, incumbent)
    if least == UNKNOWN:
        least = min(most, bound_by_branching(bound, incumbent, sweeps, active))
        context.progress.bound_calls += 1
        cache_bound(context, incumbent, least)
    return min(most, least)
