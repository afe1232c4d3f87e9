"""The common interface for running many tasks, in local processes or on a cluster.

A command asks for an executor (`cli/executors.py`) and hands it a job and its items:

    job = Job(partial(MutationTest.of, texts, module), MutationTest.verdict)
    with executor:
        for verdict in executor.in_order(job, range(count)):
            ...

A job and its items are sent to workers, so they hold rules or their texts (`Project.portable`), never a path. A worker opens
the job once. The result of an item must depend on the item alone: if a worker dies the item may run again, and only its first
result counts. Limits of time and memory are part of the job and enforced where the work is done: the work itself observes
those that its user sets; work beyond its `HardLimits` is ended, on a cluster as in local processes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import evolve, field, frozen
from rulewright.base.thread_pool import AHEAD

Worker = TypeVar("Worker")
Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_DEATHS = 3
"""Workers that may die at an item before it is given up."""


DIED = "its workers died repeatedly, perhaps for lack of memory"
"""Why an item that killed several workers is given up."""


class WorkersLost(RulesError):
    """The work cannot continue: an item killed its workers or exceeded its limits, or no worker is left."""

    def __init__(self, message: str) -> None:
        super().__init__((Diagnostic("workers", message, help="use fewer `--workers` or more `--memory`"),))


@frozen
class HardLimits:
    """The most that an item may use, including its worker's opening of the job; None: no limit.

    They catch work that overruns its own limits: an item beyond them is given up, not retried.
    """

    seconds: float | None = None
    memory_mib: int | None = None


@frozen
class Job(Generic[Worker, Item, Result]):
    """The work of a job. `open` makes the worker, once in each process; `work` does an item with it. Both must be picklable.

    `lost` makes the result of an item that is given up, from the item and the reason; without it, the job ends. `opened` is a
    worker that this process already has; it is not sent.
    """

    open: Callable[[], Worker]
    work: Callable[[Worker, Item], Result]
    lost: Callable[[Item, str], Result] | None = None
    limits: HardLimits = HardLimits()
    opened: Worker | None = field(default=None, eq=False, repr=False)

    @property
    def to_send(self) -> Job[Worker, Item, Result]:
        """The job as sent to workers."""
        return evolve(self, opened=None)

    def begin(self) -> Worker:
        """The worker of this process."""
        return self.open() if self.opened is None else self.opened

    def give_up(self, item: Item, reason: str) -> Result:
        """The result of an item given up for `reason`. Raises `WorkersLost` without `lost`."""
        if self.lost is None:
            raise WorkersLost(f"gave up a task: {reason}")
        return self.lost(item, reason)


@frozen
class Failed:
    """Stands for a result: the exception that the work raised."""

    error: Exception

    @staticmethod
    def checked(result: Any) -> Any:
        """Return the result, or raise the exception of the work."""
        if isinstance(result, Failed):
            raise result.error
        return result


@frozen
class OutOfMemory:
    """Stands for a result: the item uses more memory than its job allows."""


class Session(ABC):
    """A running job. Items are identified by number."""

    @abstractmethod
    def submit(self, number: int, item: Any) -> None:
        """Submit an item."""

    @abstractmethod
    def collect(self) -> list[tuple[int, Any]]:
        """Wait until an item is done; returns the results since the last call, including `Failed` ones. Raises
        `WorkersLost`."""

    @abstractmethod
    def close(self) -> None:
        """End the work, including unfinished items."""


class Executor(ABC):
    """Workers that run jobs, one job after another. As a context manager it releases the workers at the end."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of items that run at a time."""

    @abstractmethod
    def open(self, job: Job[Any, Any, Any]) -> Session:
        """Start a job."""

    def close(self) -> None:  # noqa: B027
        """Release the workers."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def in_order(self, job: Job[Worker, Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results in the order of the items, only a few of which are taken ahead.

        Raises the exception of the first item that failed, and `WorkersLost`.
        """
        rest, done = enumerate(items), dict[int, Result]()
        waiting: deque[int] = deque()
        session = self.open(job)
        try:
            while True:
                for number, item in islice(rest, AHEAD * self.workers - len(waiting)):
                    session.submit(number, item)
                    waiting.append(number)
                if not waiting:
                    return
                while waiting[0] not in done:
                    done.update(session.collect())
                yield Failed.checked(done.pop(waiting.popleft()))
        finally:
            session.close()

    def as_completed(self, job: Job[Worker, Item, Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Items with their results, in order of completion."""
        rest, waiting = enumerate(items), dict[int, Item]()
        session = self.open(job)
        try:
            while True:
                for number, item in islice(rest, AHEAD * self.workers - len(waiting)):
                    session.submit(number, item)
                    waiting[number] = item
                if not waiting:
                    return
                for number, result in session.collect():
                    yield waiting.pop(number), Failed.checked(result)
        finally:
            session.close()
