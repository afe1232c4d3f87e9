"""Maps items through a thread pool, keeping their order. For processes see `rulewright.workers`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4
"""Items per thread that may be running or queued while an earlier one is not done."""


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
