"""Depth-first branch and bound with a transposition table, in several threads at once. Proves the best plan.

Threads begin at the same root. Each defers a child that another thread is searching, and returns to it when nothing else is
left (ABDADA: Weill 1996). A thread is done when it leaves the root; nothing is proved before all are done.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import undo_to
from rulewright.solver.best.dual.dual_bound import SWEEPS
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, legal, value
from rulewright.solver.kernel.ground_numbers import NONE, GroundNumbers, ground_number, is_out_of_order
from rulewright.solver.kernel.orbits import identify
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Longs
from rulewright.subset.records import Record, Run

from .search_context import GREATEST, SearchContext, packed_resources, upper_bound
from .transposition_table import MOST_PRIORITY, TranspositionTable, Visit, close_state, covers, open_state, probe

AT_ROOT = -1
"""The depth of a search at its start."""

MOVE_BITS = 20
"""A child is one word: the distance of its bound below `GREATEST`, then the index of its move in MOVE_BITS bits."""


class Frame(Record, memory="stack"):
    """A state on the way from the root, with its children.

    `moves`, `order`: where its moves and its children begin. Of `child_count` children, `next_child` is searched next; the
    first `deferred` wait for the second pass. `trail`, `hash`, `other_hash`, `seed`: what undo restores. `resources`: packed.
    `chosen`: the last move made.
    """

    moves: int
    order: int
    child_count: int
    next_child: int
    deferred: int
    is_second_pass: int
    trail: int
    hash: int
    other_hash: int
    seed: int
    resources: int
    chosen: int


class DepthFirst(Bundle):
    """A search. If there is an `order`, actions are tried only in it (rules/analysis/commuting_loop.py)."""

    context: SearchContext
    table: TranspositionTable
    stack: Longs
    children: Longs
    order: GroundNumbers
    frames: Run[Frame] = start_of("stack")


def expand(search: DepthFirst, depth: int) -> bool:
    """Generate the children of the state, most promising first, and record the ends among them. False after an error of the
    rules."""
    context = search.context
    game = context.game
    shared = context.shared
    frame = search.frames[depth]
    first = frame.moves
    end = legal(game, context.moves, first)
    if game.fault != 0:
        return False
    context.progress.generated += (end - first) // WIDTH
    order = frame.order
    count = 0
    frame.trail = game.trail_length
    frame.hash = game.hash
    frame.other_hash = game.other_hash
    frame.seed = game.seed
    before = NONE
    if search.order.ground_count > 0 and depth > 0:
        before = ground_number(search.order, context.moves, search.frames[depth - 1].chosen)
    for at in range(first, end, WIDTH):
        if is_out_of_order(search.order, context.moves, at, before):
            continue
        apply(game, context.moves, at)
        if game.fault != 0:
            return False
        if game.point < 0:
            worth = context.bound.sign * value(game)
            if game.fault != 0:
                return False
            if worth > shared.incumbent:
                shared.incumbent = worth
                record_incumbent(search, depth, at, worth)
                if worth >= shared.target:
                    shared.stop = 1
        else:
            bound = upper_bound(context, SWEEPS, context.tables.branching_tiles)
            if bound > shared.incumbent:
                identify(context.orbits, game)
                if probe(search.table, context.orbits, packed_resources(game, context.tables)) != Visit.CLOSED:
                    insert_child(search.children, order, order + count, ((GREATEST - bound) << MOVE_BITS) + (at - first))
                    count += 1
        undo_to(game, frame.trail, frame.hash, frame.other_hash, frame.seed)
    frame.child_count = count
    frame.next_child = 0
    frame.deferred = 0
    frame.is_second_pass = 0
    following = search.frames[depth + 1]
    following.moves = end
    following.order = order + count
    return True


def insert_child(children: Longs, first: int, end: int, child: int) -> None:
    """Insert a child into the ascending children from `first` to `end`."""
    place = end
    while place > first and children[place - 1] > child:
        children[place] = children[place - 1]
        place -= 1
    children[place] = child


def record_incumbent(search: DepthFirst, depth: int, last: int, worth: int) -> None:
    """Copy the moves from the root, plus the last one, unless this thread has a plan at least as good."""
    context = search.context
    progress = context.progress
    if progress.has_plan == 1 and progress.plan_value >= worth:
        return
    progress.has_plan = 1
    progress.plan_value = worth
    progress.plan_length = depth + 1
    for ply in range(depth + 1):
        at = last
        if ply < depth:
            at = search.frames[ply].chosen
        for word in range(WIDTH):
            context.plan[WIDTH * ply + word] = context.moves[at + word]


def is_on_path(search: DepthFirst, depth: int, resources: int) -> bool:
    """Whether the path from the root contains the state with no less of any resource."""
    game = search.context.game
    for frame in search.frames[1 : depth + 1]:
        is_same = frame.hash == game.hash and frame.other_hash == game.other_hash
        if is_same and covers(frame.resources, resources, search.table.guards):
            return True
    return False


def depth_first_search(search: DepthFirst, deepest: int) -> int:
    """Search everything below the state of the game, or resume a paused search; returns a `SearchEnd`."""
    context = search.context
    game = context.game
    shared = context.shared
    progress = context.progress
    depth = progress.depth
    if depth == AT_ROOT:
        depth = 0
        search.frames[0].moves = 0
        search.frames[0].order = 0
        progress.nodes += 1
        if not expand(search, 0):
            return SearchEnd.FAULTED
    while shared.stop == 0 and progress.nodes < progress.node_limit:
        frame = search.frames[depth]
        if frame.next_child == frame.child_count:
            if frame.deferred > 0:
                frame.child_count = frame.deferred
                frame.next_child = 0
                frame.deferred = 0
                frame.is_second_pass = 1
                continue
            if depth == 0:
                return SearchEnd.DONE
            depth -= 1
            left = search.frames[depth + 1]
            game.hash = left.hash
            game.other_hash = left.other_hash
            game.seed = left.seed
            identify(context.orbits, game)
            close_state(search.table, context.orbits, left.resources)
            above = search.frames[depth]
            undo_to(game, above.trail, above.hash, above.other_hash, above.seed)
            continue
        child = search.children[frame.order + frame.next_child]
        frame.next_child += 1
        if GREATEST - (child >> MOVE_BITS) <= shared.incumbent:
            frame.next_child = frame.child_count
            continue
        at = frame.moves + (child & ((1 << MOVE_BITS) - 1))
        apply(game, context.moves, at)
        resources = packed_resources(game, context.tables)
        identify(context.orbits, game)
        visit = probe(search.table, context.orbits, resources)
        if visit == Visit.OPEN_ELSEWHERE and frame.is_second_pass == 0:
            search.children[frame.order + frame.deferred] = child
            frame.deferred += 1
            visit = Visit.CLOSED
        if visit == Visit.OPEN_ELSEWHERE and is_on_path(search, depth, resources):
            visit = Visit.CLOSED
        if visit == Visit.CLOSED:
            undo_to(game, frame.trail, frame.hash, frame.other_hash, frame.seed)
            continue
        if visit == Visit.UNSEEN and open_state(search.table, context.orbits, resources, max(MOST_PRIORITY - depth, 0)):
            progress.has_replaced = 1
        if depth + 2 >= deepest:
            return SearchEnd.TOO_DEEP
        frame.chosen = at
        depth += 1
        search.frames[depth].resources = resources
        progress.nodes += 1
        if not expand(search, depth):
            return SearchEnd.FAULTED
    progress.depth = depth
    return SearchEnd.PAUSED
