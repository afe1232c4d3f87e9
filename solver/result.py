"""The answer of the solver."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from rulewright.base.records import frozen
from rulewright.rules.model.moves import Move

NO_COMPILER = "llvmlite is not installed, so the search runs in plain Python, many times slower than machine code"
"""A remark of a result."""

NO_ROOM = "memory limit reached: raise it with `--memory`"
"""A remark: a search in order of cost cannot go on."""


class Status(Enum):
    """`OPTIMAL` and `IMPOSSIBLE` are proved; `FEASIBLE` has a plan and a bound; `UNKNOWN` has neither."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@frozen
class CountedPlans:
    """How many sets of actions are best plans, and some of them, each in one order; `is_forced`: there is no other order."""

    number: int
    plans: tuple[tuple[Move, ...], ...]
    is_forced: bool = False


@frozen
class Expectation:
    """The expected value of best play, and that of each first move, best first."""

    value: Fraction
    first: tuple[tuple[Move, Fraction], ...]


@frozen
class Result:
    """`score` is the score of `plan`; no plan does better than `bound` (None: no bound is known). Times are in seconds.

    `proof` names the basis of a proof: `search` (exhausted), `cpsat`, `states` (all were listed), `search+cpsat` or
    `search+states` (both give the same), or `cpsat+refuted` (two CP-SAT runs: the second refutes anything better, with other
    parameters). `remarks` say what an engine could not do. `automorphisms` counts the symmetries of the spaces by which states
    were identified. `comparisons` is how often secret hashes of 64 bits were compared in place of states; `is_about`: the
    number of states differs from run to run.
    The optimal plans are `counted` where CP-SAT did so with its answer. In expectation, `plan` ends where chance first decides
    something, and there is no `score`.
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
    counted: CountedPlans | None = None
    comparisons: int = 0
    is_about: bool = False

    @property
    def proved_up_to(self) -> float | None:
        """An upper bound on the probability, over the keys of the hashes, that the proof takes two states for one: 0 if it
        compares whole states, or if CP-SAT proves the same. None without a proof."""
        if not self.proof:
            return None
        return self.comparisons / 2**64 if self.proof == "search" else 0.0

    @property
    def value(self) -> int | Fraction | None:
        """The number that answers the question: the score of the plan, or the expected value."""
        if self.expectation is None:
            return self.score
        value = self.expectation.value
        return value if value.denominator > 1 else value.numerator
