"""Tasks done by processes of this machine, or by this process where one is allowed. A process that dies is replaced."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import Counter, deque
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen

from .executor import MOST_DEATHS, Executor, Failed, Job, Session

GRACE_SECONDS = 1.0
"""How long a process may take to end by itself."""


@frozen
class Processes(Executor):
    """So many processes of this machine; a single one is this process itself."""

    count: int

    @property
    def workers(self) -> int:
        return self.count

    @property
    def shares_files(self) -> bool:
        return True

    def open(self, job: Job[Any, Any, Any]) -> Session:
        return _InThisProcess(job) if self.count == 1 else _InProcesses(job, self.count)


@define(eq=False)
class _InThisProcess(Session):
    """Items done when their results are asked for."""

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


@frozen(eq=False)
class _Child:
    """A process and the pipe to it."""

    process: SpawnProcess
    pipe: Connection


@define(eq=False)
class _InProcesses(Session):
    """Items handed out one by one. `busy` says what each process works on; `deaths` at how many an item was in work."""

    job: Job[Any, Any, Any]
    count: int
    waiting: deque[tuple[int, Any]] = field(factory=deque)
    idle: list[_Child] = field(factory=list)
    busy: dict[Connection, tuple[_Child, int, Any]] = field(factory=dict)
    deaths: Counter[int] = field(factory=Counter)

    def submit(self, number: int, item: Any) -> None:
        self.waiting.append((number, item))
        self._hand_out()

    def collect(self) -> list[tuple[int, Any]]:
        found: list[tuple[int, Any]] = []
        while not found:
            self._hand_out()
            for pipe in wait(list(self.busy)):
                assert isinstance(pipe, Connection)
                found += self._receive(pipe)
        return found

    def close(self) -> None:
        """End all processes: idle ones end with their pipes, the others are stopped."""
        children = [*self.idle, *(child for child, _, _ in self.busy.values())]
        for child, _, _ in self.busy.values():
            child.process.terminate()
        for child in children:
            child.pipe.close()
        for child in children:
            child.process.join(GRACE_SECONDS)
            if child.process.is_alive():
                child.process.kill()
                child.process.join()
        self.idle.clear()
        self.busy.clear()
        self.waiting.clear()

    def _hand_out(self) -> None:
        while self.waiting and (self.idle or len(self.busy) < self.count):
            child = self.idle.pop() if self.idle else self._started()
            number, item = self.waiting.popleft()
            self.busy[child.pipe] = child, number, item
            try:
                child.pipe.send(item)
            except OSError:
                self._buried(child.pipe)

    def _started(self) -> _Child:
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self.job.to_send))
        process.start()
        there.close()
        return _Child(process, here)

    def _receive(self, pipe: Connection) -> list[tuple[int, Any]]:
        """The result of a process; none where it died."""
        try:
            result = pipe.recv()
        except (EOFError, OSError):
            return self._buried(pipe)
        child, number, _ = self.busy.pop(pipe)
        self.idle.append(child)
        return [(number, result)]

    def _buried(self, pipe: Connection) -> list[tuple[int, Any]]:
        """What a process that died was at is done by another, or given up."""
        child, number, item = self.busy.pop(pipe)
        pipe.close()
        child.process.kill()
        child.process.join()
        self.deaths[number] += 1
        if self.deaths[number] < MOST_DEATHS:
            self.waiting.appendleft((number, item))
            return []
        return [(number, self.job.give_up(item))]


def _serve(pipe: Connection, job: Job[Any, Any, Any]) -> None:
    """Do items until the pipe is closed."""
    # The parent stops the work when the user interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    worker = None
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        try:
            worker = job.begin() if worker is None else worker
            result = job.work(worker, item)
        except Exception as error:
            result = Failed(_portable(error))
        pipe.send(result)


def _exit_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _portable(error: Exception) -> Exception:
    """The exception, or what it says where it cannot travel."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
