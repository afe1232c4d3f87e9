"""The parent's side of a worker process: it sends the job, and queues the reports that come back."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Queue

from rulewright.base.records import define, field

from .job import EARLY, Job
from .report import Report, WorkerStatus


@define
class WorkerProcess:
    """A worker at its job, as a context manager that kills the process at exit.

    `completed` completes the job while the process starts and imports OR-Tools.
    """

    job: Job
    completed: Callable[[Job], Job] | None = None
    _process: subprocess.Popen[bytes] | None = None
    _reports: Queue[Report] = field(factory=Queue)

    def __enter__(self) -> WorkerProcess:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "rulewright.solver.cpsat.process.worker", *([EARLY] if self.completed else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            data = pickle.dumps(self.completed(self.job) if self.completed else self.job)
        except BaseException:
            self.__exit__()
            raise
        threading.Thread(target=self._converse, args=(self._process, data), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def _converse(self, process: subprocess.Popen[bytes], data: bytes) -> None:
        """Send the job and queue the reports. The input stays open: the worker ends when it is closed."""
        assert process.stdin is not None
        assert process.stdout is not None
        report = Report()
        with suppress(OSError, ValueError):
            process.stdin.write(len(data).to_bytes(8, "big") + data)
            process.stdin.flush()
            for line in process.stdout:
                report = Report.from_json(line)
                self._reports.put(report)
        if report.status is None:
            self._reports.put(Report(status=WorkerStatus.DIED))

    def report(self, seconds: float = 0) -> Report | None:
        """The next report; None if there is none within `seconds`."""
        try:
            return self._reports.get(timeout=seconds) if seconds > 0 else self._reports.get_nowait()
        except Empty:
            return None
