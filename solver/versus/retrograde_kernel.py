"""Retrograde analysis: all positions that play can reach, and from which of them a side can force an end (Thompson 1986).

Positions are found breadth first, kept packed and compared whole, with the positions that the moves of each lead to. Sweeps
then decide them from the ends backward: those of the n-th sweep are n moves from an end with best play of both sides.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import GameMemory, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, chooser, legal, value
from rulewright.solver.kernel.orbits import Orbits, identify
from rulewright.solver.kernel.packed_states import NUMBER, NUMBER_BITS, PackedStates, is_kept_at, keep, load_state, pack
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, shift


class Positions(Bundle):
    """The positions met so far, and for each: whether the player who asks `is_own` to choose, where its ways begin in `after`,
    which has the number of the position that each move leads to, and a verdict. That is one more than the number of moves to an
    end with `least` or more that the player who asks can force, or the negative number for an end below 0 that the others can
    force; 0 is undecided.

    An entry of `known` is one more than the number of a position, and above that bits of its hash, of which the low ones say
    where it belongs; 0 is free. `known_count` is a power of two. There is `room` for so many positions, and `way_room` for so
    many ways.
    """

    game: GameMemory
    pool: PackedStates
    orbits: Orbits
    known: Longs
    first: Longs
    after: Ints
    is_own: Ints
    verdicts: Ints
    position_words: Longs
    moves: Ints
    known_count: int
    room: int
    way_room: int
    player: int
    sign: int
    least: int
    count: int = entry("position_words")
    ways: int = entry("position_words")
    done: int = entry("position_words")
    done_limit: int = entry("position_words")


def number_of(search: Positions) -> int:
    """The number of the state of the game, which it stores if it is new."""
    identify(search.orbits, search.game)
    pack(search.pool, search.game)
    hash = search.orbits.hash
    at = shift(hash, NUMBER_BITS) & (search.known_count - 1)
    while search.known[at] != 0:
        number = (search.known[at] & NUMBER) - 1
        if (search.known[at] ^ hash) & ~NUMBER == 0 and is_kept_at(search.pool, number):
            return number
        at = (at + 1) & (search.known_count - 1)
    number = search.count
    search.count += 1
    keep(search.pool, number)
    search.known[at] = (hash & ~NUMBER) | (number + 1)
    return number


def enter_first(search: Positions) -> int:
    """Start at the state of the game."""
    return number_of(search)


def number_kept(search: Positions) -> int:
    """The number of the state of the game among positions that were kept, without their hashes; -1 if it is not there."""
    pack(search.pool, search.game)
    for number in range(search.count):
        if is_kept_at(search.pool, number):
            return number
    return -1


def decide_end(search: Positions, number: int) -> None:
    """The verdict on the state of the game, an end."""
    worth = search.sign * value(search.game)
    if worth >= search.least:
        search.verdicts[number] = 1
    elif worth < 0:
        search.verdicts[number] = -1


def expand(search: Positions, number: int) -> int:
    """Find where the moves of a position lead; returns a `SearchEnd`."""
    game = search.game
    load_state(search.pool, game, number)
    search.first[number] = search.ways
    end = 0
    if game.point >= 0:
        end = legal(game, search.moves, 0)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if search.count + end > search.room or search.ways + end > search.way_room:
        return SearchEnd.FULL
    if end == 0:
        decide_end(search, number)
        return SearchEnd.PAUSED if game.fault == 0 else SearchEnd.FAULTED
    if chooser(game) == search.player:
        search.is_own[number] = 1
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    move = 0
    while move < end:
        apply(game, search.moves, move)
        if game.fault != 0:
            return SearchEnd.FAULTED
        search.after[search.ways] = number_of(search)
        search.ways += 1
        undo_to(game, 0, hash, other_hash, seed)
        move += WIDTH
    return SearchEnd.PAUSED


def explore(search: Positions) -> int:
    """Continue until all positions are found, or the limit is reached; returns a `SearchEnd`."""
    while search.done < search.count:
        if search.done >= search.done_limit:
            return SearchEnd.PAUSED
        end: int = expand(search, search.done)
        if end != SearchEnd.PAUSED:
            return end
        search.done += 1
        search.first[search.done] = search.ways
    return SearchEnd.DONE


def sweep(search: Positions, level: int) -> int:
    """Decide the positions that are `level` moves from an end; returns how many there are."""
    decided = 0
    for number in range(search.count):
        if search.verdicts[number] == 0:
            won = 0
            lost = 0
            for way in range(search.first[number], search.first[number + 1]):
                verdict = search.verdicts[search.after[way]]
                if verdict > 0 and verdict <= level:
                    won += 1
                elif verdict < 0 and -verdict <= level:
                    lost += 1
            ways = search.first[number + 1] - search.first[number]
            has_won = won > 0 and (search.is_own[number] == 1 or won == ways)
            has_lost = lost > 0 and (search.is_own[number] == 0 or lost == ways)
            if has_won:
                search.verdicts[number] = level + 1
                decided += 1
            elif has_lost:
                search.verdicts[number] = -level - 1
                decided += 1
    return decided


def show(search: Positions, number: int) -> int:
    """Set the game to a position, and list its moves; returns where they end."""
    load_state(search.pool, search.game, number)
    return legal(search.game, search.moves, 0) if search.game.point >= 0 else 0


def numbers_after(search: Positions, number: int) -> int:
    """Show a position that was kept, and write to `after` the numbers of the positions that its moves lead to."""
    end = show(search, number)
    move = 0
    while move < end:
        apply(search.game, search.moves, move)
        search.after[move // WIDTH] = number_kept(search)
        load_state(search.pool, search.game, number)
        move += WIDTH
    return end
