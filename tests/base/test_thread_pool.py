"""Work in threads: they end with their block; a pool gives results in order, few items handed over at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from threading import Event

import pytest

from rulewright.base.thread_pool import AHEAD, Threads, map_in_order


def test_only_a_few_items_are_handed_over_at_a_time() -> None:
    taken: list[int] = []

    def double(item: int) -> int:
        taken.append(item)
        return 2 * item

    found = map_in_order(ThreadPoolExecutor(2), double, count(), 2)
    assert list(islice(found, 5)) == [0, 2, 4, 6, 8]
    found.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 2 * AHEAD


def test_threads_end_with_their_block() -> None:
    stopped, ended = Event(), list[int]()

    def work() -> None:
        stopped.wait(10)
        ended.append(1)

    with pytest.raises(ValueError, match="early"), Threads([work, work], stopped.set) as threads:
        assert threads.wait(0.001)
        raise ValueError("early")
    assert ended == [1, 1]


def test_the_error_of_a_task_is_raised_at_the_end() -> None:
    with pytest.raises(ZeroDivisionError), Threads([lambda: print(1 // 0)], Event().set) as threads:
        while threads.wait(0.01):
            pass
