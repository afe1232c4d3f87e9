"""A starting folder for an author, made below the folder of the page by `rulewright new`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from rulewright.base.line_client import end_process, start_module
from rulewright.base.refusals import Refused


async def make_variant(folder: Path, name: str, of: str, seconds: float) -> None:
    """Make a folder with a variant of a game and a first puzzle. Raises `Refused` if that is impossible."""
    process = await start_module("rulewright", "new", name, "--of", of, "--json", folder=folder)
    try:
        said, _ = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        raise Refused(f"the variant was not created within {seconds:.0f} s") from None
    finally:
        await end_process(process)
    if process.returncode:
        raise _refusal(said)


def _refusal(said: bytes) -> Refused:
    """Why the command refused."""
    try:
        first = json.loads(said)["diagnostics"][0]
        return Refused(str(first["message"]), str(first.get("help") or ""))
    except (ValueError, KeyError, IndexError, TypeError):
        return Refused("the variant was not created")
