"""Long work, shown as progress that the editor can cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from lsprotocol import types

from .editor_server import EditorServer

Result = TypeVar("Result")


async def with_progress(
    ls: EditorServer, title: str, work: Callable[[Callable[[str], None]], Awaitable[Result]]
) -> Result | None:
    """The result of some work, which receives a function to report its progress; None if the editor cancels it."""
    token = await _begin(ls, title)

    def report(known: str) -> None:
        if token is not None:
            ls.work_done_progress.report(token, types.WorkDoneProgressReport(cancellable=True, message=known))

    task = asyncio.ensure_future(work(report))
    ls.solving.add(task)
    if token is not None:
        ls.work_done_progress.tokens[token].add_done_callback(lambda _: task.cancel())
    try:
        return await task
    except asyncio.CancelledError:
        return None
    finally:
        ls.solving.discard(task)
        if token is not None:
            ls.work_done_progress.end(token, types.WorkDoneProgressEnd())
            ls.work_done_progress.tokens.pop(token, None)


async def _begin(ls: EditorServer, title: str) -> str | None:
    """Start showing progress, if the editor supports it."""
    window = ls.client_capabilities.window
    if window is None or not window.work_done_progress:
        return None
    ls.runs += 1
    token = f"rulewright-{ls.runs}"
    with suppress(Exception):
        await ls.work_done_progress.create_async(token)
        ls.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
        return token
    return None
