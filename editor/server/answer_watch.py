"""Checks in the background whether the answers of open puzzles still hold; abandons this when a text changes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN

from .solving import Effort, Solved, solve

if TYPE_CHECKING:
    from rulewright.editor.project.workspace import Closure

    from .editor_server import EditorServer

CODE = "answer"
"""The code of these diagnostics: it has no page, since the text itself has no error."""

HELP = "solve it to see the plan, and correct the answer or the rules"

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
