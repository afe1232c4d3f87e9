"""The web socket of the page's editor: relays messages of the Language Server Protocol to and from a server of its own.

The server is that of `rulewright lsp`. Requests may only concern files that the page may see.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from rulewright.base.records import frozen
from rulewright.base.refusals import Refused, checked_message, decoded_message, number_of
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_client import MOST_LINE, end_process, start_module

from .connection import POLICY, Connection, Disconnected
from .language_filter import LanguageFilter
from .message_rate import MessageRate

NORMAL = 1000
"""The close code of an ordinary end."""

INVALID_REQUEST = -32600
"""The protocol's code of a message that is not a valid request."""


@frozen
class LanguageSocket:
    """A web socket between an editor and a language server."""

    connection: Connection
    folder: StudioFolder

    async def serve(self) -> None:
        """Relay messages until one side disconnects."""
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
            with suppress(Disconnected):
                await self.connection.close(NORMAL, "")

    async def _to_server(self, server: asyncio.StreamWriter) -> None:
        rate, messages = MessageRate(), LanguageFilter(self.folder)
        with suppress(Disconnected, OSError):
            while rate.allows():
                text = await self.connection.receive()
                message: object = None
                try:
                    message = decoded_message(text)
                    messages.check(checked_message(message))
                except Refused as refused:
                    await self.connection.send(json.dumps(_refusal(message, refused)))
                    continue
                content = json.dumps(message).encode()
                server.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
                await server.drain()
            await self.connection.close(POLICY, "too many messages")

    async def _to_page(self, server: asyncio.StreamReader) -> None:
        with suppress(Disconnected, OSError, asyncio.IncompleteReadError, ValueError):
            while True:
                length = 0
                while line := (await server.readline()).strip():
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not 0 < length <= MOST_LINE:
                    return
                await self.connection.send((await server.readexactly(length)).decode())


def _refusal(message: object, refused: Refused) -> dict[str, Any]:
    """The answer to a refused message."""
    return {"jsonrpc": "2.0", "id": number_of(message), "error": {"code": INVALID_REQUEST, "message": refused.text}}
