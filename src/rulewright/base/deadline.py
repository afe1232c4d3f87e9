"""A time by which an answer is wanted, for work deep below that takes no limits: long rules become programs part by part.

Who answers sets the time, and who writes looks at the clock. It holds within a `with` block of one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_deadline: ContextVar[float] = ContextVar("_deadline", default=float("inf"))


class TimeUp(Exception):
    """The deadline has passed, and what was being written is not done."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let `check_deadline` raise `TimeUp` in this block, so many seconds from now."""
    token = _deadline.set(min(_deadline.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _deadline.reset(token)


def check_deadline() -> None:
    """Raises `TimeUp` where the deadline has passed."""
    if time.monotonic() > _deadline.get():
        raise TimeUp
