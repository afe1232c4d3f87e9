"""Talk with a process that does one job: the job goes in as a line of JSON, progress and the result come out."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.base.child_process import exit_with_parent
from rulewright.base.diagnostics import RulesError

PATIENCE = 30.0
"""Seconds beyond its limit after which a process that says nothing is ended."""

MOST_LINE = 1 << 22
"""Bytes of a report."""

BACKGROUND = 10
"""How far a process that nobody waits for goes behind others."""

Report = Mapping[str, Any]


# Of the server --------------------------------------------------------------------------------------------------------


async def ask(module: str, job: Report, hear: Callable[[Report], None], seconds: float) -> Report:
    """The result of a job, or its `error`; `hear` gets what is reported meanwhile. To be cancelled ends the process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=MOST_LINE,
    )
    try:
        return await asyncio.wait_for(_converse(process, job, hear), seconds + PATIENCE)
    except TimeoutError:
        return {"error": f"no answer within {seconds:.0f} s"}
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _converse(process: asyncio.subprocess.Process, job: Report, hear: Callable[[Report], None]) -> Report:
    """Send the job and listen; the input stays open, for the process ends when it is closed."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(job).encode() + b"\n")
    await process.stdin.drain()
    async for line in process.stdout:
        said = json.loads(line)
        if "result" in said:
            result: Report = said["result"]
            return result
        if "error" in said:
            return {"error": said["error"]}
        hear(said)
    return {"error": "the process ended without an answer"}


# Of the process -------------------------------------------------------------------------------------------------------


def do_job(work: Callable[[Report], Report]) -> None:
    """Read the job, do it, and say what came of it; end when the server does."""
    job: Report = json.loads(sys.stdin.readline())
    exit_with_parent()
    if job.get("background"):
        os.nice(BACKGROUND)
    try:
        say({"result": work(job)})
    except RulesError as error:
        say({"error": "; ".join(diagnostic.message for diagnostic in error.diagnostics)})
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}; this is a bug in us"})


def say(report: Report) -> None:
    """Tell the server something."""
    print(json.dumps(report), flush=True)
