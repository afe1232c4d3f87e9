"""Search in the memory that is left: depth first behind each open state, up to a limit that rises (IDA*: Korf 1985).

Once memory is full, the known states stay as they are (MREC: Sen and Bagchi 1989). The open state of the least cost is taken
from the queue, and all moves behind it are tried, with no state stored, as long as a plan may cost no more than its estimate
says. The least cost beyond is its next estimate, with which it comes back into the queue: the head of the queue remains a
lower bound. A way to a known state that is no cheaper leads to nothing that the queue does not lead to. So does a state that
was searched before, no dearer and with no lower limit: `seen` remembers as many as fit.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import Fault, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, value
from rulewright.solver.kernel.packed_states import NUMBER, PackedStates, is_kept_at, keep, load_state, pack
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Longs, remainder
from rulewright.subset.records import Record, Run

from .best_first import (
    COST_SHIFT,
    MOST_COST,
    BestFirst,
    cost_of_child,
    dequeue,
    enqueue,
    is_next,
    moves_to_try,
    number_at,
    place_in,
    priority,
    queue_word,
)
from .distance_estimate import estimate
from .distance_words import DEAD


class Frame(Record, memory="frames"):
    """A state on the way from an open state: its cost, its moves, which one is next, what undoes the moves behind it, and the
    least cost of a plan beyond the limit. `place` is where it was entered in `seen`, as visit number `visit`."""

    cost: int
    first: int
    move: int
    end: int
    mark: int
    hash: int
    other_hash: int
    seed: int
    beyond: int
    place: int
    visit: int


class Seen(Record, memory="seen_words"):
    """A state that was searched at a cost up to a limit: the least cost of a plan beyond it. `visit` is unique, 0 if free."""

    cost: int
    limit: int
    beyond: int
    visit: int


class Deepening(Bundle, same={"met.packed": "search.pool.packed"}):
    """A search in progress, `depth` moves behind the open state `begin`. There is room for `frame_count`
    moves, and for `seen_count` states; `met` has the states of all frames, and behind them those that were seen."""

    search: BestFirst
    met: PackedStates
    frames: Longs
    seen_words: Longs
    deep_words: Longs
    frame_count: int
    seen_count: int
    depth: int = entry("deep_words")
    begin: int = entry("deep_words")
    limit: int = entry("deep_words")
    visits: int = entry("deep_words")
    frame: Run[Frame] = start_of("frames")
    seen: Run[Seen] = start_of("seen_words")


def enter(deepening: Deepening, cost: int, first: int, place: int) -> int:
    """Go on from the state of the game, whose moves are listed from `first` on; returns a `SearchEnd`."""
    search = deepening.search
    game = search.game
    end = moves_to_try(search, first)
    if game.fault == Fault.FULL:
        game.fault = Fault.NONE
        return SearchEnd.TOO_DEEP
    if game.fault != 0:
        return SearchEnd.FAULTED
    frame = deepening.frame[deepening.depth]
    keep(deepening.met, deepening.depth)
    deepening.depth += 1
    search.expanded += 1
    frame.cost = cost
    frame.first = first
    frame.move = first
    frame.end = end
    frame.mark = game.trail_length
    frame.hash = game.hash
    frame.other_hash = game.other_hash
    frame.seed = game.seed
    frame.beyond = DEAD
    frame.place = place
    frame.visit = deepening.visits
    return SearchEnd.PAUSED


def leave(deepening: Deepening) -> None:
    """Go back from the last state, all of whose moves have been tried."""
    search = deepening.search
    game = search.game
    deepening.depth -= 1
    frame = deepening.frame[deepening.depth]
    if deepening.depth == 0:
        search.estimates[deepening.begin] = min(frame.beyond - search.costs[deepening.begin], DEAD)
        if frame.beyond < DEAD:
            enqueue(search, queue_word(search, deepening.begin))
        return
    seen = deepening.seen[frame.place]
    if seen.visit == frame.visit:
        seen.beyond = frame.beyond
    before = deepening.frame[deepening.depth - 1]
    before.beyond = min(before.beyond, frame.beyond)
    undo_to(game, before.mark, before.hash, before.other_hash, before.seed)


def reach_goal(deepening: Deepening, cost: int) -> None:
    """Record the plan that the last moves of all frames make."""
    search = deepening.search
    search.has_goal = 1
    search.goal_cost = cost
    search.goal_parent = deepening.begin
    search.goal_length = deepening.depth
    for at in range(deepening.depth):
        made = deepening.frame[at].move - WIDTH
        for word in range(WIDTH):
            search.goal_move[at * WIDTH + word] = search.moves[made + word]


def least_behind(deepening: Deepening, cost: int) -> int:
    """A lower bound on the cost of a plan through the state of the game, reached at a cost; DEAD if none is sought."""
    search = deepening.search
    if search.has_goal == 1 and cost >= search.goal_cost:
        return DEAD
    if value(search.game) & 1 == 1:
        reach_goal(deepening, cost)
        return DEAD
    if search.game.point < 0:
        return DEAD
    left = max(estimate(search.distances, search.game), search.least_step)
    if left >= DEAD or (search.has_goal == 1 and cost + left >= search.goal_cost):
        return DEAD
    return cost + left


def try_state(deepening: Deepening, cost: int) -> int:
    """Go on from the state of the game, reached at a cost, unless it need not be searched; returns a `SearchEnd`."""
    search = deepening.search
    game = search.game
    before = deepening.frame[deepening.depth - 1]
    least = least_behind(deepening, cost)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if least > deepening.limit:
        before.beyond = min(before.beyond, least)
    else:
        number = number_at(search, place_in(search))
        if is_on_the_way(deepening, cost):
            before.beyond = min(before.beyond, deepening.limit + 1)
        elif number < 0 or search.costs[number] > cost:
            place = remainder(search.orbits.hash, deepening.seen_count)
            if not is_seen(deepening, place, cost):
                if deepening.depth == deepening.frame_count:
                    return SearchEnd.TOO_DEEP
                see(deepening, place, cost)
                return enter(deepening, cost, before.end, place)
            before.beyond = min(before.beyond, deepening.seen[place].beyond + cost - deepening.seen[place].cost)
    undo_to(game, before.mark, before.hash, before.other_hash, before.seed)
    return SearchEnd.PAUSED


def is_on_the_way(deepening: Deepening, cost: int) -> bool:
    """Whether the state packed last is one from which it was reached by moves that cost nothing."""
    depth = deepening.depth
    while depth > 0 and deepening.frame[depth - 1].cost == cost:
        depth -= 1
        if is_kept_at(deepening.met, depth):
            return True
    return False


def is_seen(deepening: Deepening, place: int, cost: int) -> bool:
    """Whether the state packed last was searched before, at no greater cost and with no lower limit."""
    seen = deepening.seen[place]
    if seen.visit == 0 or seen.cost > cost or seen.limit < deepening.limit:
        return False
    return is_kept_at(deepening.met, deepening.frame_count + place)


def see(deepening: Deepening, place: int, cost: int) -> None:
    """Remember the state packed last. Until it has been searched, a plan is only known to cost more than the limit."""
    deepening.visits += 1
    seen = deepening.seen[place]
    seen.cost = cost
    seen.limit = deepening.limit
    seen.beyond = deepening.limit + 1
    seen.visit = deepening.visits
    keep(deepening.met, deepening.frame_count + place)


def try_next(deepening: Deepening) -> int:
    """Try the next move of the last state, or go back from it; returns a `SearchEnd`."""
    search = deepening.search
    frame = deepening.frame[deepening.depth - 1]
    if frame.move == frame.end:
        leave(deepening)
        return SearchEnd.PAUSED
    frame.move += WIDTH
    turns = search.game.counted
    apply(search.game, search.moves, frame.move - WIDTH)
    cost = 0
    if search.game.fault == 0:
        cost = cost_of_child(search, frame.cost, turns)
    if search.game.fault != 0 or cost < -MOST_COST:
        return SearchEnd.FAULTED
    if cost >= DEAD:
        return SearchEnd.TOO_DEEP
    return try_state(deepening, cost)


def begin_anew(deepening: Deepening) -> int:
    """Begin behind the open state of the least cost; returns a `SearchEnd`."""
    search = deepening.search
    word = search.queue[0]
    search.cost = word >> COST_SHIFT
    if search.has_goal == 1 and search.goal_cost <= search.cost:
        return SearchEnd.DONE
    number = (word & NUMBER) ^ search.order
    dequeue(search)
    if priority(search, number) != search.cost or not is_next(search, number):
        return SearchEnd.PAUSED
    load_state(search.pool, search.game, number)
    pack(search.pool, search.game)
    deepening.begin = number
    deepening.limit = search.cost
    return enter(deepening, search.costs[number], 0, 0)


def deepen(deepening: Deepening) -> int:
    """Continue until the least cost is proved or there is no plan; returns a `SearchEnd`."""
    search = deepening.search
    while deepening.depth > 0 or search.queued > 0:
        if search.expanded >= search.expansion_limit:
            return SearchEnd.PAUSED
        end = try_next(deepening) if deepening.depth > 0 else begin_anew(deepening)
        if end != SearchEnd.PAUSED:
            return end
    return SearchEnd.DONE
