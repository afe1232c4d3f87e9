"""Ctrl-C during work: the work stops, its results so far are printed, and the run ends as interrupted."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

from rulewright.base.deadline import TimeUp
from rulewright.base.records import define, field


@define
class InterruptGuard:
    """A context manager that an interrupt ends without an exception; `happened` records it, whoever handles
    `KeyboardInterrupt`."""

    happened: bool = False
    _before: Any = field(default=None, init=False)

    def __enter__(self) -> InterruptGuard:
        self._before = signal.signal(signal.SIGINT, self._notice)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        signal.signal(signal.SIGINT, self._before)
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt) and not issubclass(kind, TimeUp)
        self.happened |= interrupted
        return interrupted

    def _notice(self, number: int, frame: FrameType | None) -> None:
        self.happened = True
        raise KeyboardInterrupt
