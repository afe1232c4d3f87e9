"""Worker processes of a server: they answer lines of JSON and are ended together with all that they started."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from rulewright.base.host import IN_PAGE
from rulewright.base.records import define, field
from rulewright.base.refusals import Refused

from .child_process import command

MOST_LINE = 1 << 26
"""Most bytes of an answer."""

Report = Callable[[Any], None]
"""Receives the progress of a request."""


@define(eq=False)
class Responder:
    """A process that runs a module of Rulewright; it starts on the first request and restarts after it was ended."""

    module: str
    _process: Any = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    @property
    def runs(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start the process ahead of the first request."""
        async with self._turn:
            await self._started()

    async def ask(self, request: dict[str, Any], seconds: float, report: Report | None = None) -> dict[str, Any]:
        """The answer to a request; `report` receives its progress.

        The process is ended on cancellation and after `seconds`. Raises `Refused` if it refuses the request or gives no answer.
        """
        async with self._turn:
            try:
                return await asyncio.wait_for(self._conversation(request, report), seconds)
            except TimeoutError:
                await self.end()
                help = "the rules may be too expensive; another attempt follows when they change"
                raise Refused(f"no answer within {seconds:.0f} s", help) from None
            except (asyncio.CancelledError, OSError, ValueError) as error:
                await self.end()
                if type(error) is ValueError:  # of `readline`
                    raise Refused(f"the answer is longer than {MOST_LINE >> 20} MiB", "ask for less at once") from None
                raise

    async def _conversation(self, request: dict[str, Any], report: Report | None) -> dict[str, Any]:
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        await process.stdin.drain()
        async for line in process.stdout:
            said = json.loads(line)
            if "refused" in said:
                raise Refused(**said["refused"])
            if "done" in said:
                done: dict[str, Any] = said["done"]
                return done
            if report is not None:
                report(said["progress"])
        await self.end()
        raise Refused("the process ended without an answer", "it may have run out of memory; try a smaller board")

    async def _started(self) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_module(self.module)
        return self._process

    async def end(self) -> None:
        """End the process, if it is running."""
        process, self._process = self._process, None
        if process is not None:
            await end_process(process)


async def ask_once(module: str, request: dict[str, Any], seconds: float, report: Report | None = None) -> dict[str, Any]:
    """The answer of a process that runs for this request only. Raises `Refused` as `Responder.ask` does."""
    child = Responder(module)
    try:
        return await child.ask({**request, "id": 0}, seconds, report)
    finally:
        await child.end()


async def start_module(*arguments: str) -> Any:
    """Start a module of Rulewright: an `asyncio.subprocess.Process`, in a page a worker."""
    if IN_PAGE:
        from .page_process import WorkerProcess

        return WorkerProcess(*arguments)
    return await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=MOST_LINE,
        start_new_session=True,
    )


async def end_process(process: Any) -> None:
    """End a process with all that it has started."""
    if process.returncode is None:
        try:
            if IN_PAGE or sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    # Shielded: the caller may be cancelled, and the process has to be waited for.
    await asyncio.shield(process.wait())
