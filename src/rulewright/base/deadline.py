"""A deadline for code deep in the call stack that takes no limits, such as the generation of programs from long rules.

The caller sets the time, and the code generators check it. It holds within a `with` block of one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_deadline: ContextVar[float] = ContextVar("_deadline", default=float("inf"))


class TimeUp(Exception):
    """The deadline has passed before generation was complete."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let `check_deadline` raise `TimeUp` in this block, `seconds` from now."""
    token = _deadline.set(min(_deadline.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


def check_deadline() -> None:
    """Raise `TimeUp` if the deadline has passed."""
    if time.monotonic() > _deadline.get():
        raise TimeUp
