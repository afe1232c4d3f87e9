"""Beam search by turns: compares states that begin a turn with as many tiles to come.

A turn is explored whole, so that its moves compete by where they lead. A pool holds the states being expanded, and those that
begin a later turn, in groups by the tiles used until then: by turns, what saves tiles would seem to lag behind. States are
ranked by their value and by how near they are to completing terms of the score. If evaluations have noise, so that passes
differ, a group keeps one state of each board.
"""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import mixed, undo_to
from rulewright.solver.best.dual.active_terms import number_coming
from rulewright.solver.kernel.game_interface import WIDTH, apply, legal, value
from rulewright.solver.kernel.orbits import identify
from rulewright.solver.kernel.state_pool import StatePool, load_state, select_greatest, store_state
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs, remainder, wrap
from rulewright.subset.records import Record, Run, Stride, inline

from .beam import INDEX, INDEX_BITS, BackLinks, DuplicateTable, is_duplicate, record_line
from .search_context import SearchContext, hash_laid, packed_resources

POINT_PARTS = 1 << 12
"""Parts of a point in which evaluations are counted."""

MOST_MISSING = 64

RESOURCE_BITS = 12
"""Bits of an evaluation for the remaining resources."""

OFFSET = 1 << 24
"""Layout of an evaluation: the lowest, negated, in parts of a point."""

MOST_USED = 8
GROUPS = 1 + MOST_USED
"""Layout of the ranking: the states being expanded, and those that begin later turns, by tiles used. A turn that uses more than
MOST_USED, a power of two, counts as one that uses so many; one that uses none, as one that uses one."""

MOST_MOVES = 24
"""Longest turn that is explored."""

TURN_STATES = 1 << 12
"""Most states within a turn that are expanded. Measured on a whole game, three seeds: fewer cost one to four points."""


class TurnGroup(Record, memory="turn_groups"):
    """States that begin a turn: where their group begins in the ranking, how many they are, and the least rank that was kept
    when the group was last full."""

    begin: int
    count: int
    least: int


class TurnMoves(Record, memory="turn_moves"):
    """The moves of a turn, which led to a state."""

    move_count: int
    played: Run[int] = inline()


class TurnBeam(Bundle):
    """`ranking` has `2 * width` words for each group: evaluation, then index in the pool. `turns` has the moves that led to a
    state of the pool, for each, then those being made. `rates` is the weight of a term that lacks 0, 1, 2, … tiles, in parts
    of a point.

    `here` is where the states being expanded begin in the ranking; `later` has the groups of those that begin a turn, by the
    last bits of their level: the tiles to come. `level` is that of the turn being explored; `states_left` of its states may
    still be expanded. `noise` (in parts of a point, by the board and `salt`) makes passes differ; `tag` is the number of the
    pass, and `turn` that of the turn, which tell their duplicates from those of others.
    """

    context: SearchContext
    pool: StatePool
    seen: DuplicateTable
    seen_in_turn: DuplicateTable
    back: BackLinks
    ranking: Longs
    turn_moves: Ints
    turn_groups: Longs
    rates: Longs
    turn_words: int
    width: int
    noise: int
    salt: int
    tag: int
    here: int = entry("ranking")
    level: int = entry("ranking")
    turn: int = entry("ranking")
    states_left: int = entry("ranking")
    linked: int = entry("ranking")
    ranks: Annotated[Run[int], Longs] = start_of("ranking")
    turns: Annotated[Run[TurnMoves], Stride("turn_words")] = start_of("turn_moves")
    later: Run[TurnGroup] = start_of("turn_groups")


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


