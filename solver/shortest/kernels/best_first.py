"""Best-first search: uniform cost (Dijkstra 1959) at first, A* (Hart, Nilsson and Raphael 1968) once there is an estimate.

States are expanded in order of the least cost of a plan through them; with an estimate, the newest first among equals. Where
estimates weigh more than costs, a plan is found soon (weighted A*: Pohl 1970). A hash table with open addressing finds states,
which are then compared. The queue is a binary heap of words: least cost, then the number of a state. A cheaper way to a state
takes the place of the other; its older words in the queue are skipped. With several workers, each has the states assigned to
it by hash, in arrays of its own, and sends the others theirs (HDA*: Kishimoto, Fukunaga and Botea 2009).
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, legal, value
from rulewright.solver.kernel.orbits import Orbits, identify
from rulewright.solver.kernel.packed_states import (
    NUMBER,
    NUMBER_BITS,
    PackedStates,
    is_kept_at,
    is_same_orbit,
    keep,
    load_state,
    pack,
    public_word,
)
from rulewright.solver.shortest.problem import CostOf
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, shift

from .assignment import keep_assignment
from .distance_estimate import estimate
from .distance_words import DEAD, DistanceWords
from .first_moves import keep_first, least_after
from .landmark_cut import Landmarks, landmark_count
from .state_mail import Mail, owner_of, send
from .stubborn_sets import StubbornSets, keep_tried
from .traps import is_lost

REST_BITS = 6
"""Bits of a word of the queue for the estimate of the rest, above the number of a state, so that among equal costs the least
rest comes first. The cost is above both."""

COST_SHIFT = NUMBER_BITS + REST_BITS

MOST_REST = (1 << REST_BITS) - 1
"""Greater estimates do not tell states apart in the queue."""

MOST_COST = (1 << 29) - 1
"""A greater cost does not fit in the word of a state or of the queue."""

PASSED = -MOST_COST - 1
"""In place of the cost of a state that a cheaper one of its orbit supersedes. Paths through it remain valid."""

OWNER_BITS, MARK_BITS = 7, 2
"""Bits of an origin, above the number of a parent: the worker that knows it, marks, and the number of the automorphism under
which the state itself has the least hash."""

MARK_SHIFT = NUMBER_BITS + OWNER_BITS
MAPPING_SHIFT = MARK_SHIFT + MARK_BITS
ORIGIN = (1 << MAPPING_SHIFT) - 1

FEW_MOVES = 2
"""A state with no more moves to try than these is expanded at once. Measured: with 0 XSokoban 78 and Microban 108 take 1.17 and
1.11 times the states."""

INFORMED, PARTLY = 1, 2
"""Codes: landmarks were looked for in a state; some of its moves have been tried."""


class BestFirst(Bundle):
    """A search in progress. Of each state, `origins` says from where it was reached at the least cost so far, which is in
    `costs`; `estimates` has a lower bound on the rest. If `has_goal`, `goal_cost` is the cost of a plan, from state
    `goal_parent` by the `goal_length` moves in `goal_move`. `room` limits states and words of the queue. A `weight`
    of estimates other than 1 needs costs not below 0. It `reopens` cheaper states, or proves nothing.
    If it `learns`, it seeks the traps of what it expands.

    An entry of `known` is one more than the number of a state, and above that bits of its hash, of which the low ones say
    where it belongs; 0 is free. `known_count` is a power of two. `value` is twice that of a state, plus 1 at a goal. This
    worker is one of `workers`; `mail` is what it has sent."""

    game: GameMemory
    pool: PackedStates
    distances: DistanceWords
    landmarks: Landmarks
    orbits: Orbits
    stubborn: StubbornSets
    mail: Mail
    known: Longs
    origins: Longs
    costs: Ints
    estimates: Ints
    queue: Longs
    search_words: Longs
    moves: Ints
    goal_move: Ints
    known_count: int
    room: int
    cost_of: int
    least_step: int
    weight: int
    reopens: int
    learns: int
    worker: int
    workers: int
    state_count: int = entry("search_words")
    queued: int = entry("search_words")
    expanded: int = entry("search_words")
    expansion_limit: int = entry("search_words")
    cost: int = entry("search_words")
    """The least cost of a plan through the states now being expanded, without the `slack`."""
    slack: int = entry("search_words")
    """A cost that each plan still adds: a least step, until estimates include it."""
    order: int = entry("search_words")
    """XORed with the numbers in words of the queue: with 0 the oldest among equal states comes first, with NUMBER the
    newest."""
    has_goal: int = entry("search_words")
    goal_cost: int = entry("search_words")
    goal_parent: int = entry("search_words")
    goal_length: int = entry("search_words")
    later: int = entry("search_words")
    """The least cost of a plan by moves of a state that are not tried yet."""


def place_in(search: BestFirst) -> int:
    """The entry of the state of the game, which it identifies and packs, or the free one where it belongs; an orbit shares
    one."""
    identify(search.orbits, search.game)
    pack(search.pool, search.game)
    at = shift(search.orbits.hash, NUMBER_BITS) & (search.known_count - 1)
    while search.known[at] != 0 and not is_known_at(search, at):
        at = (at + 1) & (search.known_count - 1)
    return at


def is_known_at(search: BestFirst, place: int) -> bool:
    """Whether an entry is of the state of the game, identified last, or of another one of its orbit."""
    if (search.known[place] ^ search.orbits.hash) & ~NUMBER != 0:
        return False
    number = number_at(search, place)
    mapping = search.origins[number] >> MAPPING_SHIFT
    if mapping == 0 and search.orbits.mapping == 0:
        return is_kept_at(search.pool, number)
    return is_same_orbit(search.orbits, search.game, search.pool, number, mapping)


def number_at(search: BestFirst, place: int) -> int:
    """The number of the state of an entry; negative if it is free."""
    return (search.known[place] & NUMBER) - 1


def insert(search: BestFirst, place: int, number: int) -> None:
    """Enter a state into the table: that of the game, identified last."""
    search.known[place] = (search.orbits.hash & ~NUMBER) | (number + 1)


def move_table(search: BestFirst, known: Longs, count: int) -> int:
    """Move the entries of a table to another, empty one."""
    for place in range(count):
        if known[place] != 0:
            at = shift(known[place], NUMBER_BITS) & (search.known_count - 1)
            while search.known[at] != 0:
                at = (at + 1) & (search.known_count - 1)
            search.known[at] = known[place]
    return 0


def priority(search: BestFirst, number: int) -> int:
    """What orders states: the cost of a plan through one, with what is estimated weighted."""
    return search.costs[number] + search.weight * search.estimates[number]


def queue_word(search: BestFirst, number: int) -> int:
    """The word of a state in the queue."""
    rest = search.estimates[number]
    return (priority(search, number) << COST_SHIFT) + (min(rest, MOST_REST) << NUMBER_BITS) + (number ^ search.order)


def enqueue(search: BestFirst, word: int) -> None:
    """Add a word to the queue."""
    at = search.queued
    search.queued += 1
    while at > 0 and search.queue[(at - 1) >> 1] > word:
        search.queue[at] = search.queue[(at - 1) >> 1]
        at = (at - 1) >> 1
    search.queue[at] = word


def dequeue(search: BestFirst) -> None:
    """Take the least word from the queue."""
    search.queued -= 1
    word = search.queue[search.queued]
    at = 0
    below = 1
    while below < search.queued:
        if below + 1 < search.queued and search.queue[below + 1] < search.queue[below]:
            below += 1
        if search.queue[below] >= word:
            break
        search.queue[at] = search.queue[below]
        at = below
        below = 2 * at + 1
    search.queue[at] = word


def store(search: BestFirst, number: int, parent: int, owner: int, cost: int) -> None:
    """Store the state of the game, identified and packed last, under a number, and how it was reached."""
    keep(search.pool, number)
    search.costs[number] = cost
    search.origins[number] = (search.orbits.mapping << MAPPING_SHIFT) | (owner << NUMBER_BITS) | parent


def store_and_queue(search: BestFirst, number: int, parent: int, cost: int) -> None:
    """Store the state of the game under a number, reached from a state of this worker, and enter it into the queue."""
    store(search, number, parent, search.worker, cost)
    enqueue(search, queue_word(search, number))


def set_mark(search: BestFirst, number: int, mark: int) -> None:
    """Mark a state."""
    search.origins[number] = search.origins[number] | (mark << MARK_SHIFT)


def has_mark(search: BestFirst, number: int, mark: int) -> bool:
    """Whether a state has a mark."""
    return search.origins[number] & (mark << MARK_SHIFT) != 0


def enter_root(search: BestFirst, cost: int) -> int:
    """Start at the state of the game; `cost` is that of the empty plan."""
    place = place_in(search)
    store(search, 0, 0, 0, cost)
    search.estimates[0] = 0
    search.slack = search.least_step
    search.state_count = 1
    insert(search, place, 0)
    enqueue(search, queue_word(search, 0))
    return 0


def generate(search: BestFirst, parent: int, move: int, cost: int) -> None:
    """Record the state of the game, reached from a parent at a cost, unless it is known at no greater cost."""
    game = search.game
    if search.has_goal == 1 and cost >= search.goal_cost:
        return
    if value(game) & 1 == 1:
        search.has_goal = 1
        search.goal_cost = cost
        search.goal_parent = parent
        search.goal_length = 1
        for word in range(WIDTH):
            search.goal_move[word] = search.moves[move + word]
        return
    if game.point < 0:
        return
    owner = owner_of(public_word(search.orbits, game, search.pool), search.workers) if search.workers > 1 else search.worker
    least = search.estimates[parent] - 1 if search.cost_of == CostOf.MOVES else 0
    if owner == search.worker:
        admit(search, parent, search.worker, cost, least)
        return
    send(search.mail, game, owner, cost, least, parent, search.worker)


def admit(search: BestFirst, parent: int, owner: int, cost: int, least: int) -> None:
    """Record the state of the game, owned by this worker, unless it is known at no greater cost; `least` is
    a lower bound on the rest, by what is known of its parent (pathmax: Mérő 1984)."""
    game = search.game
    place = place_in(search)
    number = number_at(search, place)
    if number < 0:
        left = 0
        if search.order == NUMBER:
            left = max(estimate(search.distances, game), search.least_step)
            left = max(left, least)
            if left >= DEAD or (search.has_goal == 1 and cost + left >= search.goal_cost):
                return
        number = search.state_count
        search.state_count += 1
        search.estimates[number] = left
        store(search, number, parent, owner, cost)
        insert(search, place, number)
        enqueue(search, queue_word(search, number))
    elif search.costs[number] > cost and search.reopens == 1:
        if has_mark(search, number, PARTLY):
            search.estimates[number] = max(estimate(search.distances, game), search.least_step)
        if search.orbits.mapping_count > 0:
            # Everything known behind the other state of the orbit was reached from that one.
            search.estimates[search.state_count] = search.estimates[number]
            search.costs[number] = PASSED
            number = search.state_count
            search.state_count += 1
            insert(search, place, number)
        store(search, number, parent, owner, cost)
        if search.estimates[number] < DEAD:
            enqueue(search, queue_word(search, number))


def cost_of_child(search: BestFirst, cost: int, turns: int) -> int:
    """The cost of the state of the game, reached by one move from a state of that cost after so many turns."""
    if search.cost_of == CostOf.VALUE:
        return value(search.game) >> 1
    return turns + 1 if search.cost_of == CostOf.TURNS else cost + 1


def moves_to_try(search: BestFirst, first: int) -> int:
    """List the moves of the state of the game that need be tried from `first` on; returns where they end."""
    end = legal(search.game, search.moves, first)
    if search.stubborn.numbers.ground_count > 0:
        return keep_tried(search.stubborn, search.game, search.moves, first, end, WIDTH)
    return keep_first(search.distances, search.game, search.moves, first, end, WIDTH)


def keep_due(search: BestFirst, number: int, cost: int, end: int) -> int:
    """Of the moves of a state keep those behind which a plan may cost as little as the state promises; returns where they end.
    For the others it comes back into the queue (partial expansion: Yoshizumi, Miura and Ishida 2000)."""
    if search.distances.kept_total[0] == 0:
        return end
    due = priority(search, number) if search.reopens == 1 and search.weight == 1 else MOST_COST
    most = min(search.goal_cost - 1, cost + DEAD) if search.has_goal == 1 else cost + DEAD
    is_again = has_mark(search, number, PARTLY)
    later = MOST_COST
    kept = 0
    for move in range(0, end, WIDTH):
        least = cost + 1 + least_after(search.distances, search.game, search.moves, move)
        if due < least <= most:
            later = min(later, least)
        elif least <= most and (least == due or not is_again):
            for word in range(WIDTH):
                search.moves[kept + word] = search.moves[move + word]
            kept += WIDTH
    search.later = later
    return kept


def expand(search: BestFirst, number: int, cost: int) -> int:
    """Generate the children of a known state, unless its tiles are lost. Returns FULL, with no change, if there is no room."""
    game = search.game
    load_state(search.pool, game, number)
    if search.learns == 1 and is_lost(search.distances, game):
        return SearchEnd.PAUSED
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    turns = game.counted
    end = moves_to_try(search, 0)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if search.state_count + end > search.room or search.queued + end > search.room:
        return SearchEnd.FULL
    if search.workers > 1 and search.mail.count + end > search.mail.room:
        return SearchEnd.MAILED
    search.later = MOST_COST
    if end > FEW_MOVES * WIDTH:
        keep_assignment(search.distances, game)
        end = keep_due(search, number, cost, end)
    move = 0
    while move < end:
        apply(game, search.moves, move)
        if game.fault != 0:
            return SearchEnd.FAULTED
        child_cost = cost_of_child(search, cost, turns)
        if game.fault != 0 or child_cost > MOST_COST or child_cost < -MOST_COST:
            return SearchEnd.FAULTED
        generate(search, number, move, child_cost)
        if game.fault != 0:
            return SearchEnd.FAULTED
        undo_to(game, 0, hash, other_hash, seed)
        move += WIDTH
    if search.later < MOST_COST:
        set_mark(search, number, PARTLY)
        search.estimates[number] = search.later - cost
        enqueue(search, queue_word(search, number))
    return SearchEnd.PAUSED


def is_next(search: BestFirst, number: int) -> bool:
    """Whether a state still belongs at the head of the queue, once landmarks were looked for in it; if not, it is put where
    it belongs, or left out if no goal can be reached (lazy A*: Tolpin, Beja, Shimony, Felner and Karpas 2013)."""
    if search.landmarks.fact_count == 0 or has_mark(search, number, INFORMED):
        return True
    set_mark(search, number, INFORMED)
    load_state(search.pool, search.game, number)
    left = landmark_count(search.landmarks, search.game)
    if left <= search.estimates[number]:
        return True
    search.estimates[number] = left
    if left < DEAD:
        enqueue(search, queue_word(search, number))
    return False


def best_first_search(search: BestFirst) -> int:
    """Continue until the least cost is proved or there is no plan; returns a `SearchEnd`."""
    while search.queued > 0:
        word = search.queue[0]
        search.cost = ((word >> COST_SHIFT) + search.weight - 1) // search.weight
        number = (word & NUMBER) ^ search.order
        if search.has_goal == 1 and search.goal_cost <= search.cost + search.slack:
            return SearchEnd.DONE
        if search.expanded >= search.expansion_limit:
            return SearchEnd.PAUSED
        dequeue(search)
        if priority(search, number) == word >> COST_SHIFT and is_next(search, number):
            end = expand(search, number, search.costs[number])
            if end in (SearchEnd.FULL, SearchEnd.MAILED):
                enqueue(search, word)
            if end != SearchEnd.PAUSED:
                return end
            search.expanded += 1
    return SearchEnd.DONE
