"""Items worked on by a pool of processes or threads, with the results in the order of the items."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

Worker = TypeVar("Worker")
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Items per worker that may be in work or queued while an earlier one is not done."""

_worker: list[Any] = []
"""The worker of this process, where it belongs to a pool."""


def map_in_processes(
    make: Callable[[], Worker], work: Callable[[Worker, Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
    """The results of `work`, called in processes each of which makes its worker once. Both functions must be picklable."""
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (make,))
    yield from map_in_order(pool, _call, ((work, item) for item in items), workers)


def map_in_order(pool: Executor, work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Iterator[Result]:
    """The results of `work` in a pool, which is shut down at the end. Only a few items are submitted at a time."""
    rest = iter(items)
    try:
        waiting = deque(pool.submit(work, item) for item in islice(rest, AHEAD * workers))
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(work, item) for item in islice(rest, 1))
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start(make: Callable[[], object]) -> None:
    # The parent stops the work when the user interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker[:] = [make()]


def _call(work_and_item: tuple[Callable[[Any, Any], Any], Any]) -> Any:
    work, item = work_and_item
    return work(_worker[0], item)
