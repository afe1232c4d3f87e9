"""What a search does between its slices: other estimates, another table; and which moves make up its plan."""

from __future__ import annotations

from rulewright.rules.machine.runtime import undo_to
from rulewright.solver.kernel.game_interface import WIDTH, apply, legal, value
from rulewright.solver.kernel.packed_states import NUMBER, is_kept_at, load_state, pack
from rulewright.solver.shortest.problem import CostOf

from .best_first import (
    COST_SHIFT,
    MAPPING_SHIFT,
    MARK_SHIFT,
    ORIGIN,
    PARTLY,
    PASSED,
    BestFirst,
    enqueue,
    insert,
    number_at,
    place_in,
    priority,
    queue_word,
)
from .distance_estimate import estimate
from .distance_words import DEAD


def rebuild_table(search: BestFirst) -> int:
    """Enter all states into an empty table; returns how many shared an orbit with one that costs no more."""
    passed = 0
    for number in range(search.state_count):
        if search.costs[number] == PASSED:
            continue
        load_state(search.pool, search.game, number)
        place = place_in(search)
        other = number_at(search, place)
        if other >= 0:
            passed += 1
            if search.costs[other] <= search.costs[number]:
                search.costs[number] = PASSED
                continue
            search.costs[other] = PASSED
        insert(search, place, number)
        search.origins[number] = (search.orbits.mapping << MAPPING_SHIFT) | (search.origins[number] & ORIGIN)
    return passed


def move_to(search: BestFirst, number: int) -> int:
    """The index of the move by which the state of the game becomes that with a number, at the least cost if there are
    several; -1 if there is none."""
    game = search.game
    mark = game.trail_length
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    end = legal(game, search.moves, 0)
    found = -1
    least = 0
    move = 0
    while move < end:
        apply(game, search.moves, move)
        pack(search.pool, game)
        cost = value(game) >> 1 if search.cost_of == CostOf.VALUE else 0
        if is_kept_at(search.pool, number) and (found < 0 or cost < least):
            found = move
            least = cost
        undo_to(game, mark, hash, other_hash, seed)
        move += WIDTH
    return found


def estimate_again(search: BestFirst) -> int:
    """Order states by the estimates from now on; rebuilds the queue. All moves of a state that was expanded in part may be
    tried again: it may promise more now than moves that it has not tried."""
    count = search.queued
    is_open = 0
    for at in range(count):
        word = search.queue[at]
        number = (word & NUMBER) ^ search.order
        if priority(search, number) != word >> COST_SHIFT:
            continue
        load_state(search.pool, search.game, number)
        search.origins[number] = search.origins[number] & ~(PARTLY << MARK_SHIFT)
        search.estimates[number] = max(estimate(search.distances, search.game), search.least_step)
        if search.estimates[number] < DEAD:
            search.queue[is_open] = number
            is_open += 1
    search.slack = 0
    search.order = NUMBER
    search.queued = 0
    for at in range(is_open):
        enqueue(search, queue_word(search, search.queue[at]))
    return 0
