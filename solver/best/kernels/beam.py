"""Beam search (Lowerre 1976): at each depth, only the states with the best evaluations are expanded."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import undo_to
from rulewright.solver.best.dual.active_terms import NEVER
from rulewright.solver.kernel.game_interface import WIDTH, apply, legal, value
from rulewright.solver.kernel.orbits import Orbits, identify
from rulewright.solver.kernel.state_pool import StatePool, load_state, select_greatest, store_state
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Ints, Longs
from rulewright.subset.records import Record, Run, Stride, inline

from .search_context import Progress, SearchContext, packed_resources, upper_bound

BRANCHING = 32
"""Children per state of a layer for which there is room."""

INDEX_BITS = 20
"""Bits for the index of a child or a state, in one word below its evaluation."""

INDEX = (1 << INDEX_BITS) - 1
QUICK_SWEEPS = 2
"""Sweeps of coordinate descent for the bound of a child."""

OFFSET = 1 << 22
"""Layout of an evaluation: sums of bound and value are clipped to this distance from zero."""

PROBES = 8
"""Most entries that linear probing visits."""


class Duplicate(Record, memory="duplicates"):
    """A state seen in a layer, with its evaluation."""

    other_hash: int
    evaluation: int
    layer: int


class DuplicateTable(Bundle):
    """The states among the children of a layer; `duplicate_count`, a power of two, is the number of entries."""

    duplicates: Longs
    duplicate_count: int
    seen: Run[Duplicate] = start_of("duplicates")


class BackLink(Record, memory="links"):
    """A state on the way from the root: the link of its parent (0: the root), and the move from there."""

    parent: int
    move: Run[int] = inline()


class BackLinks(Bundle):
    """Links are numbered from 1 to `link_count` - 1."""

    links: Ints
    link_count: int
    back: Annotated[Run[BackLink], Stride("WIDTH", plus=1)] = start_of("links")


class BeamChild(Record, memory="beam_children"):
    """A child of a layer: the number of its parent in the layer, and the move from there."""

    parent: int
    move: Run[int] = inline()


class Beam(Bundle):
    """`pool` has room for two layers of `width` states; `ranking` has a word for each child: evaluation, then index."""

    context: SearchContext
    pool: StatePool
    seen: DuplicateTable
    back: BackLinks
    beam_children: Ints
    ranking: Longs
    width: int
    children: Annotated[Run[BeamChild], Stride("WIDTH", plus=1)] = start_of("beam_children")
    ranks: Annotated[Run[int], Longs] = start_of("ranking")


def is_duplicate(table: DuplicateTable, orbits: Orbits, evaluation: int, layer: int) -> bool:
    """Whether the layer holds the state identified last with an evaluation at least as good; if not, enters it."""
    at = orbits.hash & (table.duplicate_count - 1)
    for _ in range(PROBES):
        entry = table.seen[at]
        if entry.layer >> INDEX_BITS != layer:
            break
        if entry.other_hash == orbits.other_hash:
            if entry.evaluation >= evaluation:
                return True
            break
        at = (at + 1) & (table.duplicate_count - 1)
    place = table.seen[at]
    place.other_hash = orbits.other_hash
    place.evaluation = evaluation
    place.layer = layer << INDEX_BITS
    return False


def record_line(context: SearchContext, back: BackLinks, link: int, last: int, worth: int) -> None:
    """Copy the moves along the back links, plus the last one, unless this thread has a plan at least as good."""
    progress: Progress = context.progress
    if progress.has_plan == 1 and progress.plan_value >= worth:
        return
    length = 1
    at = link
    while at > 0:
        length += 1
        at = back.back[at].parent
    progress.has_plan = 1
    progress.plan_value = worth
    progress.plan_length = length
    for word in range(WIDTH):
        context.plan[(length - 1) * WIDTH + word] = context.moves[last + word]
    at = link
    while at > 0:
        length -= 1
        for word in range(WIDTH):
            context.plan[(length - 1) * WIDTH + word] = back.back[at].move[word]
        at = back.back[at].parent


def evaluation_of(context: SearchContext, bound: int, worth: int) -> int:
    """An evaluation: bound plus value of a state, then its remaining resources."""
    packed = packed_resources(context.game, context.tables) & 65535
    return (max(0, min(bound + worth + OFFSET, 2 * OFFSET)) << 16) + packed


def generate(beam: Beam, at: int, number: int, found: int, layer: int) -> int:
    """Add to the `found` children those of the state loaded from index `at` of the pool, `number` in its layer.

    Returns how many there are, or -1 after an error of the rules.
    """
    context = beam.context
    game = context.game
    shared = context.shared
    head = beam.pool.heads[at]
    end = legal(game, context.moves, 0)
    move = 0
    while move < end and found < beam.width * BRANCHING:
        apply(game, context.moves, move)
        if game.fault != 0:
            return -1
        worth = context.bound.sign * value(game)
        if game.fault != 0:
            return -1
        if game.point < 0:
            if worth > shared.incumbent:
                shared.incumbent = worth
                record_line(context, beam.back, head.link, move, worth)
                if worth >= shared.target:
                    shared.stop = 1
        else:
            bound = upper_bound(context, QUICK_SWEEPS, NEVER)
            evaluation = evaluation_of(context, bound, worth)
            identify(context.orbits, game)
            if bound > shared.incumbent and not is_duplicate(beam.seen, context.orbits, evaluation, layer):
                beam.ranks[found] = (evaluation << INDEX_BITS) + found
                child = beam.children[found]
                child.parent = number
                for word in range(WIDTH):
                    child.move[word] = context.moves[move + word]
                found += 1
        undo_to(game, 0, head.hash, head.other_hash, head.seed)
        move += WIDTH
    return found


def beam_search(beam: Beam, first_layer: int) -> int:
    """Expand layers of at most `width` states, starting from the state of the game, until none is left.

    Layers are numbered from `first_layer`. Returns the number of the last one, or 0 after an error of the rules.
    """
    context = beam.context
    game = context.game
    pool = beam.pool
    width = beam.width
    store_state(pool, game, 0, 0)
    states = 1
    linked = 1
    layer = first_layer
    here = 0
    while states > 0 and context.shared.stop == 0 and linked + width < beam.back.link_count:
        layer += 1
        found = 0
        for number in range(states):
            load_state(pool, game, here + number)
            found = generate(beam, here + number, number, found, layer)
            if found < 0:
                return 0
            if context.shared.stop != 0:
                break
        states = min(found, width)
        select_greatest(beam.ranks, found, states)
        there = width - here
        for number in range(states):
            child = beam.children[beam.ranks[number] & INDEX]
            parent = here + child.parent
            load_state(pool, game, parent)
            link = beam.back.back[linked]
            link.parent = pool.heads[parent].link
            for word in range(WIDTH):
                context.moves[word] = child.move[word]
                link.move[word] = child.move[word]
            apply(game, context.moves, 0)
            store_state(pool, game, there + number, linked)
            linked += 1
        here = there
    return layer
