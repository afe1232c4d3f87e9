"""Which kinds of tile markers can bring to which cells, and with how many tiles: best/bounds/movement_rules.py as a kernel.

Breadth-first search from the markers, over laid tiles and over vacant cells, each with the kinds that may be laid there (a
relaxation: a tile once laid blocks nothing later). Vacant cells without a number are contracted to one, adjacent to all that
touch any of them. Near the border (`is_near_border`) every step is possible.
"""

from __future__ import annotations

from enum import IntEnum

from .active_terms import is_numbered
from .arena import Bound

UNREACHED = 1 << 20
"""Stands for the number of tiles to a cell that no marker reaches."""


class Mark(IntEnum):
    """The mark of a board cell in a search. QUEUED: in the queue of a wave. PLACED: laid for a trial and not yet reached."""

    UNSEEN, SEEN, QUEUED, PLACED = range(4)


def clear_marks(bound: Bound) -> None:
    """Mark all laid tiles as unseen."""
    for cell in bound.lying[: bound.state[bound.lying_slot]]:
        bound.marks[cell] = Mark.UNSEEN


def reach_over_tiles(bound: Bound) -> int:
    """List in the first queue the cells that markers reach over tiles, including PLACED ones; returns how many."""
    board = bound.board
    marks = bound.marks
    queue = bound.queues[0]
    tail = queue_markers(bound)
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        leaves = bound.leaves[board[cell]]
        for direction in range(bound.direction_count):
            near = bound.steps[direction][cell]
            tile = board[near]
            if tile != 0 and (marks[near] == Mark.UNSEEN or marks[near] == Mark.PLACED):
                passable = bound.is_near_border[cell] | bound.is_near_border[near]
                if marks[near] == Mark.PLACED:
                    passable = passable | (bound.lay_kinds[direction] >> bound.kind_of[tile])
                else:
                    passable = passable | ((leaves & bound.enters[tile]) >> direction)
                if passable & 1 == 1:
                    marks[near] = Mark.QUEUED
                    queue[tail] = near
                    tail += 1
    return tail


def queue_markers(bound: Bound) -> int:
    """Put the markers' cells into the first queue, each once; returns how many."""
    tail = 0
    for slot in bound.marker_slots[: bound.marker_count]:
        cell = bound.state[slot]
        if bound.marks[cell] == Mark.UNSEEN:
            bound.marks[cell] = Mark.QUEUED
            bound.queues[0][tail] = cell
            tail += 1
    return tail


def reach_by_laying(bound: Bound, cells: int) -> None:
    """For the first `cells` numbered vacant cells, find the kinds that a marker may bring there (`kinds_there`), and the number
    of tiles needed, including that one (`travel`).

    Each wave takes one more tile. The queues of this wave and the next alternate.
    """
    ends = bound.queue_ends
    clear_marks(bound)
    for number in range(cells):
        bound.marks[bound.cell_of_number[number]] = Mark.UNSEEN
        bound.travel[number] = UNREACHED
        bound.kinds_brought[number] = 0
    ends[0] = queue_markers(bound)
    ends[1] = 0
    outside = UNREACHED
    wave = 0
    while ends[wave % 2] > 0 or outside == wave:
        if outside == wave:
            enter_from_outside(bound, cells, wave)
        queue = bound.queues[wave % 2]
        head = 0
        while head < ends[wave % 2]:
            cell = queue[head]
            head += 1
            bound.marks[cell] = Mark.SEEN
            if step_on(bound, cells, wave, cell) and outside == UNREACHED:
                outside = wave + 1
        ends[wave % 2] = 0
        wave += 1
    for number in range(cells):
        bound.kinds_there[number] = bound.kinds_brought[number]


def step_on(bound: Bound, cells: int, wave: int, cell: int) -> bool:
    """Step from a cell in all directions; returns whether a step leads to a vacant cell without a number."""
    board = bound.board
    tile = board[cell]
    leads_outside = False
    for direction in range(bound.direction_count):
        near = bound.steps[direction][cell]
        if near < bound.board_size:
            is_unrestricted = bound.is_near_border[cell] | bound.is_near_border[near]
            there = board[near]
            if there != 0:
                passable = is_unrestricted
                if (bound.enters[there] >> direction) & 1 == 1:
                    if tile != 0:
                        passable = passable | ((bound.leaves[tile] >> direction) & 1)
                    elif bound.kinds_brought[bound.number_of_cell[cell]] & bound.leave_kinds[direction] != 0:
                        passable = 1
                if passable == 1 and bound.marks[near] == Mark.UNSEEN:
                    enqueue(bound, near, wave)
            elif is_numbered(bound, near, cells):
                bring(bound, near, direction, is_unrestricted, wave + 1)
            else:
                leads_outside = True
    return leads_outside


def enqueue(bound: Bound, cell: int, wave: int) -> None:
    """Put a cell into the queue of a wave, unless it is in a queue."""
    if bound.marks[cell] != Mark.QUEUED:
        bound.marks[cell] = Mark.QUEUED
        end = bound.queue_ends[wave % 2]
        bound.queues[wave % 2][end] = cell
        bound.queue_ends[wave % 2] = end + 1


def bring(bound: Bound, cell: int, direction: int, is_unrestricted: int, wave: int) -> None:
    """Bring the kinds that may lie on a numbered cell to it in a direction; all of them if the step `is_unrestricted`."""
    number = bound.number_of_cell[cell]
    kinds = bound.kinds_there[number]
    if is_unrestricted == 0:
        kinds = kinds & bound.lay_kinds[direction]
    brought = bound.kinds_brought[number]
    if (brought | kinds) != brought:
        bound.kinds_brought[number] = brought | kinds
        bound.travel[number] = min(bound.travel[number], wave)
        enqueue(bound, cell, wave)


def enter_from_outside(bound: Bound, cells: int, wave: int) -> None:
    """Step from the vacant cells without a number to everything that touches one."""
    for cell in bound.lying[: bound.state[bound.lying_slot]]:
        for direction in range(bound.direction_count):
            origin = bound.steps[bound.opposite[direction]][cell]
            if is_outside(bound, origin, cells) and bound.marks[cell] == Mark.UNSEEN:
                is_unrestricted = bound.is_near_border[origin] | bound.is_near_border[cell]
                if (is_unrestricted | (bound.enters[bound.board[cell]] >> direction)) & 1 == 1:
                    enqueue(bound, cell, wave)
    for cell in bound.cell_of_number[:cells]:
        for direction in range(bound.direction_count):
            origin = bound.steps[bound.opposite[direction]][cell]
            if is_outside(bound, origin, cells):
                bring(bound, cell, direction, bound.is_near_border[origin] | bound.is_near_border[cell], wave + 1)


def is_outside(bound: Bound, cell: int, cells: int) -> bool:
    """Whether `cell` is a vacant board cell without a number."""
    return cell < bound.board_size and bound.board[cell] == 0 and not is_numbered(bound, cell, cells)
