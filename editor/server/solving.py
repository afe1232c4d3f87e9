"""Answers to the questions of puzzles, each in a process of its own that ends when the answer is no longer wanted."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.base.records import frozen

if TYPE_CHECKING:
    from rulewright.editor.project.workspace import Workspace

SECONDS, WORKERS, MEMORY_MIB = 60.0, 2, 1024
"""The limits of one answer."""

PATIENCE = 30.0
"""Seconds beyond its limit after which a process that says nothing is ended."""

MOST_LINE = 1 << 22
"""Bytes of a report."""


@frozen
class Solved:
    """The end of a search: `answer` is what the puzzle may expect, where it is proved; `error` is why there is none."""

    status: str = ""
    value: str | None = None
    bound: int | None = None
    answer: str | None = None
    plan: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""

    @property
    def text(self) -> str:
        """The answer in a line, and the plan below it."""
        if self.error:
            return self.error
        proved = f"proved in {self.seconds:.1f} s" if self.answer is not None else f"not proved, bound {self.bound}"
        known = self.answer if self.answer is not None else self.value
        return "\n".join((f"{'nothing found' if known is None else known} ({proved})", *self.plan))


async def solve(workspace: Workspace, path: Path, report: Callable[[str], None], seconds: float = SECONDS) -> Solved:
    """The answer to a puzzle as its text stands; `report` hears what is known meanwhile. To be cancelled ends the process."""
    job = {
        "folder": str(workspace.folder),
        "open": {str(open_path): text for open_path, text in workspace.open.items()},
        "path": str(path),
        "seconds": seconds,
        "workers": WORKERS,
        "memory_mib": MEMORY_MIB,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "rulewright.editor.server.solve_process"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=MOST_LINE,
    )
    try:
        return await asyncio.wait_for(_converse(process, job, report), seconds + PATIENCE)
    except TimeoutError:
        return Solved(error=f"no answer within {seconds:.0f} s")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _converse(process: asyncio.subprocess.Process, job: dict[str, Any], report: Callable[[str], None]) -> Solved:
    """Send the job and listen; the input stays open, for the process ends when it is closed."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(job).encode() + b"\n")
    await process.stdin.drain()
    async for line in process.stdout:
        said = json.loads(line)
        if "error" in said:
            return Solved(error=said["error"])
        if "status" in said:
            return Solved(**{**said, "plan": tuple(said["plan"])})
        report(progress_text(said["best"], said["bound"], said["states"]))
    return Solved(error="the search ended without an answer")


def progress_text(best: int | None, bound: int | None, states: int) -> str:
    """`best 12, bound 14, 40,960 states`"""
    known = [] if best is None else [f"best {best}"]
    known += [] if bound is None else [f"bound {bound}"]
    return ", ".join([*known, f"{states:,} states"])
