"""Runs tasks in processes on this machine, or in this process if only one is allowed. A process that dies is replaced.

The file is also the program of such a process, `python -P -m rulewright.workers.processes`. It hears the module search path,
the limits, the job and its items, and answers each item.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections import Counter, deque
from queue import Empty, SimpleQueue
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.workers.child_process import Child, Parent, limit_memory

from .executor import DIED, MOST_DEATHS, Executor, Failed, HardLimits, Job, OutOfMemory, Session


@frozen
class Processes(Executor):
    """`count` processes on this machine; a single one is this process, which enforces no hard limits."""

    count: int

    @property
    def workers(self) -> int:
        return self.count

    def open(self, job: Job[Any, Any, Any]) -> Session:
        return _InThisProcess(job) if self.count == 1 else InChildren(job, self.count)


@define(eq=False)
class _InThisProcess(Session):
    """Runs items when their results are requested."""

    job: Job[Any, Any, Any]
    worker: Any = None
    waiting: deque[tuple[int, Any]] = field(factory=deque)

    def submit(self, number: int, item: Any) -> None:
        self.waiting.append((number, item))

    def collect(self) -> list[tuple[int, Any]]:
        number, item = self.waiting.popleft()
        try:
            self.worker = self.job.begin() if self.worker is None else self.worker
            return [(number, self.job.work(self.worker, item))]
        except Exception as error:
            return [(number, Failed(error))]

    def close(self) -> None:
        self.waiting.clear()


@frozen
class _Task:
    """A running item; it is given up at the deadline, a `time.monotonic` time."""

    number: int
    item: Any
    deadline: float | None


@define(eq=False)
class InChildren(Session):
    """Passes items to processes one by one. `busy` maps each process to its item; `deaths` counts deaths by item."""

    job: Job[Any, Any, Any]
    count: int
    waiting: deque[tuple[int, Any]] = field(factory=deque)
    idle: list[Child] = field(factory=list)
    busy: dict[Child, _Task] = field(factory=dict)
    heard: SimpleQueue[tuple[Child, Any]] = field(factory=SimpleQueue)
    deaths: Counter[int] = field(factory=Counter)

    def submit(self, number: int, item: Any) -> None:
        self.waiting.append((number, item))
        self._hand_out()

    def collect(self) -> list[tuple[int, Any]]:
        found: list[tuple[int, Any]] = []
        while not found:
            self._hand_out()
            try:
                found += self._said(*self.heard.get(timeout=self._patience()))
                while not self.heard.empty():
                    found += self._said(*self.heard.get())
            except Empty:
                found += self._overdue()
        return found

    def close(self) -> None:
        """End all processes: idle ones by closing their input, busy ones by killing them."""
        for child in self.busy:
            child.end()
        for child in self.idle:
            child.end(GRACE_SECONDS)
        self.idle.clear()
        self.busy.clear()
        self.waiting.clear()

    def _hand_out(self) -> None:
        while self.waiting and (self.idle or len(self.busy) < self.count):
            child = self.idle.pop() if self.idle else start_child(self.job, self.heard)
            number, item = self.waiting.popleft()
            seconds = self.job.limits.seconds
            self.busy[child] = _Task(number, item, None if seconds is None else time.monotonic() + seconds)
            child.send(item)

    def _said(self, child: Child, result: Any) -> list[tuple[int, Any]]:
        """The result of a process; empty if it died at an item that is retried."""
        task = self.busy.pop(child, None)
        if task is None:  # it was ended, or died while idle
            self.idle = [other for other in self.idle if other is not child]
            child.end()
            return []
        if result is None:
            return self._buried(child, task)
        if isinstance(result, OutOfMemory):
            child.end()
            return [(task.number, self.job.give_up(task.item, f"it needs more than {self.job.limits.memory_mib} MiB"))]
        self.idle.append(child)
        return [(task.number, result)]

    def _buried(self, child: Child, task: _Task) -> list[tuple[int, Any]]:
        """Retry the item of a process that died, or give it up."""
        child.end()
        self.deaths[task.number] += 1
        if self.deaths[task.number] < MOST_DEATHS:
            self.waiting.appendleft((task.number, task.item))
            return []
        return [(task.number, self.job.give_up(task.item, DIED))]

    def _patience(self) -> float | None:
        """Seconds until the next deadline."""
        deadlines = [task.deadline for task in self.busy.values() if task.deadline is not None]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _overdue(self) -> list[tuple[int, Any]]:
        """Give up items that exceed their time, and end their processes."""
        now = time.monotonic()
        late = [(child, task) for child, task in self.busy.items() if task.deadline is not None and task.deadline <= now]
        for child, _ in late:
            del self.busy[child]
            child.end()
        return [
            (task.number, self.job.give_up(task.item, f"it takes more than {self.job.limits.seconds:.0f} s"))
            for _, task in late
        ]


# Of the child ---------------------------------------------------------------------------------------------------------

GRACE_SECONDS = 1.0
"""Most seconds that an idle process may take to exit by itself."""


def start_child(job: Job[Any, Any, Any], heard: SimpleQueue[tuple[Child, Any]]) -> Child:
    """A process for a job. Its answers enter a queue, followed by None once it has ended."""
    child = Child.of("rulewright.workers.processes", shows_errors=True)
    threading.Thread(target=_listen, args=(child, heard), daemon=True).start()
    for said in (sys.path, job.limits, job.to_send):
        child.send(said)
    return child


def _listen(child: Child, heard: SimpleQueue[tuple[Child, Any]]) -> None:
    try:
        while True:
            heard.put((child, child.hear()))
    except EOFError:
        heard.put((child, None))


def main() -> None:
    """Work through items until the parent ends."""
    parent = Parent.found()
    sys.path[:] = parent.hear()
    limits: HardLimits = parent.hear()
    if limits.memory_mib is not None:
        limit_memory(limits.memory_mib, only_data=True)
    job: Job[Any, Any, Any] = parent.hear()
    items: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(parent, items), daemon=True).start()
    worker = None
    while True:
        item = items.get()
        try:
            worker = job.begin() if worker is None else worker
            result = job.work(worker, item)
        except MemoryError:
            parent.say(OutOfMemory())
            os._exit(1)
        except Exception as error:
            result = Failed(_portable(error))
        parent.say(result)


def _read(parent: Parent, items: SimpleQueue[Any]) -> None:
    while True:
        items.put(parent.hear())


def _portable(error: Exception) -> Exception:
    """The exception, or its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    main()
