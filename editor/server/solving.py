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

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, field, frozen
from rulewright.base.refusals import Refused
from rulewright.base.spans import NO_SPAN
from rulewright.workers.line_client import ask_once

if TYPE_CHECKING:
    from rulewright.editor.project.workspace import Closure, Workspace

    from .editor_server import EditorServer


GRACE = 30.0
"""Most seconds beyond its limit that a process may be silent; then it is killed."""


@frozen
class Solved:
    """The result of a search; `error` is why there is none. `refutes` is the puzzle's expected answer if it is wrong."""

    value: str | None = None
    bound: int | None = None
    is_proved: bool = False
    plan: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    refutes: str | None = None

    @property
    def answer(self) -> str | None:
        """The proved answer, if any."""
        return self.value if self.is_proved else None

    @property
    def text(self) -> str:
        """The answer in a line, and the plan below it."""
        if self.error:
            return self.error
        proved = f"proved in {self.seconds:.1f} s" if self.is_proved else f"not proved, bound {self.bound}"
        return "\n".join((f"{'no plan found' if self.value is None else self.value} ({proved})", *self.plan))


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
    return Solved(**{**found, "plan": tuple(found["plan"])})


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


# Whether answers still hold ----------------------------------------------------------------------------------------
# Checks in the background whether the answers of open puzzles still hold; abandons this when a text changes.


CODE = "answer"
"""The code of these diagnostics: it has no page, since the text itself has no error."""

DELAY = 1.0
"""Seconds after the last change before a search begins."""

EFFORT = Effort(seconds=10.0, workers=1, memory_mib=512, background=True)
"""The limits of one search. If it settles nothing, nothing is reported."""


@define(eq=False)
class AnswerWatch:
    """The answers of the open puzzles, each with the texts it was found for."""

    server: EditorServer
    is_on: bool = True
    _known: dict[Path, tuple[Closure, Diagnostic | None]] = field(factory=dict, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    def text_changed(self, path: Path) -> None:
        """Handle a changed text: forget results that used it, and re-examine everything open."""
        self.stop()
        for puzzle, (closure, wrong) in list(self._known.items()):
            if path in closure.readings or path == puzzle:
                self._forget(puzzle, wrong)
        if self.is_on:
            self._task = asyncio.get_running_loop().create_task(self._work())

    def of(self, path: Path) -> tuple[Diagnostic, ...]:
        """The diagnostics of a puzzle's answer, as far as known."""
        found = self._known.get(path)
        return () if found is None or found[1] is None else (found[1],)

    def stop(self) -> None:
        """Stop searching."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def idle(self) -> None:
        """Return once no search is pending."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    def _forget(self, puzzle: Path, wrong: Diagnostic | None) -> None:
        del self._known[puzzle]
        if wrong is not None:
            self.server.publish_again(puzzle)

    async def _work(self) -> None:
        await asyncio.sleep(DELAY)
        for queue in list(self.server.queues.values()):
            await queue.idle()
            for path in [path for path in queue.workspace.open if path.suffix == ".puzzle"]:
                await self._look_at(path)

    async def _look_at(self, path: Path) -> None:
        """Find the answer of one puzzle, unless it is known for the current texts, or the puzzle has errors."""
        queue = self.server.queue_of(path)
        closure = queue.workspace.closure((path,))
        kept = self._known.get(path)
        if kept is not None and kept[0].says_what(closure):
            return
        if kept is not None:
            self._forget(path, kept[1])
        puzzle: Any = queue.workspace.reading(path).tree
        if any(not one.warning for one in queue.published.get(path, ())) or getattr(puzzle, "answer", None) is None:
            return
        try:
            solved = await solve(queue.workspace, path, lambda _: None, EFFORT)
        except RulesError:
            return
        wrong = None
        if solved.refutes is not None and puzzle.answer_span is not NO_SPAN:
            wrong = Diagnostic(
                CODE, _message(solved), (Label(puzzle.answer_span),), "solve it to see the plan, or correct the rules"
            )
        self._known[path] = closure, wrong
        if wrong is not None:
            self.server.publish_again(path)


def _message(solved: Solved) -> str:
    if solved.answer is not None:
        return f"the proved answer is {solved.answer}, not {solved.refutes}"
    return (
        f"the answer cannot be {solved.refutes}: it lies between {solved.value}, which is reached, and the bound {solved.bound}"
    )
