"""Whole processes of `rulewright`: how long they take, and the memory of each with all its children (Linux)."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from attrs import frozen

OFTEN = 0.05
"""Seconds between looks at the memory."""


@frozen
class Process:
    """Seconds by the clock and of processors, MiB of memory of the whole family at most."""

    seconds: float
    cpu: float
    memory: int
    output: str


def run(arguments: list[str], folder: Path, cache: Path) -> Process:
    """`rulewright` with these arguments in a folder, with its machine code in another. Raises `CalledProcessError`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    most = 0
    with subprocess.Popen(
        [sys.executable, "-m", "rulewright", *arguments], cwd=folder, text=True,
        env={**os.environ, "RULEWRIGHT_CACHE": str(cache)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        while process.poll() is None:
            most = max(most, sum(map(_resident, family(process.pid))))
            time.sleep(OFTEN)
        seconds = time.perf_counter() - began
        assert process.stdout is not None
        output = process.stdout.read()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Process(seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, most >> 10, output)


def family(process: int) -> list[int]:
    """A process and all that it has started, and these."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        fields = _read(path).rpartition(")")[2].split()
        if fields:
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found


def _resident(process: int) -> int:
    lines = _read(Path(f"/proc/{process}/status")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
