"""Whether adjacent actions of recorded plans commute, if the states of an orbit were recorded as one.

A recorded move leads to the orbit of its child, whose representative may be another state. The result of two successive moves
is therefore found by making them. What holds at an orbit's representative holds at its other states, with mapped moves.
"""

from __future__ import annotations

from enum import IntFlag

from rulewright.solver.kernel.game_interface import WIDTH, apply, legal, value
from rulewright.solver.kernel.packed_states import load_state
from rulewright.solver.shortest.kernels.best_first import BestFirst, number_at, place_in
from rulewright.subset.intrinsics import Ints

from .plan_recording import Mark, PlanRecording, child_cost


class Neighbours(IntFlag):
    """How adjacent actions of plans behave: some pairs commute, some do not; ALL also at an error of the rules."""

    COMMUTE = 1
    DO_NOT = 2
    ALL = 3


def is_listed(moves: Ints, move: int, first: int, end: int) -> int:
    """Whether the move at index `move` is among those from `first` to `end`."""
    at = first
    while at < end:
        same = 1
        for word in range(WIDTH):
            if moves[at + word] != moves[move + word]:
                same = 0
        if same == 1:
            return 1
        at += WIDTH
    return 0


def make(search: BestFirst, number: int, move: int) -> None:
    """Make a move in a state of the pool."""
    load_state(search.pool, search.game, number)
    apply(search.game, search.moves, move)


def mark_of(recording: PlanRecording, cost: int) -> int:
    """The mark of the state of the game, if it was reached at its least cost."""
    search = recording.search
    number = number_at(search, place_in(search))
    if number < 0 or search.costs[number] != cost:
        return Mark.NONE
    return recording.marks[number]


def commute(recording: PlanRecording, number: int, one: int, other: int, end: int, last: int) -> int:
    """Whether the two moves that led from a state of the pool to the state of the game lead there in the other order too."""
    search = recording.search
    game = search.game
    hash = game.hash
    other_hash = game.other_hash
    if is_listed(search.moves, other, one, one + WIDTH) == 1 or is_listed(search.moves, other, 0, end) == 0:
        return 0
    make(search, number, other)
    if game.point < 0:
        return 0
    if recording.at_end == 0 and value(game) & 1 == 1:
        return 0
    top = legal(game, search.moves, last)
    if is_listed(search.moves, one, last, top) == 0:
        return 0
    apply(game, search.moves, one)
    if game.hash == hash and game.other_hash == other_hash:
        return 1
    return 0


def behind(recording: PlanRecording, number: int, one: int, end: int, cost: int) -> int:
    """`Neighbours` for a move `one` from a state of the pool and its successors; the game is in the state between the two."""
    search = recording.search
    game = search.game
    counted = game.counted
    last = legal(game, search.moves, end)
    found = 0
    other = end
    while other < last and found != Neighbours.ALL:
        make(search, number, one)
        apply(game, search.moves, other)
        if mark_of(recording, child_cost(recording, cost, counted)) != Mark.NONE:
            if commute(recording, number, one, other, end, last) == 1:
                found |= Neighbours.COMMUTE
            else:
                found |= Neighbours.DO_NOT
        other += WIDTH
    return found


def neighbours(recording: PlanRecording) -> int:
    """`Neighbours` of all plans, once `keep_useful` has left the moves that lead to a goal."""
    search = recording.search
    game = search.game
    found = 0
    at = 0
    while at < recording.edge_count and found != Neighbours.ALL:
        number = recording.edge[at].parent
        end = 0
        while at < recording.edge_count and recording.edge[at].parent == number:
            for word in range(WIDTH):
                search.moves[end + word] = recording.edge[at].move[word]
            end += WIDTH
            at += 1
        one = 0
        while one < end and found != Neighbours.ALL:
            load_state(search.pool, game, number)
            counted = game.counted
            apply(game, search.moves, one)
            cost = child_cost(recording, search.costs[number], counted)
            if mark_of(recording, cost) == Mark.USEFUL:
                found |= behind(recording, number, one, end, cost)
            one += WIDTH
        if game.fault != 0:
            return Neighbours.ALL
    return found
