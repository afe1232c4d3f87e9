"""The studio's server as a worker of its own page: the same requests and answers, without a server.

Run as a module by the worker's script (studio/page/worker.js), which has made the object `rulewright`: `folder` is the path
of the user's files, `load` and `store` bring them from and to the browser's storage, `listen` names what hears the page.
Boards are shown and texts are checked here; searches run in workers of their own, so that typing never waits for one.
"""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

from js import rulewright as page
from pyodide.ffi import JsException, create_proxy

from rulewright.base.records import define, field
from rulewright.base.refusals import Refused
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.studio.table.table_process import answered
from rulewright.workers.line_server import answer_or_refusal

from .page_requests import PageRequests, Report
from .page_socket import PageSocket

REST = 3.0
"""Seconds after the start until the search's worker is started."""

FULL = "save the file elsewhere (Download), or delete what you no longer need; nothing that was saved before is lost"


@define(eq=False)
class Heard:
    """The connection to the page: messages to it are sent at once, those from it wait here."""

    _waiting: asyncio.Queue[str] = field(factory=asyncio.Queue, init=False)

    def hear(self, text: str) -> None:
        self._waiting.put_nowait(text)

    async def receive(self) -> str:
        return await self._waiting.get()

    async def send(self, text: str) -> None:
        page.tell("page", text)

    async def close(self, code: int, reason: str) -> None:
        page.end(code, reason)


@define(eq=False)
class TableHere:
    """Shows boards in this worker, in place of a `Responder`."""

    _tables: dict[Path, Any] = field(factory=dict, init=False)

    async def start(self) -> None:
        pass

    async def ask(self, request: dict[str, Any], seconds: float, report: Report | None = None) -> dict[str, Any]:
        """The answer to a request. Raises `Refused`."""
        said = answer_or_refusal(partial(answered, self._tables), request, report or (lambda _: None))
        if "refused" in said:
            raise Refused(**said["refused"])
        return dict(said["done"])

    async def end(self) -> None:
        pass


@define(eq=False)
class Storage:
    """The browser's storage: read before work on files and written after it, one work at a time."""

    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def __call__(self, work: Any, *given: Any) -> Any:
        """What the work returns. Raises `Refused` if the browser does not store what it wrote; the files are then as before."""
        async with self._turn:
            await page.load()
            found = work(*given)
            try:
                await page.store()
            except JsException as error:
                await page.load()
                raise Refused(f"the browser did not store it: {error.message or error.name}", FULL) from None
            return found


@define(eq=False)
class Editor:
    """The language server, made when the page first speaks to it."""

    _server: Any = field(default=None, init=False)

    def hear(self, text: str) -> None:
        """Take a message of the page."""
        if self._server is None:
            from rulewright.editor.server.language_server import make_server

            self._server = make_server()
            self._server.protocol.set_writer(self, include_headers=False)
        message = json.loads(text, object_hook=self._server.protocol.structure_message)
        if message.get("method") == "initialize":
            message["params"]["initializationOptions"] = {"answers": False}  # each would take a worker and its start
        self._server.protocol.handle_message(message)

    def write(self, data: bytes) -> None:
        """Send what the server says."""
        page.tell("language", data.decode())

    def close(self) -> None:
        """There is nothing to close."""


def main() -> None:
    """Serve the page as long as this worker lives."""
    connection, editor, storage = Heard(), Editor(), Storage()
    requests = PageRequests(StudioFolder(Path(page.folder)), storage, TableHere())
    serving = asyncio.ensure_future(PageSocket(connection, requests).serve())
    hearers = {"page": connection.hear, "language": editor.hear}
    page.listen(create_proxy(lambda to, text: hearers[to](text)))
    page.tasks = create_proxy((serving, asyncio.ensure_future(prepare(requests))))


async def prepare(requests: PageRequests) -> None:
    """Start the search's worker, which takes seconds, once the page has what it shows."""
    await asyncio.sleep(REST)
    await requests.prepare()


if __name__ == "__main__":
    main()
