"""Which of the legal moves of a state are tried: a stubborn set of them (rules/analysis/stubborn_sets.py)."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.kernel.ground_numbers import NONE, GroundNumbers, ground_number
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import In, Record, Run

MANY = 1 << 30
"""Stands for more actions than there are."""

Scratch = Annotated[Run[int], In("scratch_words")]


class Needed(Record, memory="stubborn_words"):
    """The values of a slot that an action or the goal needs, marked by 1, and the ground actions that write it."""

    slot: int
    is_allowed: Run[int]
    writer_count: int
    writers: Run[int]


class Ground(Record, memory="stubborn_words"):
    """A ground action: what it needs, and the actions that interfere with it."""

    need_count: int
    needs: Run[Needed]
    clash_count: int
    clashes: Run[int]


class StubbornSets(Bundle):
    """Ground actions by number, none if there are no `numbers`. If `commutes`, those of each plan all commute.

    Of the state looked at last: `number_at` is that of each legal move, `is_legal` and `is_chosen` mark ground actions, and
    `pending` is a stack of chosen ones.
    """

    stubborn_words: Ints
    scratch_words: Ints
    numbers: GroundNumbers
    commutes: int = entry("stubborn_words")
    goal_count: int = entry("stubborn_words")
    goals: Run[Needed] = entry("stubborn_words")
    ground: Run[Ground] = entry("stubborn_words")
    number_at: Scratch = entry("stubborn_words")
    is_legal: Scratch = entry("stubborn_words")
    is_chosen: Scratch = entry("stubborn_words")
    pending: Scratch = entry("stubborn_words")


def keep_tried(sets: StubbornSets, game: GameMemory, moves: Ints, first: int, end: int, width: int) -> int:
    """Of the legal moves from `first` to `end`, each of `width` words, keep those that are tried; returns where they end."""
    if sets.numbers.ground_count == 0 or not choose_moves(sets, game, moves, first, end, width):
        return end
    kept = first
    for place in range((end - first) // width):
        at = first + place * width
        number = sets.number_at[place]
        if number == NONE or sets.is_chosen[number] == 1:
            for word in range(width):
                moves[kept + word] = moves[at + word]
            kept += width
    return kept


def choose_moves(sets: StubbornSets, game: GameMemory, moves: Ints, first: int, end: int, width: int) -> bool:
    """Mark the ground actions to try of the legal moves from `first` to `end`; False if all are."""
    for number in range(sets.numbers.ground_count):
        sets.is_legal[number] = 0
        sets.is_chosen[number] = 0
    at = first
    place = 0
    while at < end:
        number = ground_number(sets.numbers, moves, at)
        sets.number_at[place] = number
        if number != NONE:
            sets.is_legal[number] = 1
        at += width
        place += 1
    least = MANY
    best = 0
    for number in range(sets.goal_count):
        goal = sets.goals[number]
        if goal.is_allowed[game.state[goal.slot]] == 0:
            count = 0
            for writer in goal.writers[: goal.writer_count]:
                count += sets.is_legal[writer]
            if count < least:
                least = count
                best = number
    if least == MANY:
        return False
    count = add_writers(sets, sets.goals[best], 0)
    if sets.commutes == 0:
        while count > 0:
            count -= 1
            number = sets.pending[count]
            ground = sets.ground[number]
            if sets.is_legal[number] == 1:
                for other in ground.clashes[: ground.clash_count]:
                    if sets.is_chosen[other] == 0:
                        sets.is_chosen[other] = 1
                        sets.pending[count] = other
                        count += 1
                continue
            is_found = 0
            for need in ground.needs[: ground.need_count]:
                if is_found == 0 and need.is_allowed[game.state[need.slot]] == 0:
                    count = add_writers(sets, need, count)
                    is_found = 1
            if is_found == 0:
                return False
    return True


def add_writers(sets: StubbornSets, needed: Needed, count: int) -> int:
    """Mark the ground actions that write a slot, with those not yet marked on the stack; returns its height."""
    for writer in needed.writers[: needed.writer_count]:
        if sets.is_chosen[writer] == 0:
            sets.is_chosen[writer] = 1
            sets.pending[count] = writer
            count += 1
    return count
