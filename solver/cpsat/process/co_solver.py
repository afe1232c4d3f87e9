"""CP-SAT beside a search: starts workers, hears their reports while the search runs, and keeps what they prove."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import cached_property

from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.model.state import Move
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.kernel.run import POLL
from rulewright.solver.result import Limits

from .job import ANY_PLAN, Job, ModelKind, Report, WorkerProcess, WorkerStatus, refutation, told

DELAY = 1.0
"""Seconds before the first worker starts: the search answers most questions sooner."""

DELAY_OF_SETS = 0.1
"""Delay in seconds when actions seem to commute: the order-free model usually beats the search."""

DELAY_BESIDE_KERNELS = 15.0
"""Delay in seconds beside a search in machine code, which can use all processors itself."""

KINDS = (ModelKind.ORDER_FREE, ModelKind.FINAL_BOARD, ModelKind.UNROLLED)
"""The models that are tried, in this order."""

NICENESS = 10
"""Niceness beside a search in machine code: of contended processors it gets about a tenth. Measured: a bound with 18 tiles to
come then takes 116 s; where it gets a quarter, more than 120 s."""

BOUNDING = {"subsolvers": ["max_lp", "core"], "num_workers": 2}
"""The subsolvers that bound a final board fastest; the defaults are an order of magnitude slower."""


class Disagreement(Exception):
    """Two engines contradict each other: one of them is wrong, so this program has a bug."""


@define(eq=False)
class CoSolver(Inquiry):
    """The workers and their results, as a context manager that ends them. Values are signed.

    `bound` is an upper bound, `refuted` a value proved twice to be out of reach.
    """

    limits: Limits
    began: float = field(factory=time.monotonic)
    is_beside_kernels: bool = False
    bound: int | None = None
    best: int | None = None
    plan: tuple[Move, ...] | None = None
    refuted: int | None = None
    _kinds: list[ModelKind] | None = None
    _endings: dict[ModelKind, Report] = field(factory=dict)
    _job: Job | None = None
    _worker: WorkerProcess | None = None
    _running: ExitStack = field(factory=ExitStack)

    def __enter__(self) -> CoSolver:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def settled(self, best: int | None) -> bool:
        """Whether the reports so far show that nothing beats the best value of the search or of a worker.

        Raises `Disagreement`.
        """
        if best is not None and (self.best is None or best > self.best):
            self.best = best
        if not self.limits.co_solver_mib:
            return False
        if self._job is None and not self._start_next():
            return False
        self._listen()
        goal = self._better_value()
        if goal is None:
            return self.threshold is not None
        if self.refuted is not None and self.refuted <= goal:
            return True
        if self._job is not None and self.bound is not None and self.bound < goal and not self._is_proving_twice:
            self._start(refutation(self._job, goal))
        return False

    def wait_longer(self) -> None:
        """Delay workers for a search that uses all processors itself; not the order-free model, which is likely faster."""
        self.is_beside_kernels = True

    def outlast(self) -> None:
        """Continue after a search ran out of memory, until the question is settled, the time is up, or no model is left."""
        while not self._is_done and not self.settled(self.best):
            time.sleep(POLL)

    def spare(self) -> int:
        """Bytes of its share of memory that no worker uses, or will use."""
        if not self.limits.co_solver_mib or self._worker is not None or self.bound is not None or self._kinds_left:
            return 0
        return self.limits.co_solver_mib << 20

    @cached_property
    def _asked_since(self) -> float:
        """When the search first asked, which is when it began: preparing it does not count."""
        return time.monotonic()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What became of the models considered so far."""
        return told(self._endings)

    @property
    def _is_done(self) -> bool:
        """Whether no worker runs and none will, or the time is up."""
        is_idle = self._worker is None and (self._job is not None or self._kinds == [])
        return is_idle or not self.limits.co_solver_mib or time.monotonic() - self.began >= self.limits.seconds

    @property
    def _is_proving_twice(self) -> bool:
        """Whether a worker runs a second proof, or will by itself."""
        return self._worker is not None and self._job is not None and (self._job.floor is not None or self._job.proves_twice)

    def _listen(self) -> None:
        while self._worker is not None and (report := self._worker.report()) is not None:
            if report.value is not None:
                self._add_value(report.value, report.plan)
            if report.refuted is not None:
                self.refuted = report.refuted
            if report.bound is not None and self._job is not None and self._job.floor is None:
                self.bound = report.bound if self.bound is None else min(self.bound, report.bound)
            if report.status is not None:
                self._end()
                self._go_on(report)

    def _better_value(self) -> int | None:
        """The least value that would change the answer; None if a plan has reached the threshold, or none is known."""
        if self.threshold is not None:
            return None if self.best is not None and self.best >= self.threshold else self.threshold
        if self.best is None:
            return ANY_PLAN if self.question.goal is Goal.LEAST else None
        return self.best + 1

    def _start_next(self) -> bool:
        """Start a worker on the next model once its delay is over; False if none was started."""
        since = self._asked_since
        waited = time.monotonic() - since
        if waited < DELAY_OF_SETS:
            return False
        kind = next(iter(self._kinds_left), None)
        least = DELAY_OF_SETS if kind is ModelKind.ORDER_FREE else DELAY_BESIDE_KERNELS if self.is_beside_kernels else DELAY
        if kind is None or waited < least:
            return False
        self._kinds_left.pop(0)
        self._start(self._job_for(kind))
        return self._job is not None

    @property
    def _kinds_left(self) -> list[ModelKind]:
        """The models still to try, determined only once the search has taken a while."""
        if self._kinds is None:
            from .model_choice import ruled_out

            self._endings = ruled_out(self.engine, self.root, self.question, KINDS)
            self._kinds = [kind for kind in KINDS if kind not in self._endings]
        return self._kinds

    def _job_for(self, kind: ModelKind) -> Job:
        is_of_sets = kind is ModelKind.ORDER_FREE
        return Job(
            kind,
            self.engine,
            self.root,
            self.question,
            self.limits.seconds,
            parameters=BOUNDING if kind is ModelKind.FINAL_BOARD else {},
            memory_mib=self.limits.co_solver_mib,
            niceness=NICENESS if self.is_beside_kernels and not is_of_sets else 0,
            proves_twice=is_of_sets,
        )

    def _start(self, job: Job) -> None:
        self._end()
        left = self.limits.seconds - (time.monotonic() - self.began)
        if left > 0:
            self._job = evolve(job, seconds=left)
            self._worker = self._running.enter_context(WorkerProcess(self._job))

    def _end(self) -> None:
        self._running.close()
        self._worker = None

    def _add_value(self, value: int, plan: tuple[Move, ...] | None) -> None:
        if self.bound is not None and value > self.bound:
            raise Disagreement(f"CP-SAT bounds by {self.bound} and finds {value} when asked again")
        if plan is not None and (self.best is None or value > self.best):
            self.best, self.plan = value, plan

    def _go_on(self, report: Report) -> None:
        """Take the last report of a worker; if it could not model the question, the next model's turn comes."""
        assert self._job is not None
        self._endings[self._job.kind] = report
        match report.status:
            case WorkerStatus.INFEASIBLE if self._job.floor is not None:
                self.refuted = self._job.floor
            case WorkerStatus.INFEASIBLE if self.question.goal is Goal.LEAST and self.refuted is None:
                self._start(refutation(self._job, ANY_PLAN))
            case WorkerStatus.UNSUPPORTED if self._kinds and self._job.floor is None:
                self._job = None
