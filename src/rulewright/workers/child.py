"""A process that works through the items of a job within the job's hard limits.

Run as `python -P -m rulewright.workers.child`: it reads pickles (the module search path, the limits, the job, its items),
answers each item with one, and exits when its input is closed, including when the parent is killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from rulewright.base.child_process import limit_memory
from rulewright.base.records import define

from .executor import Failed, HardLimits, Job, OutOfMemory

GRACE_SECONDS = 1.0
"""Time that a process may take to exit by itself."""


# Of the parent --------------------------------------------------------------------------------------------------------


@define(eq=False)
class Child:
    """A process started for a job. Its answers enter a queue, followed by None once it has ended."""

    process: subprocess.Popen[bytes]

    @classmethod
    def of(cls, job: Job[Any, Any, Any], heard: SimpleQueue[tuple[Child, Any]]) -> Child:
        """A process for a job in its own session, so that the user's interrupt does not reach it."""
        command = [sys.executable, "-P", "-m", "rulewright.workers.child"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        child = cls(process)
        threading.Thread(target=child._listen, args=(heard,), daemon=True).start()
        for said in (sys.path, job.limits, job.to_send):
            child.send(said)
        return child

    def send(self, said: Any) -> None:
        """Send an object to the process; if the process has died, the queue `heard` says so."""
        assert self.process.stdin is not None
        said = pickle.dumps(said)
        with suppress(ConnectionError):
            self.process.stdin.write(said)
            self.process.stdin.flush()

    def close(self, is_busy: bool) -> None:
        """End the process: an idle one exits when its input is closed."""
        assert self.process.stdin is not None
        if is_busy:
            self.process.kill()
        with suppress(OSError):  # unread data is lost
            self.process.stdin.close()
        try:
            self.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _listen(self, heard: SimpleQueue[tuple[Child, Any]]) -> None:
        source = self.process.stdout
        assert source is not None
        with source:
            while True:
                try:
                    heard.put((self, pickle.load(source)))
                except Exception:  # the process ended, perhaps in the middle of a message
                    heard.put((self, None))
                    return


# Of the process -------------------------------------------------------------------------------------------------------


def main() -> None:
    """Work through items until the input is closed."""
    source, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # keeps printed output out of the answers
    limits: HardLimits
    job: Job[Any, Any, Any]
    try:
        sys.path[:], limits = pickle.load(source), pickle.load(source)
        if limits.memory_mib is not None:
            limit_memory(limits.memory_mib, only_data=True)
        job = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):  # the parent ended before it had said what to do
        os._exit(0)
    items: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(source, items), daemon=True).start()
    worker = None
    while True:
        item = items.get()
        try:
            worker = job.begin() if worker is None else worker
            result = job.work(worker, item)
        except MemoryError:
            _answer(answers, OutOfMemory())
            os._exit(1)
        except Exception as error:
            result = Failed(_portable(error))
        _answer(answers, result)


def _answer(answers: IO[bytes], result: Any) -> None:
    answers.write(pickle.dumps(result))
    answers.flush()


def _read(source: IO[bytes], items: SimpleQueue[Any]) -> None:
    """Pass items on; exit when there are no more."""
    try:
        while True:
            items.put(pickle.load(source))
    except (EOFError, pickle.UnpicklingError):
        os._exit(0)


def _portable(error: Exception) -> Exception:
    """The exception, or its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    main()
