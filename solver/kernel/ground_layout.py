"""The numbers of ground actions as the kernels read them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.moves import Move
from rulewright.subset.buffers import ints
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

from .ground_numbers import NONE, GroundNumbers, MovesOf, Span

MOST_ARGUMENTS = 1 << 16
"""Combinations of arguments in the table of the moves of an action."""


def no_numbers() -> GroundNumbers:
    """No numbers, for a search that does not look at which moves commute."""
    return GroundNumbers(ints(size_of(GroundNumbers, "number_words")))


def ground_numbers(moves: Sequence[Move], machine: MachineGame) -> GroundNumbers | None:
    """The numbers of moves, counted from 0; None if an action has too many combinations of arguments."""
    builder = TableBuilder(GroundNumbers)
    words: list[int] = []
    for action, rules in enumerate(machine.arrangement.instance.game.actions.values()):
        ground = {move[1:]: number for number, move in enumerate(moves) if move[0] == action}
        spans = [(min(values), len(range(min(values), max(values) + 1))) for values in zip(*ground, strict=True)]
        if not ground:
            spans = [(0, 0) for _ in rules.parameters]
        size = prod(length for _, length in spans)
        if size > MOST_ARGUMENTS:
            return None
        numbers = [NONE] * max(size, 1)
        for arguments, number in ground.items():
            place = 0
            for value, (low, length) in zip(arguments, spans, strict=True):
                place = place * length + value - low
            numbers[place] = number
        records = builder.add("number_words", [Span.words(low=low, size=length) for low, length in spans])
        found = builder.add("number_words", numbers)
        words += MovesOf.words(parameter_count=len(spans), spans=records, numbers=found)
    builder.put(moves_of=words, ground_count=len(moves))
    return GroundNumbers(builder.array("number_words"))
