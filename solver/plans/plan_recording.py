"""All plans worth a goal, as the moves between states: states are expanded in order of cost, each once, and every move is
recorded. A backward pass then keeps the moves from which a goal is reachable.

A plan of least cost reaches each of its states at the least cost, so no other moves matter. With `at_end`, all costs are equal,
all states are expanded, and a goal is an end of the game with sufficient value.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from rulewright.rules.machine.runtime import undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, legal, value
from rulewright.solver.kernel.packed_states import NUMBER, load_state
from rulewright.solver.shortest.kernels.best_first import (
    COST_SHIFT,
    BestFirst,
    cost_of_child,
    dequeue,
    enqueue,
    insert,
    number_at,
    place_in,
    store_and_queue,
)
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs
from rulewright.subset.records import Record, Run, Stride, inline


class Mark(IntEnum):
    """The mark of a state: at a goal the plan ends; from a useful state a goal is reachable."""

    NONE = 0
    GOAL = 1
    USEFUL = 2


class Edge(Record, memory="edges"):
    """A move between two states of the pool, and the cost at which it was made."""

    parent: int
    child: int
    cost: int
    move: Run[int] = inline()


class PlanRecording(Bundle):
    """A recording in progress. `goal` is the least cost or, with `at_end`, the value that an end must have, times `sign`.
    `edge_room` is the number of moves that fit; `marks` has a mark for each state."""

    search: BestFirst
    edges: Ints
    marks: Ints
    recording_words: Longs
    edge_room: int
    at_end: int
    sign: int
    goal: int
    edge_count: int = entry("recording_words")
    edge: Annotated[Run[Edge], Stride("WIDTH", plus=3)] = start_of("edges")


def record(recording: PlanRecording, parent: int, move: int, cost: int) -> None:
    """Record a move from a parent to the state of the game, unless no plan worth the goal can use it."""
    search = recording.search
    game = search.game
    mark = 0
    if recording.at_end == 0:
        if cost > recording.goal:
            return
        mark = value(game) & 1
    if game.point < 0 and mark == 0:
        if recording.at_end == 0 or recording.sign * value(game) < recording.goal:
            return
        mark = Mark.GOAL
    place = place_in(search)
    number = number_at(search, place)
    if number < 0:
        number = search.state_count
        search.state_count += 1
        search.estimates[number] = 0
        store_and_queue(search, number, parent, cost)
        insert(search, place, number)
        recording.marks[number] = mark
    elif search.costs[number] < cost:
        return
    elif search.costs[number] > cost:
        store_and_queue(search, number, parent, cost)
        insert(search, place, number)
    edge = recording.edge[recording.edge_count]
    recording.edge_count += 1
    edge.parent = parent
    edge.child = number
    edge.cost = cost
    for word in range(WIDTH):
        edge.move[word] = search.moves[move + word]


def child_cost(recording: PlanRecording, cost: int, counted: int) -> int:
    """The cost of the state of the game after a move from a state with this `cost` and count of the horizon."""
    return 0 if recording.at_end == 1 else cost_of_child(recording.search, cost, counted)


def record_moves(recording: PlanRecording, number: int, cost: int) -> int:
    """Record the moves from a state of the pool. Returns FULL, with no change, if there is no room for them."""
    search = recording.search
    game = search.game
    load_state(search.pool, game, number)
    hash = game.hash
    other_hash = game.other_hash
    seed = game.seed
    counted = game.counted
    end = legal(game, search.moves, 0)
    if game.fault != 0:
        return SearchEnd.FAULTED
    if search.state_count + end > search.room or search.queued + end > search.room:
        return SearchEnd.FULL
    if recording.edge_count + end > recording.edge_room:
        return SearchEnd.FULL
    move = 0
    while move < end:
        apply(game, search.moves, move)
        if game.fault != 0:
            return SearchEnd.FAULTED
        record(recording, number, move, child_cost(recording, cost, counted))
        if game.fault != 0:
            return SearchEnd.FAULTED
        undo_to(game, 0, hash, other_hash, seed)
        move += WIDTH
    return SearchEnd.PAUSED


def record_plans(recording: PlanRecording) -> int:
    """Continue until every plan is recorded; returns a `SearchEnd`."""
    search = recording.search
    while search.queued > 0:
        word = search.queue[0]
        search.cost = word >> COST_SHIFT
        number = word & NUMBER
        if recording.at_end == 0 and search.cost + search.least_step > recording.goal:
            return SearchEnd.DONE
        if search.expanded >= search.expansion_limit:
            return SearchEnd.PAUSED
        dequeue(search)
        if search.costs[number] == search.cost and recording.marks[number] == 0:
            end = record_moves(recording, number, search.cost)
            if end == SearchEnd.FULL:
                enqueue(search, word)
            if end != SearchEnd.PAUSED:
                return end
            search.expanded += 1
    return SearchEnd.DONE


def keep_useful(recording: PlanRecording) -> int:
    """Mark the states from which a goal is reachable, and move the edges between them to the front, in order; returns how
    many."""
    search = recording.search
    is_new = 1
    while is_new == 1:
        is_new = 0
        at = recording.edge_count - 1
        while at >= 0:
            edge = recording.edge[at]
            known = recording.marks[edge.parent] == 0 and recording.marks[edge.child] != 0
            if known and edge.cost == search.costs[edge.child]:
                recording.marks[edge.parent] = Mark.USEFUL
                is_new = 1
            at -= 1
    count = 0
    for at in range(recording.edge_count):
        edge = recording.edge[at]
        if recording.marks[edge.child] != 0 and edge.cost == search.costs[edge.child]:
            kept = recording.edge[count]
            count += 1
            kept.parent = edge.parent
            kept.child = edge.child
            for word in range(WIDTH):
                kept.move[word] = edge.move[word]
    recording.edge_count = count
    return count
