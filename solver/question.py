"""What is asked of a position, and what is answered."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from ..grammar.scenarios import Goal
from ..rules.engine import Move
from ..rules.terms import Term


@frozen
class Question:
    """Maximise, minimise or reach `threshold` with the sum of the values, at the end of the engine's horizon."""

    goal: Goal
    values: tuple[Term, ...]
    threshold: int = 0


class Status(Enum):
    """`OPTIMAL` and `IMPOSSIBLE` are proved; `FEASIBLE` has a plan and a bound; `UNKNOWN` has neither."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@frozen
class Result:
    """`score` is that of `plan`; no plan does better than `bound` (None: no bound is known). Times are in seconds."""

    status: Status
    score: int | None
    bound: int | None
    plan: tuple[Move, ...]
    states: int
    seconds: float
    proof: str = ""
