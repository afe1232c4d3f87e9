"""Null-window alpha-beta search (Knuth and Moore 1975): whether a player can guarantee a goal, and a bound.

A hash table with buckets of four stores the bounds of states; in a full bucket the entry of least effort is replaced. The move
that was best before is tried first, then those whose cuts have taken the most states (history heuristic: Schaeffer 1989). A
state that repeats on the path from the root ends the search without a value.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory, mixed, undo_to
from rulewright.solver.kernel.game_interface import ENDLESS, WIDTH, SearchEnd, apply, chooser, legal, value
from rulewright.solver.kernel.orbits import Orbits, identify
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs, wrap
from rulewright.subset.records import Record, Run

BUCKET = 4
"""Layout of the table: entries in a bucket."""

NO_MOVE = -1

NOTHING, TURNS, MOVES = 0, 1, 2
"""Codes: what is limited of the player who asks."""

HISTORY_BITS = 12
"""Each side has two to this power counters; moves whose hashes agree share one."""


class Known(Record, memory="known_words"):
    """Bounds on the value of a state; `effort` is the number of states they took, 0 for a free entry."""

    other_hash: int
    lower: int
    upper: int
    best_move: int
    effort: int


class Frame(Record, memory="stack"):
    """A state on the way from the root. Moves are numbered in the order of their list, which begins at `first`."""

    first: int
    count: int
    tried: int
    chosen: int
    table_move: int
    is_own: int
    left: int
    turn: int
    best: int
    best_move: int
    trail: int
    hash: int
    other_hash: int
    seed: int
    begun: int


class GoalSearch(Bundle):
    """A search in progress for whether the value at the root reaches `goal`. `depth` counts the states on the path; `result` is
    a value or bound, if `has_result`. `known_count` is a multiple of BUCKET."""

    game: GameMemory
    orbits: Orbits
    known_words: Longs
    stack: Longs
    search_words: Longs
    moves: Ints
    known_count: int
    deepest: int
    player: int
    sign: int
    goal: int = entry("search_words")
    depth: int = entry("search_words")
    has_result: int = entry("search_words")
    result: int = entry("search_words")
    nodes: int = entry("search_words")
    node_limit: int = entry("search_words")
    has_replaced: int = entry("search_words")


class Minimax(GoalSearch):
    """Its result is the value of the last state. `order` lists the numbers of each frame's moves as they are tried, and
    `history` counts the states below the cuts of a move. If own turns or moves are `limited`, `left` are left at the state to
    be entered, and the last turn began at the count `turn`.
    """

    order: Ints
    history: Longs
    is_together: int
    limited: int
    left: int = entry("search_words")
    turn: int = entry("search_words")
    known: Run[Known] = start_of("known_words")
    frames: Run[Frame] = start_of("stack")


def bucket_of(search: Minimax) -> int:
    """The first entry of the bucket for the state of the game; the states of an orbit share it."""
    identify(search.orbits, search.game)
    if search.limited != NOTHING:
        clock = 2 * search.left
        if search.turn == search.game.counted:
            clock += 1
        search.orbits.hash = wrap(search.orbits.hash + mixed(clock))
        search.orbits.other_hash = wrap(search.orbits.other_hash + mixed(-clock))
    return search.orbits.hash % search.known_count & -BUCKET


def find(search: Minimax) -> int:
    """The entry of the state of the game; -1 if there is none."""
    first = bucket_of(search)
    kept = search.orbits.other_hash
    for way in range(BUCKET):
        if search.known[first + way].effort > 0 and search.known[first + way].other_hash == kept:
            return first + way
    return -1


def remember(search: Minimax, frame: Frame) -> None:
    """Store a frame's result for the state of the game."""
    at = find(search)
    if at < 0:
        at = bucket_of(search)
        first = at
        for way in range(BUCKET):
            if search.known[first + way].effort < search.known[at].effort:
                at = first + way
        if search.known[at].effort > 0:
            search.has_replaced = 1
        search.known[at].lower = -ENDLESS
        search.known[at].upper = ENDLESS
        search.known[at].effort = 0
    place = search.known[at]
    place.other_hash = search.orbits.other_hash
    place.best_move = frame.best_move
    place.effort = place.effort + search.nodes - frame.begun + 1
    if frame.best >= search.goal:
        place.lower = max(place.lower, frame.best)
    else:
        place.upper = min(place.upper, frame.best)


def is_on_path(search: Minimax) -> bool:
    """Whether the path from the root contains the state of the game."""
    game = search.game
    at = search.depth - 1
    while at >= 0:
        frame = search.frames[at]
        is_same = frame.hash == game.hash and frame.other_hash == game.other_hash and frame.left == search.left
        if is_same and (search.orbits.uses_chance == 0 or frame.seed == game.seed):
            return True
        at -= 1
    return False


