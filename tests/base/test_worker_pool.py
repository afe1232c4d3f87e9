"""Work in a pool: results in order, few items handed over at a time, and a worker in each process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice

from rulewright.base.worker_pool import AHEAD, map_in_order, map_in_processes


def test_only_a_few_items_are_handed_over_at_a_time() -> None:
    taken: list[int] = []

    def double(item: int) -> int:
        taken.append(item)
        return 2 * item

    found = map_in_order(ThreadPoolExecutor(2), double, count(), 2)
    assert list(islice(found, 5)) == [0, 2, 4, 6, 8]
    found.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 2 * AHEAD


def test_each_process_makes_its_worker() -> None:
    assert list(map_in_processes(partial(list, "abc"), list.index, ["c", "a", "b"], 2)) == [2, 0, 1]
