"""A connection to a page by a web socket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.base.records import frozen

from .connection import Disconnected


@frozen
class WebConnection:
    """An accepted web socket."""

    socket: WebSocket

    async def receive(self) -> str:
        """The next message; empty for a binary one, which no page sends."""
        with _told():
            try:
                return await self.socket.receive_text()
            except KeyError:
                return ""

    async def send(self, text: str) -> None:
        with _told():
            await self.socket.send_text(text)

    async def close(self, code: int, reason: str) -> None:
        with _told():
            await self.socket.close(code, reason)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (WebSocketDisconnect, RuntimeError) as error:  # RuntimeError: nothing is sent after the page has disconnected
        raise Disconnected from error