def enter(search: Minimax) -> int:
    """Visit the state of the game: sets its result or pushes a frame. Returns a `SearchEnd`."""
    game = search.game
    search.nodes += 1
    search.has_result = 1
    if game.point < 0:
        search.result = search.sign * value(game)
        return SearchEnd.PAUSED if game.fault == 0 else SearchEnd.FAULTED
    is_asked = chooser(game) == search.player
    if is_asked and (search.limited == MOVES or (search.limited == TURNS and game.counted != search.turn)):
        search.left -= 1
        search.turn = game.counted
    at = find(search)
    table_move = NO_MOVE
    if at >= 0:
        if search.known[at].lower >= search.goal:
            search.result = search.known[at].lower
            return SearchEnd.PAUSED
        if search.known[at].upper < search.goal:
            search.result = search.known[at].upper
            return SearchEnd.PAUSED
        table_move = search.known[at].best_move
    if is_on_path(search):
        return SearchEnd.REPEATED
    if search.depth + 1 >= search.deepest:
        return SearchEnd.TOO_DEEP
    first = 0
    if search.depth > 0:
        above = search.frames[search.depth - 1]
        first = above.first + above.count * WIDTH
    end = legal(game, search.moves, first)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if end == first:
        search.result = search.sign * value(game)
        return SearchEnd.PAUSED if game.fault == 0 else SearchEnd.FAULTED
    if search.left < 0:
        search.result = search.goal - 1
        return SearchEnd.PAUSED
    frame = search.frames[search.depth]
    frame.left = search.left
    frame.turn = search.turn
    frame.first = first
    frame.count = (end - first) // WIDTH
    frame.tried = 0
    frame.table_move = table_move
    if table_move >= frame.count:
        frame.table_move = NO_MOVE
    frame.is_own = 0
    frame.best = ENDLESS
    if is_asked or search.is_together == 1:
        frame.is_own = 1
        frame.best = -ENDLESS
    frame.best_move = NO_MOVE
    frame.trail = game.trail_length
    frame.hash = game.hash
    frame.other_hash = game.other_hash
    frame.seed = game.seed
    frame.begun = search.nodes
    for number in range(frame.count):
        search.order[first // WIDTH + number] = number
    search.depth += 1
    search.has_result = 0
    if not try_next(search, frame):
        return SearchEnd.FAULTED
    return SearchEnd.PAUSED if game.fault == 0 else SearchEnd.FAULTED


def counter_of(search: Minimax, frame: Frame, number: int) -> int:
    """Where `history` counts for a move of a frame."""
    at = frame.first + number * WIDTH
    hash = 0
    for word in range(WIDTH):
        hash = mixed(hash + search.moves[at + word])
    return (frame.is_own << HISTORY_BITS) + (hash & ((1 << HISTORY_BITS) - 1))


def place_of_next(search: Minimax, frame: Frame) -> int:
    """Where `order` has the move to be tried next: the table's, then that with the most history."""
    if frame.tried == 0 and frame.table_move >= 0:
        return frame.first // WIDTH + frame.table_move
    first = frame.first // WIDTH + frame.tried
    best = first
    most = -1
    for place in range(first, frame.first // WIDTH + frame.count):
        known = search.history[counter_of(search, frame, search.order[place])]
        if known > most:
            most = known
            best = place
    return best


def try_next(search: Minimax, frame: Frame) -> bool:
    """Make the next move of a frame; False when all have been tried."""
    if frame.tried == frame.count:
        return False
    first = frame.first // WIDTH + frame.tried
    place = place_of_next(search, frame)
    frame.chosen = search.order[place]
    search.order[place] = search.order[first]
    search.order[first] = frame.chosen
    frame.tried += 1
    apply(search.game, search.moves, frame.first + frame.chosen * WIDTH)
    return True


def take(search: Minimax) -> int:
    """Pass the result to the top frame, which continues or has a result itself. Returns a `SearchEnd`."""
    game = search.game
    frame = search.frames[search.depth - 1]
    undo_to(game, frame.trail, frame.hash, frame.other_hash, frame.seed)
    search.left = frame.left
    search.turn = frame.turn
    if frame.is_own == 1 and search.result > frame.best:
        frame.best = search.result
        frame.best_move = frame.chosen
    if frame.is_own == 0 and search.result < frame.best:
        frame.best = search.result
        frame.best_move = frame.chosen
    is_cut = frame.best < search.goal
    if frame.is_own == 1:
        is_cut = frame.best >= search.goal
    if is_cut:
        search.history[counter_of(search, frame, frame.chosen)] += search.nodes - frame.begun
    elif try_next(search, frame):
        search.has_result = 0
        return SearchEnd.PAUSED if game.fault == 0 else SearchEnd.FAULTED
    search.depth -= 1
    remember(search, frame)
    search.result = frame.best
    return SearchEnd.PAUSED


def minimax_search(search: Minimax) -> int:
    """Continue until the goal is decided at the root, or the limit is reached; returns a `SearchEnd`."""
    while search.nodes < search.node_limit:
        end: int = SearchEnd.PAUSED
        if search.has_result == 0:
            end = enter(search)
        elif search.depth == 0:
            return SearchEnd.DONE
        else:
            end = take(search)
        if end != SearchEnd.PAUSED:
            return end
    return SearchEnd.PAUSED
