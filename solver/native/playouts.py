"""Whole games by a policy, in the native subset: solver/policies.py once more, with the same chances and the same ends.

Beside the arrays of runtime.py: `a` holds the state where each game begins; `i` two layers of a beam, a line of moves for each
state, for the few moves are played again sooner than a state is copied; `j` the children kept, `e` their worths; `c` the counts
of the boards; `o` marks of moves; `b` games.
"""

from __future__ import annotations

from ...rules.native.runtime import FAULT, HASH, OTHER_HASH, POINT, SEED, STEP, TRAIL, mixed, undo
from ...rules.native.words import Ints, Longs, remainder, wrap
from ..policies import LAID_BITS, PLIES
from .calls import WIDTH, apply, begin, legal, value

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


def worth(s: Ints, g: Ints, w: Ints, x: Longs, c: Ints) -> int:
    """The value, then how many tiles lie on the boards."""
    laid = 0
    for board in range(c[BOARDS]):
        laid += s[c[FIRST_BOARD + board]]
    return (value(s, g, w, x) << LAID_BITS) + laid


def hope(s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, at: int, plies: int) -> int:
    """The most that a state can be worth so many moves on."""
    if s[POINT] < 0 or plies == 0 or x[FAULT] != 0:
        return worth(s, g, w, x, c)
    end = legal(s, g, w, x, m, at)
    if end == at:
        return worth(s, g, w, x, c)
    best = LEAST
    mark = x[TRAIL]
    seed = x[SEED]
    move = at
    while move < end:
        apply(s, g, w, x, t, r, m, move)
        best = max(best, hope(s, g, w, x, t, r, m, c, end, plies - 1))
        undo(s, x, t, mark)
        x[SEED] = seed
        move += WIDTH
    return best


def by_search(s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, o: Longs, end: int, plies: int) -> None:
    """Mark the moves with the best hope. Of equals those that do not stop."""
    best = LEAST
    mark = x[TRAIL]
    seed = x[SEED]
    move = 0
    while move < end:
        apply(s, g, w, x, t, r, m, move)
        found = 2 * hope(s, g, w, x, t, r, m, c, end, plies - 1)
        if m[move] >= 0:
            found += 1
        undo(s, x, t, mark)
        x[SEED] = seed
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


def keep(x: Longs, m: Ints, e: Longs, j: Longs, kept: int, width: int, found: int, parent: int, move: int, first: int) -> int:
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
        if j[place] == x[HASH] and j[place + 1] == x[OTHER_HASH] and j[place + 2] == x[SEED]:
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
    j[place] = x[HASH]
    j[place + 1] = x[OTHER_HASH]
    j[place + 2] = x[SEED]
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
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, i: Longs, line: int, moves: int, end: int,
    word: int, other: int, seed: int,
) -> None:  # fmt: skip
    """Play so many moves of a line, from the state where it begins, which has those hashes and that seed."""
    undo(s, x, t, 0)
    x[HASH] = word
    x[OTHER_HASH] = other
    x[SEED] = seed
    for ply in range(moves):
        for n in range(WIDTH):
            m[end + n] = i[line + FIRST_MOVE + ply * WIDTH + n]
        apply(s, g, w, x, t, r, m, end)


def by_beam(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, o: Longs, i: Longs, j: Longs, e: Longs,
    end: int, width: int,
) -> None:  # fmt: skip
    """Mark the moves that lead to the best of the states after PLIES moves, of each ply only so many kept, and of the ends."""
    best = LEAST
    root_word = x[HASH]
    root_other = x[OTHER_HASH]
    root_seed = x[SEED]
    size = FIRST_MOVE + PLIES * WIDTH
    states = 1
    here = 0
    for ply in range(PLIES):
        kept = 0
        for number in range(states):
            line = (here + number) * size
            stand(s, g, w, x, t, r, m, i, line, ply, end, root_word, root_other, root_seed)
            mark = x[TRAIL]
            word = x[HASH]
            other = x[OTHER_HASH]
            seed = x[SEED]
            first = i[line]
            last = legal(s, g, w, x, m, end)
            if last == end:
                best = note(o, worth(s, g, w, x, c), best, first, end)
            move = end
            while move < last:
                if ply == 0:
                    first = move - end
                apply(s, g, w, x, t, r, m, move)
                found = worth(s, g, w, x, c)
                if s[POINT] < 0:
                    best = note(o, found, best, first, end)
                else:
                    kept = keep(x, m, e, j, kept, width, found, here + number, move, first)
                undo(s, x, t, mark)
                x[HASH] = word
                x[OTHER_HASH] = other
                x[SEED] = seed
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
        if x[FAULT] != 0:
            states = 0
    for number in range(states):
        best = note(o, e[2 * number], best, i[(here + number) * size], end)
    stand(s, g, w, x, t, r, m, i, 0, 0, end, root_word, root_other, root_seed)


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
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, o: Longs, a: Ints, i: Longs, j: Longs, e: Longs,
    seed: int, policy: int, number: int, longest: int, moves: int,
) -> int:  # fmt: skip
    """Play one game; gives how many moves it had, UNFINISHED or FAULTED. `moves` is where marks have room in `o`."""
    size = c[SIZE]
    for slot in range(size):
        s[slot] = a[slot]
    x[SEED] = seed
    x[TRAIL] = 0
    x[FAULT] = 0
    x[HASH] = 0
    x[OTHER_HASH] = 0
    if c[FRESH] == 1:
        begin(s, g, w, x, t, r)
        x[TRAIL] = 0
    chance = mixed(seed)
    for length in range(longest + 1):
        if x[FAULT] != 0:
            return FAULTED
        if s[POINT] < 0:
            return length
        end = legal(s, g, w, x, m, 0)
        if x[FAULT] != 0 or end > moves:
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
                by_search(s, g, w, x, t, r, m, c, o, end, number)
            else:
                for at in range(end):
                    o[at] = 0
                by_beam(s, g, w, x, t, r, m, c, o, i, j, e, end, number)
            if x[FAULT] != 0:
                return FAULTED
            move = chosen(o, end, luck)
        apply(s, g, w, x, t, r, m, move)
        x[TRAIL] = 0
    return UNFINISHED


def games(
    s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs, m: Ints, c: Ints, o: Longs, a: Ints, i: Longs, j: Longs, e: Longs,
    b: Longs, first: int, count: int, policy: int, number: int, longest: int, moves: int,
) -> int:  # fmt: skip
    """Play games with seeds from `b`; writes behind each how many moves the game had and what it came to."""
    for game in range(first, first + count):
        length = play(s, g, w, x, t, r, m, c, o, a, i, j, e, b[3 * game], policy, number, longest, moves)
        b[3 * game + 1] = length
        if length >= 0:
            b[3 * game + 2] = value(s, g, w, x)
    return count
