"""The job of a worker process: a question about a position, the model of it to solve, and the limits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from queue import Empty, Queue
from typing import Any

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import MOST_VARIABLES
from rulewright.workers.child_process import Child

MEMORY_MIB = 4096
"""Most memory of a process, in MiB, unless the job says otherwise."""

ANY_PLAN = -(10**9)
"""A value that every plan exceeds; costs count as negative."""

REFUTING = {"linearization_level": 1, "subsolvers": ["default_lp", "quick_restart"], "num_workers": 2}
"""Parameters that differ from those of the first proof, for an independent second one."""

SECOND_SEED = 77
"""Code that the second proof is seeded with: any other than that of the first."""

EARLY = "--early"
"""Tells a worker to import OR-Tools at once, while its job is being completed."""


class ModelKind(Enum):
    """`ORDER_FREE` models plans as sets of actions, `ROUNDS` as the tiles laid in each round, `UNROLLED` as whole plays;
    `STATES` needs no model.

    `SHORTEST` models plans of a limited number of moves; `FINAL_BOARD` the last board alone, which only gives a bound. They are
    tried in this order. The values say in remarks what is modelled.
    """

    ORDER_FREE = "plans as sets"
    ROUNDS = "plans as rounds"
    FINAL_BOARD = "the final board"
    STATES = "all states listed"
    SHORTEST = "plans of a number of moves"
    UNROLLED = "whole plays"


@frozen
class Job:
    """A model to maximise within a time limit, in seconds; greater values are better.

    `best` is the value of a plan known before, `ceiling` an upper bound proved before. Given a `floor`, the job only asks
    whether that value can be reached. `counts`: also count the sets of actions that reach that value, or the best one, and
    report `told` of them. `proves_twice`: refute values beyond the bound in a second run. `niceness` (0 to 19) lowers the
    priority of the process. `parameters` are those of OR-Tools.
    """

    kind: ModelKind
    engine: Engine
    root: State
    question: Question
    seconds: float
    best: int | None = None
    floor: int | None = None
    ceiling: int | None = None
    workers: int = 1
    seed: int = 1
    parameters: Mapping[str, Any] = field(factory=dict)
    memory_mib: int = MEMORY_MIB
    most_variables: int = MOST_VARIABLES
    niceness: int = 0
    counts: bool = False
    told: int = 0
    proves_twice: bool = False


def refutation(job: Job, floor: int) -> Job:
    """The job of proving again, with other parameters, that a value cannot be reached."""
    return evolve(job, floor=floor, workers=1, seed=SECOND_SEED, parameters=REFUTING, proves_twice=False)


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
        fields, empty = Report.__attrs_attrs__, Report()
        said = {each.name: value for each in fields if (value := getattr(later, each.name)) != getattr(empty, each.name)}
        return evolve(self, **{**said, "bound": min(bounds, default=None)})

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


@define
class WorkerProcess:
    """A worker at its job, as a context manager that kills the process at exit.

    `completed` completes the job while the process starts and imports OR-Tools.
    """

    job: Job
    completed: Callable[[Job], Job] | None = None
    _child: Child | None = None
    _reports: Queue[Report] = field(factory=Queue)

    def __enter__(self) -> WorkerProcess:
        self._child = child = Child.of("rulewright.solver.cpsat.process.worker", *([EARLY] if self.completed else []))
        try:
            job = self.completed(self.job) if self.completed else self.job
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self._converse, args=(child, job), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        assert self._child is not None
        self._child.end()

    def _converse(self, child: Child, job: Job) -> None:
        """Send the job and queue the reports. The input stays open: the worker ends when it is closed."""
        report = Report()
        try:
            child.send(job)
            while True:
                report = child.hear()
                self._reports.put(report)
        except EOFError:
            if report.status is None:
                self._reports.put(Report(status=WorkerStatus.DIED))

    def report(self, seconds: float = 0) -> Report | None:
        """The next report; None if there is none within `seconds`."""
        try:
            return self._reports.get(timeout=seconds) if seconds > 0 else self._reports.get_nowait()
        except Empty:
            return None
