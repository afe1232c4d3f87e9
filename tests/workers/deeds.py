"""Work for workers in tests: what is simple, what fails, and what ends its process."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.ending import unless_stopped
from rulewright.base.spans import Span
from rulewright.workers.executor import Job


def opened(folder: Path) -> Path:
    """Leave a trace of each worker that opens the job."""
    (folder / f"opened-{os.getpid()}-{time.monotonic_ns()}").touch()
    return folder


def square(folder: Path, item: int) -> int:
    return item * item


def square_after_the_last(folder: Path, item: int) -> int:
    """The first item is not done before the sixth is."""
    while item == 0 and not (folder / "done-5").exists():
        time.sleep(0.02)
    (folder / f"done-{item}").touch()
    return item * item


def die_once(folder: Path, item: int) -> int:
    """End the process at every fifth item, when that is tried for the first time."""
    flag = folder / f"tried-{item}"
    if item % 5 == 0 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def end_the_parent_once(folder: Path, item: int) -> int:
    """End the process that started this one, and so this one, at the fifth item, when that is tried for the first time."""
    flag = folder / f"tried-{item}"
    if item == 5 and not flag.exists():
        flag.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return item * item


def take_much(folder: Path, item: int) -> int:
    """The third item takes a gigabyte, the fourth an hour."""
    (folder / f"began-{item}-{os.getpid()}").touch()
    if item == 2:
        return len(bytearray(1 << 30))
    if item == 3:
        time.sleep(3600)
    return item * item


def die_always(folder: Path, item: int) -> int:
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return item * item


def fail(folder: Path, item: int) -> int:
    raise ValueError(f"no square of {item}")


def refuse(folder: Path, item: int) -> int:
    raise RulesError((Diagnostic("RW001", "wrong", (Label(Span("some.rules", item, 1, item, 2)),)),))


def sleep(folder: Path, item: int) -> int:
    (folder / f"asleep-{os.getpid()}").touch()
    time.sleep(60)
    return item


def minus(item: int, reason: str) -> int:
    """Minus one, or two where it is said that more MiB were needed, or three where that were seconds."""
    return -2 if reason.endswith("MiB") else -3 if reason.endswith(" s") else -1


def openings(folder: Path) -> int:
    """How many workers opened the job."""
    return len(list(folder.glob("opened-*")))


def job(work: object, folder: Path, **options: object) -> Job[Path, int, int]:
    return Job(partial(opened, folder), work, **options)  # type: ignore[arg-type]


def stop_early_where_interrupted(folder: Path, item: int) -> int:
    """Give what there is after an interrupt, as the solver does; it comes at the third item."""

    def work() -> int:
        if item == 2:
            signal.raise_signal(signal.SIGINT)
        return item * item

    return unless_stopped(work, lambda: 0)
