"""The connection of a page: numbered requests with their answers, and notifications."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field
from rulewright.base.refusals import Refused, checked_message, decoded_message, number_in, number_of, refusal_of

from .connection import POLICY, Connection, Disconnected, MessageRate
from .page_requests import PageRequests

WATCHED_EVERY = 1.0
"""The least time between two scans of the files on disk, in seconds."""

SHARE = 20.0
"""Most load: scans take at most one part in so many of the time, however large the folder."""

MOST_AT_ONCE = 32
"""The maximum number of concurrent requests of a page."""

MOST_NUMBER = 2**53
"""The largest number that a page counts to exactly."""


@define(eq=False)
class PageSocket:
    """One open page. What works for it ends with it."""

    connection: Connection
    requests: PageRequests
    _outgoing: asyncio.Queue[dict[str, Any]] = field(factory=asyncio.Queue, init=False)
    _working: dict[int, asyncio.Task[None]] = field(factory=dict, init=False)

    async def serve(self) -> None:
        """Serve until the page disconnects."""
        others = [asyncio.create_task(work) for work in (self.requests.begin(), self._send(), self._watch())]
        rate = MessageRate()
        try:
            while rate.allows() and len(self._working) <= MOST_AT_ONCE:
                self._begin(await self.connection.receive())
            await self.connection.close(POLICY, "too many messages")
        except Disconnected:
            pass
        finally:
            for task in (*others, *self._working.values()):
                task.cancel()
            await self.requests.end()

    def _begin(self, text: str) -> None:
        """Start the request in a message, or cancel the one it names."""
        message: object = None
        try:
            message = decoded_message(text)
            request = checked_message(message)
            number = number_in(request, "id", 0, MOST_NUMBER, -1)
            cancelled = number_in(request, "cancel", 0, MOST_NUMBER, -1) if "cancel" in request else None
        except Refused as refused:
            self._outgoing.put_nowait({"id": number_of(message), "refused": refused.as_data})
            return
        if cancelled is not None:
            if cancelled in self._working:
                self._working[cancelled].cancel()
        elif number not in self._working:
            task = self._working[number] = asyncio.create_task(self._answer(number, request))
            task.add_done_callback(lambda _: self._working.pop(number, None))

    async def _answer(self, number: int, request: dict[str, Any]) -> None:
        def report(progress: Any) -> None:
            self._outgoing.put_nowait({"id": number, "progress": progress})

        try:
            answer = {"done": await self.requests.done(request, report)}
        except (Refused, RulesError, OSError) as error:
            answer = {"refused": self.requests.folder.with_names(refusal_of(error))}
        except asyncio.CancelledError:
            self._outgoing.put_nowait({"id": number, "refused": {"message": "cancelled", "help": "", "cancelled": True}})
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}; this is a bug in Rulewright: please report it"
            answer = {"refused": {"message": what, "help": ""}}
        self._outgoing.put_nowait({"id": number, **answer})

    async def _send(self) -> None:
        with suppress(Disconnected):
            while True:
                await self.connection.send(json.dumps(await self._outgoing.get()))

    async def _watch(self) -> None:
        """Notify the page of files changed on disk."""
        known = await self._versions()
        pause = WATCHED_EVERY
        while True:
            await asyncio.sleep(pause)
            begun = time.monotonic()
            now = await self._versions()
            pause = max(WATCHED_EVERY, SHARE * (time.monotonic() - begun))
            changed = sorted(name for name in {**known, **now} if known.get(name) != now.get(name))
            known = now
            if changed:
                self._outgoing.put_nowait({"event": "disk", "changed": changed, "names": sorted(now)})

    async def _versions(self) -> dict[str, str]:
        try:
            found: dict[str, str] = await self.requests.disk(self.requests.folder.versions)
            return found
        except (Refused, OSError, RulesError):
            return {}
