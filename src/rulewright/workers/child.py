"""A process that works through the items of a job within the job's hard limits.

Run as `python -P -m rulewright.workers.child`: it hears the module search path, the limits, the job and its items, and answers
each item.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from queue import SimpleQueue
from typing import Any

from rulewright.base.child_process import Child, Parent, limit_memory

from .executor import Failed, HardLimits, Job, OutOfMemory

GRACE_SECONDS = 1.0
"""Time that an idle process may take to exit by itself."""


def start_child(job: Job[Any, Any, Any], heard: SimpleQueue[tuple[Child, Any]]) -> Child:
    """A process for a job. Its answers enter a queue, followed by None once it has ended."""
    child = Child.of("rulewright.workers.child", shows_errors=True)
    threading.Thread(target=_listen, args=(child, heard), daemon=True).start()
    for said in (sys.path, job.limits, job.to_send):
        child.send(said)
    return child


def _listen(child: Child, heard: SimpleQueue[tuple[Child, Any]]) -> None:
    try:
        while True:
            heard.put((child, child.hear()))
    except EOFError:
        heard.put((child, None))


def main() -> None:
    """Work through items until the parent ends."""
    parent = Parent.found()
    sys.path[:] = parent.hear()
    limits: HardLimits = parent.hear()
    if limits.memory_mib is not None:
        limit_memory(limits.memory_mib, only_data=True)
    job: Job[Any, Any, Any] = parent.hear()
    items: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(parent, items), daemon=True).start()
    worker = None
    while True:
        item = items.get()
        try:
            worker = job.begin() if worker is None else worker
            result = job.work(worker, item)
        except MemoryError:
            parent.say(OutOfMemory())
            os._exit(1)
        except Exception as error:
            result = Failed(_portable(error))
        parent.say(result)


def _read(parent: Parent, items: SimpleQueue[Any]) -> None:
    while True:
        items.put(parent.hear())


def _portable(error: Exception) -> Exception:
    """The exception, or its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    main()
