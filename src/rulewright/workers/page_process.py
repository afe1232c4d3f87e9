"""Web workers in place of child processes, where Rulewright runs in a page. The only module of this room that knows the page.

In each worker a script (studio/page/worker.js) has started Python and made the object `rulewright`: `start(module)` starts
another worker, `serve` names what answers the messages to this one, and `say` sends a message to whoever started it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from js import rulewright as page
from pyodide.ffi import create_proxy

from rulewright.base.records import define, field

from .line_client import MOST_LINE


@define(eq=False)
class WorkerProcess:
    """A worker that runs a module: as much of `asyncio.subprocess.Process` as is used here. Its messages are lines."""

    module: str
    stdout: asyncio.StreamReader = field(factory=lambda: asyncio.StreamReader(MOST_LINE), init=False)
    returncode: int | None = field(default=None, init=False)
    _worker: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._worker = page.start(self.module, create_proxy(self._hear))

    def _hear(self, line: str) -> None:
        if self.returncode is None:  # of a worker that was killed, something may still come
            self.stdout.feed_data(line.encode() + b"\n")

    @property
    def stdin(self) -> WorkerProcess:
        return self

    def write(self, line: bytes) -> None:
        self._worker.postMessage(line.decode())

    async def drain(self) -> None:
        pass

    def kill(self) -> None:
        self._worker.terminate()
        self.returncode = -1
        self.stdout.feed_eof()

    async def wait(self) -> int | None:
        return self.returncode


def say(line: str) -> None:
    """Send a message to whoever started this worker."""
    page.say(line)


def serve(answer: Callable[[str], str]) -> None:
    """Answer messages to this worker. What an answer has written is in the browser's storage before it is sent."""
    page.serve(create_proxy(answer))
