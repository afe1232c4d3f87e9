"""What the solver answers."""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from ..rules.engine import Move


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
