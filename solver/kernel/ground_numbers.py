"""The numbers of moves as ground actions, by which a search tells which of them commute; and how they are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.model.state import Move
from rulewright.subset.buffers import ints
from rulewright.subset.bundles import Bundle, TableBuilder, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import Record, Run, size_of

NONE = -1


class Span(Record, memory="number_words"):
    """The values that a parameter has in ground actions."""

    low: int
    size: int


class MovesOf(Record, memory="number_words"):
    """The numbers of the ground actions of an action, by their arguments in mixed radix; NONE where there is none."""

    parameter_count: int
    spans: Run[Span]
    numbers: Run[int]


class GroundNumbers(Bundle):
    """Ground actions by number, none if `ground_count` is 0."""

    number_words: Ints
    ground_count: int = entry("number_words")
    moves_of: Run[MovesOf] = entry("number_words")


def ground_number(numbers: GroundNumbers, moves: Ints, at: int) -> int:
    """The number of the move at an index; NONE if it is no ground action."""
    if moves[at] < 0:
        return NONE
    known = numbers.moves_of[moves[at]]
    place = 0
    for parameter in range(known.parameter_count):
        span = known.spans[parameter]
        value = moves[at + 1 + parameter] - span.low
        if value < 0 or value >= span.size:
            return NONE
        place = place * span.size + value
    return known.numbers[place]


def is_out_of_order(numbers: GroundNumbers, moves: Ints, at: int, before: int) -> bool:
    """Whether a move has a smaller number than the action before it, which may be NONE."""
    if before == NONE:
        return False
    number = ground_number(numbers, moves, at)
    return number != NONE and number < before


MOST_ENTRIES = 1 << 16
"""The most entries of a table by the values of a variable, or by the arguments of an action."""


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
        if size > MOST_ENTRIES:
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
