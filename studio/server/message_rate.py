"""Limits the rate of a page's messages by a token bucket."""

from __future__ import annotations

import time
from collections.abc import Callable

from rulewright.base.records import define, field

PER_SECOND, AT_ONCE = 200.0, 400.0
"""Messages per second, and the burst size: beyond what typing and clicking produce."""


@define
class MessageRate:
    """A token bucket with a rate per second and a burst size."""

    per_second: float = PER_SECOND
    at_once: float = AT_ONCE
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _last: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left, self._last = self.at_once, self.clock()

    def allows(self) -> bool:
        """Whether another message is allowed now; counts it."""
        now = self.clock()
        self._left = min(self.at_once, self._left + (now - self._last) * self.per_second)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
