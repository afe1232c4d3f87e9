"""The transposition table and the bound cache: hash tables of fixed size that threads share without locks.

Two independent hashes under a secret key identify a state: one selects the bucket, the other is stored in the entry. Remaining
resources are packed into one word, each field with a guard bit above it, so that one subtraction compares all of them: a state
is dominated if an equal one was searched with no less of any resource.

When a bucket is full, the entry farthest from the root is replaced, and its state may be searched again. An entry is two words,
the first XORed with the second, so that a torn write by two threads matches no state (Hyatt and Mann 2002).
"""

from __future__ import annotations

from enum import IntEnum

from rulewright.rules.machine.memory_layout import RESOURCE_BITS
from rulewright.solver.kernel.orbits import Orbits
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Shared
from rulewright.subset.records import Record, Run

BUCKET_SIZE = 4
"""Layout of the table: entries in a bucket."""

RESOURCES = (1 << RESOURCE_BITS) - 1
THREAD_SHIFT, MOST_THREADS = 48, 63
PRIORITY_SHIFT, MOST_PRIORITY = 54, 255
USED = 1 << 62
"""Layout of the data of an entry: resources, the thread that searches the state (0 when done), priority, and a bit that is
always set."""

EMPTY_PRIORITY, DOMINATED_PRIORITY = -1, -2
"""Priorities of the entries of a bucket that are replaced first."""


class Visit(IntEnum):
    """The status of a state: unseen; searched, or being searched by this thread; being searched by another."""

    UNSEEN = 0
    CLOSED = 1
    OPEN_ELSEWHERE = 2


class TableEntry(Record, memory="visited"):
    check: int
    data: int


class TranspositionTable(Bundle):
    """`guards` are the guard bits of the resources; threads are numbered from 1."""

    visited: Shared
    bucket_count: int
    guards: int
    thread: int
    entries: Run[TableEntry] = start_of("visited")


class BoundEntry(Record, memory="bounds"):
    check: int
    data: int


class BoundCache(Bundle):
    """Bounds by two hashes of a board, one for the place and one to compare. A newer bound replaces an older one."""

    bounds: Shared
    entry_count: int
    bound_entries: Run[BoundEntry] = start_of("bounds")


def covers(resources: int, others: int, guards: int) -> bool:
    """Whether no resource of `others` exceeds the same one of `resources`."""
    return (((resources | guards) - others) & guards) == guards


def probe(table: TranspositionTable, orbits: Orbits, resources: int) -> int:
    """The status of the state identified last, with these resources, as a `Visit`."""
    bucket = table.entries[(orbits.hash % table.bucket_count) * BUCKET_SIZE :]
    answer = Visit.UNSEEN
    for way in range(BUCKET_SIZE):
        data = bucket[way].data
        if data != 0 and (bucket[way].check ^ data) == orbits.other_hash and covers(data & RESOURCES, resources, table.guards):
            thread = (data >> THREAD_SHIFT) & MOST_THREADS
            if thread in (0, table.thread):
                return Visit.CLOSED
            answer = Visit.OPEN_ELSEWHERE
    return answer


def open_state(table: TranspositionTable, orbits: Orbits, resources: int, priority: int) -> bool:
    """Record that this thread begins to search the state identified last; states nearer the root have higher priority. Returns
    whether another state gave way."""
    bucket = table.entries[(orbits.hash % table.bucket_count) * BUCKET_SIZE :]
    chosen = 0
    least = MOST_PRIORITY + 2
    for way in range(BUCKET_SIZE):
        data = bucket[way].data
        worth = (data >> PRIORITY_SHIFT) & MOST_PRIORITY
        if data == 0:
            worth = EMPTY_PRIORITY
        elif (bucket[way].check ^ data) == orbits.other_hash and covers(resources, data & RESOURCES, table.guards):
            worth = DOMINATED_PRIORITY
        if worth < least:
            least = worth
            chosen = way
    data = USED | (priority << PRIORITY_SHIFT) | (table.thread << THREAD_SHIFT) | resources
    bucket[chosen].data = data
    bucket[chosen].check = orbits.other_hash ^ data
    return least > EMPTY_PRIORITY


def close_state(table: TranspositionTable, orbits: Orbits, resources: int) -> None:
    """Record that everything below the state identified last has been searched."""
    bucket = table.entries[(orbits.hash % table.bucket_count) * BUCKET_SIZE :]
    for way in range(BUCKET_SIZE):
        data = bucket[way].data
        if data != 0 and (data & RESOURCES) == resources and (bucket[way].check ^ data) == orbits.other_hash:
            done = data & ~(MOST_THREADS << THREAD_SHIFT)
            bucket[way].data = done
            bucket[way].check = orbits.other_hash ^ done


def store_bound(cache: BoundCache, place: int, key: int, data: int) -> None:
    """Store a word under a key, until another key replaces it. `place` is another hash of what the key is of."""
    entry = cache.bound_entries[place % cache.entry_count]
    entry.data = data
    entry.check = key ^ data


def load_bound(cache: BoundCache, place: int, key: int) -> int:
    """The word stored under a key, 0 if there is none."""
    entry = cache.bound_entries[place % cache.entry_count]
    data = entry.data
    if (entry.check ^ data) == key:
        return data
    return 0
