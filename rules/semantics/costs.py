"""The cost of evaluating a term: bounds on its steps, its code and its value."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import evolve, frozen

MOST_BITS = 4096
"""The most bits of a number."""

CELL_BITS = 20
"""The bits of a cell's number."""

UNROLLED = 8
"""Loops over sets of at most this many elements may be unrolled."""

MOST_UNROLLED = 2_000
"""A loop is not unrolled to more parts than this."""


@frozen
class Cost:
    """Of a term: `steps` of one evaluation, `parts` of its code, `bits` of its value, or `count` elements of `bits` bits."""

    steps: int = 1
    parts: int = 1
    bits: int = 1
    count: int = 0


CostEnv = Mapping[str, Cost]
"""Bounds of the values of bound names."""


def together(first: Cost, *more: Cost) -> Cost:
    """The sum of costs; the bounds of the value are those of the first."""
    steps, parts = sum(cost.steps for cost in more), sum(cost.parts for cost in more)
    return evolve(first, steps=first.steps + steps, parts=first.parts + parts)


def widest(*costs: Cost) -> Cost:
    """The sum of costs, with a value that may be any of theirs."""
    bits, count = max((cost.bits for cost in costs), default=1), max((cost.count for cost in costs), default=0)
    return together(Cost(bits=bits, count=count), *costs)


def unrolled(count: int, parts: int) -> int:
    """The parts of the code of a loop over `count` elements with a body of `parts` parts."""
    return count * parts if 1 < count <= UNROLLED and count * parts <= MOST_UNROLLED else parts
