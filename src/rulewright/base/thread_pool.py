"""Threads that work as long as a block, and a map of items through a thread pool. For processes see `rulewright.workers`."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

from .records import define, field

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Most items per thread or worker that may be running or queued while an earlier one is not done."""


def map_in_order(pool: Executor, work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """The results of `work`, in order; the pool is shut down at the end. Only a few items are submitted at a time."""
    rest = iter(items)
    try:
        waiting = deque(pool.submit(work, item) for item in islice(rest, AHEAD * workers))
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(work, item) for item in islice(rest, 1))
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@define(eq=False)
class Threads:
    """A block beside which tasks run, each in a thread. At its end `stop` is called, and it waits until all have returned.

    The first error of a task is raised at the end, unless the block raises one itself.
    """

    tasks: Sequence[Callable[[], None]]
    stop: Callable[[], None]
    _threads: list[threading.Thread] = field(factory=list, init=False)
    _errors: list[BaseException] = field(factory=list, init=False)

    def __enter__(self) -> Threads:
        self._threads = [threading.Thread(target=self._run, args=(task,), daemon=True) for task in self.tasks]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.end()
        if self._errors and kind is None:
            raise self._errors[0]

    def _run(self, task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:
            self._errors.append(error)

    def end(self) -> None:
        """Wait until all tasks have returned; also after an interrupt has left the block half way."""
        self.stop()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for the tasks to return; whether one has not."""
        for thread in self._threads:
            thread.join(seconds / len(self._threads))
        return any(thread.is_alive() for thread in self._threads)
