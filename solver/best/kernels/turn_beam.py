"""Beam search by turns: compares states at the end of the same turn and, within a turn, after the same number of moves.

Three groups of a pool hold the states: those being expanded, those after one more move, and those of the next turn. The groups
rotate their roles. States are ranked by their value and by how near they are to completing terms of the score.
"""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import mixed, undo_to
from rulewright.solver.best.dual.active_terms import number_coming
from rulewright.solver.kernel.game_interface import WIDTH, apply, legal, value
from rulewright.solver.kernel.orbits import identify
from rulewright.solver.kernel.state_pool import StatePool, load_state, select_greatest, store_state
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs, remainder
from rulewright.subset.records import Run, Stride

from .beam import INDEX, INDEX_BITS, BackLinks, DuplicateTable, is_duplicate, record_line
from .search_context import SearchContext, hash_board, packed_resources

POINT_PARTS = 1 << 12
"""Parts of a point in which evaluations are counted."""

MOST_MISSING = 64

RESOURCE_BITS = 12
"""Bits of an evaluation for the remaining resources."""

OFFSET = 1 << 24
"""Layout of an evaluation: the lowest, negated, in parts of a point."""

GROUPS = 3
"""Layout of the ranking: the states of this ply, of the next ply, and of the next turn."""


class TurnBeam(Bundle):
    """`ranking` has `2 * width` words for each group: evaluation, then index in the pool. `moves_here` has the move that led to
    each state of the pool. `rates` is the weight of a term that lacks 0, 1, 2, … tiles, in parts of a point.

    `here`, `next_ply` and `next_turn` are where the three groups begin in the ranking, each with a count of its states. `noise`
    (in parts of a point, by the board and `salt`) makes passes differ; `tag` is the number of the pass, which
    tells its duplicates from those of others.
    """

    context: SearchContext
    pool: StatePool
    seen: DuplicateTable
    back: BackLinks
    ranking: Longs
    pool_moves: Ints
    rates: Longs
    width: int
    noise: int
    salt: int
    tag: int
    here: int = entry("ranking")
    next_ply: int = entry("ranking")
    next_ply_count: int = entry("ranking")
    next_turn: int = entry("ranking")
    next_turn_count: int = entry("ranking")
    ranks: Annotated[Run[int], Longs] = start_of("ranking")
    moves_here: Annotated[Run[Run[int]], Stride("WIDTH")] = start_of("pool_moves")


def nearness_of(beam: TurnBeam, worth: int) -> int:
    """The value of a state plus the weights of its incomplete terms by missing tiles, in parts of a point."""
    bound = beam.context.bound
    board = bound.board
    coming = number_coming(bound)
    found = worth * POINT_PARTS
    for cell in bound.lying[: bound.state[bound.lying_slot]]:
        first = bound.first_candidate[cell]
        tile = board[cell]
        for candidate in bound.candidates[first : bound.first_candidate[cell + 1]]:
            missing = 0
            for near in candidate.needs[: candidate.need_count]:
                if board[near] == 0:
                    missing += 1
            if missing > 0 and missing <= coming:
                found += candidate.worth_by_tile[tile] * beam.rates[missing]
    return found


def generate_turns(beam: TurnBeam, link: int) -> None:
    """Put the children of the state of the game into the group after one more move, or that of the next turn."""
    context = beam.context
    game = context.game
    turn = game.counted
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    end = legal(game, context.moves, 0)
    move = 0
    while move < end:
        apply(game, context.moves, move)
        if game.fault != 0:
            game.fault = 0
        else:
            context.progress.nodes += 1
            worth = context.bound.sign * value(game)
            if game.point < 0:
                record_line(context, beam.back, link, move, worth)
                if worth >= context.shared.target:
                    context.shared.stop = 1
            else:
                evaluation = nearness_of(beam, worth) + OFFSET
                if beam.noise > 0:
                    hash_board(context)
                    evaluation += remainder(mixed(context.board.place ^ beam.salt), beam.noise)
                packed = min(packed_resources(game, context.tables), (1 << RESOURCE_BITS) - 1)
                evaluation = (evaluation << RESOURCE_BITS) + packed
                identify(context.orbits, game)
                if not is_duplicate(beam.seen, context.orbits, evaluation, beam.tag):
                    if game.counted != turn:
                        beam.next_turn_count = insert(beam, beam.next_turn, beam.next_turn_count, evaluation, link, move)
                    else:
                        beam.next_ply_count = insert(beam, beam.next_ply, beam.next_ply_count, evaluation, link, move)
        undo_to(game, 0, hash, other_hash, seed)
        move += WIDTH


def insert(beam: TurnBeam, group: int, count: int, evaluation: int, link: int, move: int) -> int:
    """Add the state of the game to the group that begins at `group`; a full group keeps its better half. Returns the new
    count."""
    context = beam.context
    ranks = beam.ranks[group:]
    if count == 2 * beam.width:
        select_greatest(ranks, count, beam.width)
        count = beam.width
    at = ranks[count] & INDEX
    ranks[count] = (evaluation << INDEX_BITS) + at
    store_state(beam.pool, context.game, at, link)
    for word in range(WIDTH):
        beam.moves_here[at][word] = context.moves[move + word]
    return count + 1


def turn_beam_search(beam: TurnBeam, tiles_at_end: int) -> int:
    """Expand at most `width` states at each step, turn by turn, from the state of the game. Returns how many states are left.

    Records the best end as the plan. The search stops before a turn in which some state has at most `tiles_at_end` tiles to
    come; the group `here` then holds its states.
    """
    context = beam.context
    game = context.game
    width = beam.width
    for at in range(GROUPS * 2 * width):
        beam.ranks[at] = at
    beam.here = 0
    beam.next_ply = 2 * width
    beam.next_turn = 4 * width
    beam.next_turn_count = 0
    store_state(beam.pool, game, 0, 0)
    for word in range(WIDTH):
        beam.moves_here[0][word] = 0
    states = 1
    linked = 1
    is_first = 1
    while states > 0 and context.shared.stop == 0:
        beam.next_ply_count = 0
        for number in range(states):
            at = beam.ranks[beam.here + number] & INDEX
            load_state(beam.pool, game, at)
            link = 0
            if is_first == 0:
                if linked >= beam.back.link_count:
                    return 0
                link = linked
                entered = beam.back.back[link]
                entered.parent = beam.pool.heads[at].link
                for word in range(WIDTH):
                    entered.move[word] = beam.moves_here[at][word]
                linked += 1
            is_first = 0
            generate_turns(beam, link)
            if context.shared.stop != 0:
                break
        states = next_group(beam)
        if beam.next_ply_count == 0 and states > 0:
            load_state(beam.pool, game, beam.ranks[beam.here] & INDEX)
            if number_coming(context.bound) <= tiles_at_end:
                return states
    return 0


def next_group(beam: TurnBeam) -> int:
    """Continue with the states after one more move or, if there is none, those of the next turn; returns how many are kept."""
    before = beam.here
    if beam.next_ply_count > 0:
        beam.here = beam.next_ply
        beam.next_ply = before
        count = beam.next_ply_count
    else:
        beam.here = beam.next_turn
        beam.next_turn = before
        count = beam.next_turn_count
        beam.next_turn_count = 0
    if count > beam.width:
        select_greatest(beam.ranks[beam.here :], count, beam.width)
        count = beam.width
    return count
