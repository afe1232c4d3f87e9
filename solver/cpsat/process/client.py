"""The parent's side of a worker process: it sends the job, and queues the reports that come back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, Queue

from rulewright.base.child_process import Child
from rulewright.base.records import define, field

from .job import EARLY, Job, Report, WorkerStatus


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
