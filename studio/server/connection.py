"""A connection to a page, however its messages travel: by a web socket, or to a worker of the page itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from rulewright.base.records import define, field

POLICY = 1008
"""The close code for a policy violation (RFC 6455, 7.4.1)."""


class Disconnected(Exception):
    """The page has disconnected."""


class Connection(Protocol):
    """Texts from and to a page. All methods raise `Disconnected`. How large a text may be, the server says (studio_app.py)."""

    async def receive(self) -> str: ...

    async def send(self, text: str) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...


# Limits the rate of a page's messages by a token bucket ---------------------------------------------------------------


PER_SECOND, AT_ONCE = 200.0, 400.0
"""Most messages per second, and the burst size: beyond what typing and clicking produce."""


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