def explore_turn(beam: TurnBeam, first: int, depth: int, link: int) -> None:
    """Put the states that begin the next turn into their groups: those that the state of the game leads to, `depth` moves into
    a turn that began at a back link. Moves are listed from word `first` on."""
    context = beam.context
    game = context.game
    turn = game.counted
    mark = game.trail_length
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    moves = beam.turns[GROUPS * 2 * beam.width]
    end = legal(game, context.moves, first)
    move = first
    if beam.noise > 0 and end > first:
        # Which state of a board a group keeps is that which comes first.
        move += remainder(mixed(hash ^ beam.salt), (end - first) // WIDTH) * WIDTH
    for _ in range(first, end, WIDTH):
        if context.shared.stop != 0:
            break
        apply(game, context.moves, move)
        if game.fault != 0:
            game.fault = 0
        else:
            context.progress.nodes += 1
            if game.point < 0:
                moves.move_count = depth
                worth = context.bound.sign * value(game)
                record_line(context, beam.back, link_moves(beam, moves, link), move, worth)
                if worth >= context.shared.target:
                    context.shared.stop = 1
            else:
                for word in range(WIDTH):
                    moves.played[depth * WIDTH + word] = context.moves[move + word]
                if game.counted != turn:
                    moves.move_count = depth + 1
                    enter_turn(beam, moves, link)
                elif depth + 1 < MOST_MOVES and beam.states_left > 0:
                    packed = packed_resources(game, context.tables)
                    identify(context.orbits, game)
                    if not is_duplicate(beam.seen_in_turn, context.orbits, packed, beam.turn):
                        beam.states_left -= 1
                        explore_turn(beam, end, depth + 1, link)
        undo_to(game, mark, hash, other_hash, seed)
        move += WIDTH
        if move == end:
            move = first


def enter_turn(beam: TurnBeam, moves: TurnMoves, link: int) -> None:
    """Put the state of the game, which begins a turn, into its group unless that has it. A full group keeps its better
    half."""
    context = beam.context
    game = context.game
    evaluation = nearness_of(beam, context.bound.sign * value(game)) + OFFSET
    level = max(min(number_coming(context.bound), beam.level - 1), beam.level - MOST_USED)
    identify(context.orbits, game)
    if beam.noise > 0:
        hash_laid(context)
        evaluation += remainder(mixed(context.board.place ^ beam.salt), beam.noise)
        context.orbits.hash = wrap(context.board.place + mixed(level))
        context.orbits.other_hash = context.board.key
    packed = min(packed_resources(game, context.tables), (1 << RESOURCE_BITS) - 1)
    evaluation = (evaluation << RESOURCE_BITS) + packed
    group = beam.later[level & (MOST_USED - 1)]
    rank = evaluation << INDEX_BITS
    if rank < group.least or is_duplicate(beam.seen, context.orbits, evaluation, beam.tag):
        return
    ranks = beam.ranks[group.begin :]
    if group.count == 2 * beam.width:
        cut(beam, group)
    at = ranks[group.count] & INDEX
    ranks[group.count] = rank + at
    group.count += 1
    store_state(beam.pool, game, at, link)
    to = beam.turns[at]
    to.move_count = moves.move_count
    for word in range(moves.move_count * WIDTH):
        to.played[word] = moves.played[word]


def cut(beam: TurnBeam, group: TurnGroup) -> None:
    """Keep at most `width` states of a group, the best."""
    if group.count > beam.width:
        ranks = beam.ranks[group.begin :]
        select_greatest(ranks, group.count, beam.width)
        group.count = beam.width
        group.least = ranks[0]
        for rank in ranks[: beam.width]:
            group.least = min(group.least, rank)


def link_moves(beam: TurnBeam, moves: TurnMoves, link: int) -> int:
    """Chain the moves of a turn behind a back link; returns the last link. They stay if `linked` is set beyond it."""
    for number in range(moves.move_count):
        entered = beam.back.back[beam.linked + number]
        entered.parent = link
        for word in range(WIDTH):
            entered.move[word] = moves.played[number * WIDTH + word]
        link = beam.linked + number
    return link


def turn_beam_search(beam: TurnBeam, tiles_at_end: int) -> int:
    """Expand at most `width` states of each group, turn by turn, from the state of the game. Returns how many states are left.

    Records the best end as the plan. The search stops before a turn in which some state has at most `tiles_at_end` tiles to
    come; the group `here` then holds such states, and `later` has those that passed it.
    """
    context = beam.context
    game = context.game
    width = beam.width
    for at in range(GROUPS * 2 * width):
        beam.ranks[at] = at
    for number in range(MOST_USED):
        beam.later[number].begin = (1 + number) * 2 * width
        beam.later[number].count = 0
        beam.later[number].least = 0
    beam.here = 0
    beam.level = number_coming(context.bound)
    beam.linked = 1
    store_state(beam.pool, game, 0, 0)
    beam.turns[0].move_count = 0
    states = 1
    while states > 0 and context.shared.stop == 0:
        for number in range(states):
            at = beam.ranks[beam.here + number] & INDEX
            if beam.linked + 2 * MOST_MOVES >= beam.back.link_count:
                return 0
            load_state(beam.pool, game, at)
            link = link_moves(beam, beam.turns[at], beam.pool.heads[at].link)
            beam.linked += beam.turns[at].move_count
            beam.turn += 1
            beam.states_left = TURN_STATES
            explore_turn(beam, 0, 0, link)
            if context.shared.stop != 0:
                break
        states = next_group(beam)
        if states > 0:
            load_state(beam.pool, game, beam.ranks[beam.here] & INDEX)
            if number_coming(context.bound) <= tiles_at_end:
                return states
    return 0


def next_group(beam: TurnBeam) -> int:
    """Continue with the states that begin the next turn; returns how many are kept, 0 if there are none."""
    for _ in range(MOST_USED):
        beam.level -= 1
        group = beam.later[beam.level & (MOST_USED - 1)]
        if group.count > 0:
            cut(beam, group)
            count = group.count
            begin = group.begin
            group.begin = beam.here
            group.count = 0
            group.least = 0
            beam.here = begin
            return count
    return 0
