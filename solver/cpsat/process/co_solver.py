"""CP-SAT beside a search: workers that are started and listened to while the search goes on, and what they have proved."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from attrs import field

from rulewright.base.records import define
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.budget import Limits

from .job import ANY_PLAN, Job, ModelKind, kinds_for
from .report import Report, WorkerStatus

if TYPE_CHECKING:
    from .client import WorkerProcess

DELAY = 1.0
"""Seconds until the first worker is started: the search answers most questions sooner."""

DELAY_BESIDE_KERNELS = 15.0
"""The same beside a search in machine code, which can use all processors itself."""

NICENESS = {ModelKind.ORDER_FREE: 5, ModelKind.FINAL_BOARD: 10, ModelKind.UNROLLED: 5}
"""Beside such a search: of processors that both want, the one gets about a tenth, the other a quarter."""

BOUNDING = {"subsolvers": ["max_lp", "core"], "num_workers": 2}
"""The subsolvers that bound a final board soonest; the default ones are an order of magnitude slower."""

REFUTING = {"linearization_level": 1, "subsolvers": ["default_lp", "quick_restart"], "num_workers": 2}
"""Parameters unlike those of the first proof, for an independent second one."""

SECOND_SEED = 77


class Disagreement(Exception):
    """Two engines contradict each other: one of them is wrong, and so is this program."""


@define
class CoSolver:
    """What the workers know, as a context manager that ends them. Values count so that more is better.

    `bound` is an upper bound, `refuted` a value that cannot be reached, proved twice.
    """

    engine: Engine
    root: State
    question: Question
    limits: Limits
    sign: int
    began: float = field(factory=time.monotonic)
    delay: float = DELAY
    bound: int | None = None
    best: int | None = None
    plan: tuple[Move, ...] | None = None
    refuted: int | None = None
    remarks: list[str] = field(factory=list)
    _kinds: list[ModelKind] = field(factory=list)
    _job: Job | None = None
    _worker: WorkerProcess | None = None
    _running: ExitStack = field(factory=ExitStack)

    def __attrs_post_init__(self) -> None:
        if self.limits.co_solver_mib:
            self._kinds = [kind for kind in kinds_for(self.engine, self.root, self.question) if kind in NICENESS]

    def __enter__(self) -> CoSolver:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def settled(self, best: int | None) -> bool:
        """Whether nothing better than the best value of the search or of a worker can be reached, by what is reported so far.

        Raises `Disagreement`.
        """
        if best is not None and (self.best is None or best > self.best):
            self.best = best
        if not self.limits.co_solver_mib:
            return False
        if self._job is None:
            if time.monotonic() - self.began < self.delay:
                return False
            if not self._kinds:
                return False
            self._start_next()
        self._listen()
        goal = self._better_value()
        if goal is None:
            return False
        if self.refuted is not None and self.refuted <= goal:
            return True
        if self._job is not None and self.bound is not None and self.bound < goal and not self._is_refuting:
            self._start(self._job.kind, floor=goal, seed=SECOND_SEED, parameters=REFUTING)
        return False

    def wait_longer(self) -> None:
        """Make room for a search that uses all processors itself; a model without time is likely to be sooner."""
        if ModelKind.ORDER_FREE not in self._kinds:
            self.delay = DELAY_BESIDE_KERNELS

    @property
    def _is_refuting(self) -> bool:
        return self._worker is not None and self._job is not None and self._job.floor is not None

    def _listen(self) -> None:
        while self._worker is not None and (report := self._worker.report()) is not None:
            if report.value is not None:
                self._add_value(report.value, report.plan)
            if report.bound is not None and not self._is_refuting:
                self.bound = report.bound if self.bound is None else min(self.bound, report.bound)
            if report.status is not None:
                self._end()
                self._go_on(report)

    def _better_value(self) -> int | None:
        """The least value that would change the answer; None if a plan has reached the threshold, or none is known."""
        if self.question.goal is Goal.REACH:
            reached = self.best is not None and self.best >= self.question.threshold
            return None if reached else self.question.threshold
        if self.best is None:
            return ANY_PLAN if self.question.goal is Goal.LEAST else None
        return self.best + 1

    def _start(self, kind: ModelKind, **more: Any) -> None:
        from .client import WorkerProcess

        self._end()
        left = self.limits.seconds - (time.monotonic() - self.began)
        if left <= 0:
            return
        niceness = NICENESS[kind] if self.delay == DELAY_BESIDE_KERNELS else 0
        memory_mib = self.limits.co_solver_mib
        self._job = Job(kind, self.engine, self.root, self.question, left, memory_mib=memory_mib, niceness=niceness, **more)
        self._worker = self._running.enter_context(WorkerProcess(self._job))

    def _start_next(self) -> None:
        """Start a worker on the next model."""
        kind = self._kinds.pop(0)
        self._start(kind, parameters=BOUNDING if kind is ModelKind.FINAL_BOARD else {})

    def _end(self) -> None:
        self._running.close()
        self._worker = None

    def _add_value(self, value: int, plan: tuple[Move, ...] | None) -> None:
        if self._is_refuting and plan is None:
            assert self._job is not None
            self.remarks.append(f"CP-SAT bounds by less than {self._job.floor} and finds {value} when asked again")
            raise Disagreement(self.remarks[-1])
        if plan is not None and (self.best is None or value > self.best):
            self.best, self.plan = value, plan

    def _go_on(self, report: Report) -> None:
        """Take the last report of a worker, and start another one where it could not model the question."""
        assert self._job is not None
        match report.status:
            case WorkerStatus.INFEASIBLE if self._job.floor is not None:
                self.refuted = self._job.floor
            case WorkerStatus.INFEASIBLE if self.question.goal is Goal.LEAST:
                self._start(self._job.kind, floor=ANY_PLAN, seed=SECOND_SEED, parameters=REFUTING)
            case WorkerStatus.UNSUPPORTED if self._kinds and self._job.floor is None:
                self._start_next()
            case WorkerStatus.UNSUPPORTED | WorkerStatus.TOO_LARGE | WorkerStatus.MEMORY | WorkerStatus.DIED:
                self.remarks.append(f"CP-SAT: {report.ending}")
            case _:
                pass
