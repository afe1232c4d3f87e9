"""How many messages a page may send: a bucket of tokens that fills with time."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import field

from rulewright.base.records import define

PER_SECOND, AT_ONCE = 200.0, 400.0
"""Messages: what nobody types or clicks."""


@define
class MessageRate:
    """So many messages a second, and so many at once."""

    per_second: float = PER_SECOND
    at_once: float = AT_ONCE
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _last: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._left, self._last = self.at_once, self.clock()

    def allows(self) -> bool:
        """Whether one more message may come now; it is counted."""
        now = self.clock()
        self._left = min(self.at_once, self._left + (now - self._last) * self.per_second)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
