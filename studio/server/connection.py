"""A connection to a page, however its messages travel: by a web socket, or to a worker of the page itself."""

from __future__ import annotations

from typing import Protocol

POLICY = 1008
"""The close code for a policy violation (RFC 6455, 7.4.1)."""


class Disconnected(Exception):
    """The page has disconnected."""


class Connection(Protocol):
    """Texts from and to a page. All methods raise `Disconnected`."""

    async def receive(self) -> str: ...

    async def send(self, text: str) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...
