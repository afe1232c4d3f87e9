"""Answers the questions of puzzles, each in a process that ends when the answer is no longer wanted, with progress that the
editor can cancel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from rulewright.base.records import frozen
from rulewright.base.refusals import Refused
from rulewright.workers.line_client import ask_once

if TYPE_CHECKING:
    from rulewright.editor.project.workspace import Workspace

    from .editor_server import EditorServer

GRACE = 30.0
"""Seconds beyond its limit after which a silent process is killed."""


@frozen
class Solved:
    """The result of a search: `answer` is the proved answer, if any; `error` is why there is none.

    `refutes` is the puzzle's expected answer if it was found to be wrong.
    """

    status: str = ""
    value: str | None = None
    bound: int | None = None
    answer: str | None = None
    plan: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    refutes: str | None = None

    @property
    def text(self) -> str:
        """The answer in a line, and the plan below it."""
        if self.error:
            return self.error
        proved = f"proved in {self.seconds:.1f} s" if self.answer is not None else f"not proved, bound {self.bound}"
        known = self.answer if self.answer is not None else self.value
        return "\n".join((f"{'no plan found' if known is None else known} ({proved})", *self.plan))


@frozen
class Effort:
    """The limits of one search; a background search has low priority."""

    seconds: float = 60.0
    workers: int = 2
    memory_mib: int = 1024
    background: bool = False


async def solve(workspace: Workspace, path: Path, report: Callable[[str], None], effort: Effort = Effort()) -> Solved:  # noqa: B008 - frozen
    """The answer to a puzzle in its current text; `report` receives progress. Cancelling ends the process."""
    limits = {"seconds": effort.seconds, "workers": effort.workers, "memory_mib": effort.memory_mib}
    job = job_of(workspace, path) | limits | {"background": effort.background}

    def hear(said: dict[str, Any]) -> None:
        report(progress_text(said["best"], said["bound"], said["states"]))

    try:
        found = await ask_once("rulewright.editor.server.solve_process", job, effort.seconds + GRACE, hear)
    except Refused as refused:
        return Solved(error=refused.text)
    return Solved(**{**found, "plan": tuple(step["text"] for step in found["plan"])})


def job_of(workspace: Workspace, path: Path) -> dict[str, Any]:
    """The texts a process needs."""
    opened = {str(open_path): text for open_path, text in workspace.open.items()}
    return {"folder": str(workspace.folder), "open": opened, "path": str(path)}


def progress_text(best: int | None, bound: int | None, states: int) -> str:
    """`best 12, bound 14, 40,960 states`"""
    known = [] if best is None else [f"best {best}"]
    known += [] if bound is None else [f"bound {bound}"]
    return ", ".join([*known, f"{states:,} states"])


# Progress -------------------------------------------------------------------------------------------------------------

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
