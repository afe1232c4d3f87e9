"""Counting lines of play depth-first: moves are undone, and those of the last length are listed but not made."""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, legal
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs
from rulewright.subset.records import Record, Run


class Frame(Record, memory="stack"):
    """A state on the way from the root: its moves lie from `next` (those before are done) to `end`; `turns` were counted."""

    next: int
    end: int
    turns: int
    trail: int
    hash: int
    other_hash: int
    seed: int


class LineCount(Bundle):
    """A count in progress of lines with at most `length` moves, or turns if `in_turns`; `counts` has their numbers by length.

    `depth` counts the frames, `states` those visited; `has_drawn` is 1 once a move has drawn by chance.
    """

    game: GameMemory
    moves: Ints
    stack: Longs
    counts: Longs
    count_words: Longs
    deepest: int
    length: int = entry("count_words")
    in_turns: int = entry("count_words")
    first_turn: int = entry("count_words")
    depth: int = entry("count_words")
    states: int = entry("count_words")
    state_limit: int = entry("count_words")
    has_drawn: int = entry("count_words")
    frames: Run[Frame] = start_of("stack")


def begin_count(count: LineCount) -> int:
    """Visit the root, the state of the game; returns a `SearchEnd`."""
    count.depth = 0
    count.first_turn = count.game.counted
    return visit(count)


def visit(count: LineCount) -> int:
    """List the moves of the state of the game, and push a frame unless they are the last of their lines."""
    game = count.game
    count.states += 1
    if game.point < 0:
        return SearchEnd.PAUSED
    first = 0
    if count.depth > 0:
        first = count.frames[count.depth - 1].end
    end = legal(game, count.moves, first)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if count.in_turns == 0:
        length = count.depth + 1
        count.counts[length] += (end - first) // WIDTH
        if length == count.length:
            return SearchEnd.PAUSED
    if end == first:
        return SearchEnd.PAUSED
    if count.depth == count.deepest:
        return SearchEnd.TOO_DEEP
    frame = count.frames[count.depth]
    frame.next = first
    frame.end = end
    frame.turns = game.counted
    frame.trail = game.trail_length
    frame.hash = game.hash
    frame.other_hash = game.other_hash
    frame.seed = game.seed
    count.depth += 1
    return SearchEnd.PAUSED


def go_on(count: LineCount) -> int:
    """Make the next move of the top frame, or pop the frame after its last."""
    game = count.game
    frame = count.frames[count.depth - 1]
    if frame.next == frame.end:
        count.depth -= 1
        return SearchEnd.PAUSED
    undo_to(game, frame.trail, frame.hash, frame.other_hash, frame.seed)
    move = frame.next
    frame.next += WIDTH
    apply(game, count.moves, move)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if game.seed != frame.seed:
        count.has_drawn = 1
    if count.in_turns == 1:
        turn = frame.turns
        while turn < game.counted:
            turn += 1
            count.counts[turn - count.first_turn] += 1
    return visit(count)


def count_lines(count: LineCount) -> int:
    """Continue until all lines are counted, or the limit is reached; returns a `SearchEnd`."""
    while count.states < count.state_limit:
        if count.depth == 0:
            return SearchEnd.DONE
        end: int = go_on(count)
        if end != SearchEnd.PAUSED:
            return end
    return SearchEnd.PAUSED
