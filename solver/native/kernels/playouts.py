"""Whole games by a policy, in the native subset: solver/search/playout_policies.py once more, with the same chances and
the same ends.

Beside the arrays of runtime.py: `a` holds the state where each game begins; `i` two layers of a beam, a line of moves for each
state, for the few moves are played again sooner than a state is copied; `j` the children kept, `e` their worths; `c` the counts
of the boards; `o` marks of moves; `b` games.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import STEP, GameMemory, mixed, undo
from rulewright.solver.search.playout_policies import LAID_BITS, PLIES
from rulewright.subset.intrinsics import Ints, Longs, remainder, wrap

from .game_interface import WIDTH, apply, begin, legal, value

RANDOM, SEARCH, BEAM = 0, 1, 2

# Entries of `c`.
SIZE, FRESH, BOARDS, FIRST_BOARD = 0, 1, 2, 3
# How many slots a state has; whether games begin with set-up; how many boards, and where the count of each is.

CHILD = 5
"""Words for each child kept: its hashes, its seed, its parent, the first move; then the move itself."""

FIRST_MOVE = 1
"""A line of a beam: the first move as a place in `m`, then all moves."""

LEAST = -(1 << 62)

UNFINISHED, FAULTED = -1, -2


def worth(game: GameMemory, c: Ints) -> int:
    """The value, then how many tiles lie on the boards."""
    laid = 0
    for board in range(c[BOARDS]):
        laid += game.state[c[FIRST_BOARD + board]]
    return (value(game) << LAID_BITS) + laid


def hope(game: GameMemory, m: Ints, c: Ints, at: int, plies: int) -> int:
    """The most that a state can be worth so many moves on."""
    if game.point < 0 or plies == 0 or game.fault != 0:
        return worth(game, c)
    end = legal(game, m, at)
    if end == at:
        return worth(game, c)
    best = LEAST
    mark = game.trail_length
    seed = game.seed
    move = at
    while move < end:
        apply(game, m, move)
        best = max(best, hope(game, m, c, end, plies - 1))
        undo(game, mark)
        game.seed = seed
        move += WIDTH
    return best


def by_search(game: GameMemory, m: Ints, c: Ints, o: Longs, end: int, plies: int) -> None:
    """Mark the moves with the best hope. Of equals those that do not stop."""
    best = LEAST
    mark = game.trail_length
    seed = game.seed
    move = 0
    while move < end:
        apply(game, m, move)
        found = 2 * hope(game, m, c, end, plies - 1)
        if m[move] >= 0:
            found += 1
        undo(game, mark)
        game.seed = seed
        o[move] = found
        best = max(best, found)
        move += WIDTH
    move = 0
    while move < end:
        if o[move] == best:
            o[move] = 1
        else:
            o[move] = 0
        move += WIDTH


def keep(
    game: GameMemory, m: Ints, e: Longs, j: Longs, kept: int, width: int, found: int, parent: int, move: int, first: int
) -> int:
    """Take a child among those kept, in order of worth, the earlier of equals first; gives how many there are."""
    if kept == width and found <= e[2 * width - 2]:
        return kept
    size = CHILD + WIDTH
    at = kept
    while at > 0 and e[2 * at - 2] < found:
        at -= 1
    other = at - 1
    while other >= 0 and e[2 * other] == found:
        place = size * e[2 * other + 1]
        if j[place] == game.hash and j[place + 1] == game.other_hash and j[place + 2] == game.seed:
            return kept
        other -= 1
    room = kept
    if kept == width:
        room = e[2 * width - 1]
        kept -= 1
    last = kept
    while last > at:
        e[2 * last] = e[2 * last - 2]
        e[2 * last + 1] = e[2 * last - 1]
        last -= 1
    e[2 * at] = found
    e[2 * at + 1] = room
    place = size * room
    j[place] = game.hash
    j[place + 1] = game.other_hash
    j[place + 2] = game.seed
    j[place + 3] = parent
    j[place + 4] = first
    for n in range(WIDTH):
        j[place + CHILD + n] = m[move + n]
    return kept + 1


def note(o: Longs, found: int, best: int, first: int, end: int) -> int:
    """Mark a first move that leads to the best; gives the best."""
    if found > best:
        for move in range(end):
            o[move] = 0
    if found >= best:
        o[first] = 1
        return found
    return best


def stand(
    game: GameMemory, m: Ints, i: Longs, line: int, moves: int, end: int,
    word: int, other: int, seed: int,
) -> None:  # fmt: skip
    """Play so many moves of a line, from the state where it begins, which has those hashes and that seed."""
    undo(game, 0)
    game.hash = word
    game.other_hash = other
    game.seed = seed
    for ply in range(moves):
        for n in range(WIDTH):
            m[end + n] = i[line + FIRST_MOVE + ply * WIDTH + n]
        apply(game, m, end)


def by_beam(
    game: GameMemory, m: Ints, c: Ints, o: Longs, i: Longs, j: Longs, e: Longs,
    end: int, width: int,
) -> None:  # fmt: skip
    """Mark the moves that lead to the best of the states after PLIES moves, of each ply only so many kept, and of the ends."""
    best = LEAST
    root_word = game.hash
    root_other = game.other_hash
    root_seed = game.seed
    size = FIRST_MOVE + PLIES * WIDTH
    states = 1
    here = 0
    for ply in range(PLIES):
        kept = 0
        for number in range(states):
            line = (here + number) * size
            stand(game, m, i, line, ply, end, root_word, root_other, root_seed)
            mark = game.trail_length
            word = game.hash
            other = game.other_hash
            seed = game.seed
            first = i[line]
            last = legal(game, m, end)
            if last == end:
                best = note(o, worth(game, c), best, first, end)
            move = end
            while move < last:
                if ply == 0:
                    first = move - end
                apply(game, m, move)
                found = worth(game, c)
                if game.point < 0:
                    best = note(o, found, best, first, end)
                else:
                    kept = keep(game, m, e, j, kept, width, found, here + number, move, first)
                undo(game, mark)
                game.hash = word
                game.other_hash = other
                game.seed = seed
                move += WIDTH
        there = width - here
        for number in range(kept):
            place = (CHILD + WIDTH) * e[2 * number + 1]
            line = (there + number) * size
            parent = j[place + 3] * size
            i[line] = j[place + 4]
            for n in range(ply * WIDTH):
                i[line + FIRST_MOVE + n] = i[parent + FIRST_MOVE + n]
            for n in range(WIDTH):
                i[line + FIRST_MOVE + ply * WIDTH + n] = j[place + CHILD + n]
        states = kept
        here = there
        if game.fault != 0:
            states = 0
    for number in range(states):
        best = note(o, e[2 * number], best, i[(here + number) * size], end)
    stand(game, m, i, 0, 0, end, root_word, root_other, root_seed)


def chosen(o: Longs, end: int, luck: int) -> int:
    """One of the marked moves by chance."""
    marked = 0
    move = 0
    while move < end:
        marked += o[move]
        move += WIDTH
    left = remainder(luck, marked)
    move = 0
    while move < end:
        if o[move] == 1:
            if left == 0:
                return move
            left -= 1
        move += WIDTH
    return 0


def play(
    game: GameMemory, m: Ints, c: Ints, o: Longs, a: Ints, i: Longs, j: Longs, e: Longs,
    seed: int, policy: int, number: int, longest: int, moves: int,
) -> int:  # fmt: skip
    """Play one game; gives how many moves it had, UNFINISHED or FAULTED. `moves` is where marks have room in `o`."""
    size = c[SIZE]
    for slot in range(size):
        game.state[slot] = a[slot]
    game.seed = seed
    game.trail_length = 0
    game.fault = 0
    game.hash = 0
    game.other_hash = 0
    if c[FRESH] == 1:
        begin(game)
        game.trail_length = 0
    chance = mixed(seed)
    for length in range(longest + 1):
        if game.fault != 0:
            return FAULTED
        if game.point < 0:
            return length
        end = legal(game, m, 0)
        if game.fault != 0 or end > moves:
            return FAULTED
        if end == 0:
            return UNFINISHED
        chance = wrap(chance + STEP)
        luck = mixed(chance)
        move = 0
        if policy == RANDOM:
            move = remainder(luck, end // WIDTH) * WIDTH
        else:
            if policy == SEARCH:
                by_search(game, m, c, o, end, number)
            else:
                for at in range(end):
                    o[at] = 0
                by_beam(game, m, c, o, i, j, e, end, number)
            if game.fault != 0:
                return FAULTED
            move = chosen(o, end, luck)
        apply(game, m, move)
        game.trail_length = 0
    return UNFINISHED


def games(
    game: GameMemory, m: Ints, c: Ints, o: Longs, a: Ints, i: Longs, j: Longs, e: Longs,
    b: Longs, first: int, count: int, policy: int, number: int, longest: int, moves: int,
) -> int:  # fmt: skip
    """Play games with seeds from `b`; writes behind each how many moves the game had and what it came to."""
    for one in range(first, first + count):
        length = play(game, m, c, o, a, i, j, e, b[3 * one], policy, number, longest, moves)
        b[3 * one + 1] = length
        if length >= 0:
            b[3 * one + 2] = value(game)
    return count
