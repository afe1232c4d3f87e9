"""The answer of the solver."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from rulewright.base.records import frozen
from rulewright.rules.model.moves import Move

NO_COMPILER = "llvmlite is not installed: the search goes on in plain Python, where machine code would be many times as fast"
"""A remark."""


class Status(Enum):
    """`OPTIMAL` and `IMPOSSIBLE` are proved; `FEASIBLE` has a plan and a bound; `UNKNOWN` has neither."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@frozen
class Expectation:
    """What is to be expected of the best play, and of each move that may come first, the best one first."""

    value: Fraction
    first: tuple[tuple[Move, Fraction], ...]


@frozen
class Result:
    """`score` is that of `plan`; no plan does better than `bound` (None: no bound is known). Times are in seconds.

    `proof` says what a proof rests on: `search` (exhausted), `search+cpsat` (and CP-SAT gives the same bound) or
    `cpsat+refuted` (CP-SAT twice, the second time for more, with other parameters). `remarks` say what an engine could not do.
    States that so many `automorphisms` of the spaces map to each other were looked at once.
    Of a question in expectation the `plan` goes as far as chance decides nothing, and there is no `score`.
    """

    status: Status
    score: int | None
    bound: int | None
    plan: tuple[Move, ...]
    states: int
    seconds: float
    proof: str = ""
    remarks: tuple[str, ...] = ()
    expectation: Expectation | None = None
    automorphisms: int = 0

    @property
    def value(self) -> int | Fraction | None:
        """The number that answers the question: the score of the plan, or what is to be expected."""
        if self.expectation is None:
            return self.score
        value = self.expectation.value
        return value if value.denominator > 1 else value.numerator
