"""The reports of a worker process, each time it knows more."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from rulewright.base.records import frozen
from rulewright.rules.model.moves import Move

from .job import ModelKind


class WorkerStatus(StrEnum):
    """How a worker ended: a status of OR-Tools, or why it did not get that far."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"
    MODEL_INVALID = "model_invalid"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too large"
    MEMORY = "memory"
    DIED = "died"


@frozen
class Report:
    """The best value so far and its plan, an upper bound and the number of variables; None if not known.

    The last report of a worker has its status. Greater values are better; the final board has no plans. `is_of_sets`: the
    model has plans as sets of actions. `count`: the number of sets; `is_forced`: each has only one order. `refuted`: a value
    proved twice to be out of reach.
    """

    value: int | None = None
    plan: tuple[Move, ...] | None = None
    bound: int | None = None
    variables: int | None = None
    status: WorkerStatus | None = None
    message: str = ""
    is_of_sets: bool = False
    count: int | None = None
    is_forced: bool = False
    refuted: int | None = None

    def followed_by(self, later: Report) -> Report:
        """The two reports combined: the later value and plan, the lower bound."""
        bounds = [bound for bound in (self.bound, later.bound) if bound is not None]
        return Report(
            self.value if later.value is None else later.value,
            self.plan if later.plan is None else later.plan,
            min(bounds, default=None),
            self.variables if later.variables is None else later.variables,
            later.status or self.status,
            later.message or self.message,
            later.is_of_sets or self.is_of_sets,
            self.count if later.count is None else later.count,
            later.is_forced or self.is_forced,
            self.refuted if later.refuted is None else later.refuted,
        )

    @property
    def ending(self) -> str:
        """The status with its message."""
        return ": ".join(filter(None, (self.status, self.message)))


def told(endings: Mapping[ModelKind, Report]) -> tuple[str, ...]:
    """Remarks on how models ended, one for all that ended alike, in the order in which they are tried."""
    kinds: dict[str, list[str]] = {}
    for kind in ModelKind:
        if kind in endings and endings[kind].message:
            kinds.setdefault(endings[kind].ending, []).append(kind.value)
    return tuple(f"CP-SAT, {', '.join(alike)}: {ending}" for ending, alike in kinds.items())
