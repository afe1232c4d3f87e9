"""The web socket of the page's editor: relays messages of the Language Server Protocol to and from a server of its own.

The server is that of `rulewright lsp`. Requests may only concern files that the page may see.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from rulewright.base.records import frozen
from rulewright.base.refusals import Refused, checked_message, decoded_message, number_of, texts_in
from rulewright.editor.server.convert import path_of
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_client import MOST_LINE, end_process, start_module

from .connection import POLICY, Connection, Disconnected, MessageRate

# Decides which messages of a page reach the language server -----------------------------------------------------------
# Those about files that the page may see.


PLACES = ("uri", "rootUri", "oldUri", "newUri", "targetUri", "baseUri", "rootPath")
"""The keys of messages that hold the address of a file. Under any other key but `text` an address is recognised by its form."""

ABOUT_FILES = ("rulewright.score", "rulewright.trace")
"""The commands whose argument is the address of a file. Whatever else a lens offers, the page does itself."""

ABOUT_WORDS = ("rulewright.explain", "rulewright.seen")
"""The commands whose argument is a word or a text."""


@frozen
class LanguageFilter:
    """The messages to a language server about the files of a folder."""

    folder: StudioFolder

    def check(self, message: dict[str, Any]) -> None:
        """Raise `Refused` unless the message may pass."""
        if message.get("method") == "workspace/executeCommand":
            self._check_command(message.get("params"))
        for address in _addresses(message):
            self._check_address(address)

    def _check_command(self, params: object) -> None:
        if not isinstance(params, dict) or params.get("command") not in (*ABOUT_FILES, *ABOUT_WORDS):
            raise Refused("the page has no such command")
        if params["command"] in ABOUT_FILES:
            for argument in texts_in(params, "arguments"):
                self._check_address(argument)

    def _check_address(self, address: str) -> None:
        path = path_of(address)
        if path is None or (path != self.folder.root and (".." in path.parts or self.folder.name_of(path) is None)):
            raise Refused("the page has no access to this file")


def _addresses(value: Any, key: str = "") -> Iterator[str]:
    """The texts in a message that name files, or might."""
    match value:
        case str():
            if key in PLACES or (key != "text" and value.lstrip().lower().startswith("file:")):
                yield value
        case dict():
            for name, inner in value.items():
                yield from _addresses(name)
                yield from _addresses(inner, name)
        case list():
            for inner in value:
                yield from _addresses(inner, key)


# The web socket of the page's editor ----------------------------------------------------------------------------------


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
