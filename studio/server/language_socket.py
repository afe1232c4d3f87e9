"""The web socket of the page's editor: relays messages of the Language Server Protocol to and from a server of its own.

The server is that of `rulewright lsp`. Requests may only concern files that the page may see.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.base.line_client import MOST_LINE, end_process, start_module
from rulewright.base.records import frozen
from rulewright.studio.folder.studio_folder import StudioFolder

from .message_rate import MessageRate

POLICY = 1008
PLACES = ("uri", "rootUri", "oldUri", "newUri", "targetUri", "rootPath", "baseUri")
"""The keys of messages that hold the address of a file."""

DEEPEST = 64


@frozen
class LanguageSocket:
    """A web socket between an editor and a language server."""

    socket: WebSocket
    folder: StudioFolder

    async def serve(self) -> None:
        """Relay messages until one side disconnects."""
        await self.socket.accept()
        process = await start_module("rulewright", "lsp")
        assert process.stdin is not None
        assert process.stdout is not None
        coming = asyncio.create_task(self._to_page(process.stdout))
        going = asyncio.create_task(self._to_server(process.stdin))
        try:
            await asyncio.wait([coming, going], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (coming, going):
                task.cancel()
            await end_process(process)
            with suppress(WebSocketDisconnect, RuntimeError):
                await self.socket.close()

    async def _to_server(self, server: asyncio.StreamWriter) -> None:
        rate = MessageRate()
        with suppress(WebSocketDisconnect, KeyError, OSError):
            while rate.allows():
                text = await self.socket.receive_text()
                if not self.allows(text):
                    await self.socket.close(POLICY, "the page has no access to this file")
                    return
                content = text.encode()
                server.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
                await server.drain()
            await self.socket.close(POLICY, "too many messages")

    async def _to_page(self, server: asyncio.StreamReader) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError, asyncio.IncompleteReadError, ValueError):
            while True:
                length = 0
                while line := (await server.readline()).strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not 0 < length <= MOST_LINE:
                    return
                await self.socket.send_text((await server.readexactly(length)).decode())

    def allows(self, text: str) -> bool:
        """Whether a message is valid, and concerns only files that the page may see."""
        try:
            message = json.loads(text)
            return isinstance(message, dict) and all(map(self._is_inside, _places(message)))
        except (ValueError, RecursionError):
            return False

    def _is_inside(self, uri: str) -> bool:
        split = urlsplit(uri)
        if split.scheme != "file" or split.netloc not in ("", "localhost"):
            return False
        path = Path(url2pathname(unquote(split.path)))
        return path == self.folder.root or (".." not in path.parts and self.folder.name_of(path) is not None)


def _places(message: Any, depth: int = 0) -> Iterator[str]:
    """The addresses of files in a message."""
    if depth > DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(message, dict):
        for key, value in message.items():
            if key in PLACES and isinstance(value, str):
                yield value
            yield from _places(value, depth + 1)
    elif isinstance(message, list):
        for value in message:
            yield from _places(value, depth + 1)
