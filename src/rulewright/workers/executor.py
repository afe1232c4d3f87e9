"""One way to have many tasks done, wherever that happens.

A command asks for an executor (`cli/executors.py`: processes here, or a cluster), and hands it a job and its items:

    job = Job(partial(MutationTest.of, texts, module), MutationTest.verdict)
    with executor:
        for verdict in executor.in_order(job, range(count)):
            ...

A job and its items travel to the workers, so they are frozen records that hold rules as text, never as a path
(`studies/project_texts.py`). A worker opens the job once and links the rules then. What an item comes to must depend on
the item alone: it may be done again where a worker died, and its first result counts, once. Limits of time and memory are a
part of the job, and are kept where the work is done: the work itself heeds those that its user names, and what goes beyond its
`HardLimits` is ended, on a cluster as in processes here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from attrs import evolve, field

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import frozen

Worker = TypeVar("Worker")
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Items per worker that may be in work or queued; in order, those behind the first that is not done."""

MOST_DEATHS = 3
"""After so many workers died at an item, it is not tried again."""


DIED = "workers died at it, again and again; they may have run out of memory"
"""Why an item is given up that has ended so many."""


class WorkersLost(RulesError):
    """The work cannot go on: an item ended its workers or went beyond its limits, or no worker is left."""

    def __init__(self, message: str) -> None:
        super().__init__((Diagnostic("workers", message, help="allow less at a time, by `--workers` or `--memory`"),))


@frozen
class HardLimits:
    """What an item may take, its worker's opening of the job included; None: as much as there is.

    They are for work that overruns what it was asked to heed: an item beyond them is given up, not tried again.
    """

    seconds: float | None = None
    memory_mib: int | None = None


@frozen
class Job(Generic[Worker, Item, Result]):
    """What workers do. `open` makes the worker, once in each process; `work` does an item with it. Both must be picklable.

    `lost` makes the result of an item that is given up, from it and the reason; without it, that ends all. `opened` is a worker
    that this process has already; it does not travel.
    """

    open: Callable[[], Worker]
    work: Callable[[Worker, Item], Result]
    lost: Callable[[Item, str], Result] | None = None
    limits: HardLimits = HardLimits()
    opened: Worker | None = field(default=None, eq=False, repr=False)

    @property
    def to_send(self) -> Job[Worker, Item, Result]:
        """The job as it travels."""
        return evolve(self, opened=None)

    def begin(self) -> Worker:
        """The worker of this process."""
        return self.open() if self.opened is None else self.opened

    def give_up(self, item: Item, reason: str) -> Result:
        """The result of an item that is given up for a reason. Raises `WorkersLost` where there is none."""
        if self.lost is None:
            raise WorkersLost(f"a task is given up: {reason}")
        return self.lost(item, reason)


@frozen
class Failed:
    """In place of a result: what the work raised."""

    error: Exception

    @staticmethod
    def checked(result: Any) -> Any:
        """A result. Raises what the work raised."""
        if isinstance(result, Failed):
            raise result.error
        return result


@frozen
class OutOfMemory:
    """In place of a result: the item takes more memory than its job allows."""


class Session(ABC):
    """A job in work. Items are known by their numbers."""

    @abstractmethod
    def submit(self, number: int, item: Any) -> None:
        """Have an item done."""

    @abstractmethod
    def collect(self) -> list[tuple[int, Any]]:
        """Wait until an item is done; the results since the last call, `Failed` ones too. Raises `WorkersLost`."""

    @abstractmethod
    def close(self) -> None:
        """End the work, also what is not done."""


class Executor(ABC):
    """Workers that do jobs, one after another. As a context it lets the workers go at the end."""

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many items are in work at a time."""

    @property
    @abstractmethod
    def shares_files(self) -> bool:
        """Whether the workers see the files of this machine."""

    @abstractmethod
    def open(self, job: Job[Any, Any, Any]) -> Session:
        """Begin with a job."""

    def close(self) -> None:  # noqa: B027
        """Let the workers go."""

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def in_order(self, job: Job[Worker, Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results in the order of the items, of which only a few are taken ahead.

        Raises what the work raised at the first item that failed, and `WorkersLost`.
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
        """Items with their results as they come."""
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
