"""The numbers of moves as ground actions, by which a search tells which of them commute."""

from __future__ import annotations

from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints
from rulewright.subset.records import Record, Run

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
