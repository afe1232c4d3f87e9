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

LEGAL, CHOSEN = 1, 2
"""Codes of ground actions, 0 for the others; those chosen are tried."""


class Needed(Record, memory="stubborn_words"):
    """The values of a slot that the goal needs, marked by 1, and the ground actions that write it."""

    slot: int
    is_allowed: Run[int]
    writer_count: int
    writers: Run[int]


class StubbornSets(Bundle):
    """Ground actions by number, none if there are no `numbers`; `marks` are those in the state looked at last."""

    stubborn_words: Ints
    scratch_words: Ints
    numbers: GroundNumbers
    goal_count: int = entry("stubborn_words")
    goals: Run[Needed] = entry("stubborn_words")
    marks: Annotated[Run[int], In("scratch_words")] = entry("stubborn_words")


def keep_tried(sets: StubbornSets, game: GameMemory, moves: Ints, first: int, end: int, width: int) -> int:
    """Of the legal moves from `first` to `end`, each of `width` words, keep those that are tried; returns where they end."""
    for number in range(sets.numbers.ground_count):
        sets.marks[number] = 0
    at = first
    while at < end:
        number = ground_number(sets.numbers, moves, at)
        if number != NONE:
            sets.marks[number] = LEGAL
        at += width
    if not choose_writers(sets, game):
        return end
    kept = first
    at = first
    while at < end:
        number = ground_number(sets.numbers, moves, at)
        if number == NONE or sets.marks[number] == CHOSEN:
            for word in range(width):
                moves[kept + word] = moves[at + word]
            kept += width
        at += width
    return kept


def choose_writers(sets: StubbornSets, game: GameMemory) -> bool:
    """Choose the actions that write a slot which is not as the goal needs it, one that the fewest legal ones write; False if
    there is none."""
    least = MANY
    best = 0
    for number in range(sets.goal_count):
        goal = sets.goals[number]
        if goal.is_allowed[game.state[goal.slot]] == 0:
            count = 0
            for writer in goal.writers[: goal.writer_count]:
                count += sets.marks[writer]
            if count < least:
                least = count
                best = number
    if least == MANY:
        return False
    goal = sets.goals[best]
    for writer in goal.writers[: goal.writer_count]:
        sets.marks[writer] = CHOSEN
    return True
