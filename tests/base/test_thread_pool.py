"""Work in a pool of threads: results in order, few items handed over at a time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice

from rulewright.base.thread_pool import AHEAD, map_in_order


def test_only_a_few_items_are_handed_over_at_a_time() -> None:
    taken: list[int] = []

    def double(item: int) -> int:
        taken.append(item)
        return 2 * item

    found = map_in_order(ThreadPoolExecutor(2), double, count(), 2)
    assert list(islice(found, 5)) == [0, 2, 4, 6, 8]
    found.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 2 * AHEAD
