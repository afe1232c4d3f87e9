"""Whole processes: how long they take, and the memory of each with all its children (Linux)."""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

INTERVAL = 0.05
"""Seconds between two samples of the memory."""


@frozen
class Process:
    """Seconds by the clock and of processors, the peak of MiB of the process with its children, and what it wrote."""

    seconds: float
    cpu: float
    memory: int
    output: str
    errors: str
    status: int
    overran: bool = False


def run(command: Sequence[str], folder: Path, most: float = math.inf, environment: Mapping[str, str] | None = None) -> Process:
    """Run a command in a folder; after `most` seconds it is killed with its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    peak, overran = 0, False
    with subprocess.Popen(
        command, cwd=folder, text=True, env={**os.environ, **(environment or {})}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        while True:
            try:
                output, errors = process.communicate(timeout=INTERVAL)
                break
            except subprocess.TimeoutExpired:
                peak = max(peak, sum(map(_resident, family(process.pid))))
            if time.perf_counter() - began > most:
                overran = True
                os.killpg(process.pid, signal.SIGKILL)
        seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Process(seconds, cpu, peak >> 10, output, errors, process.returncode, overran)


def family(process: int) -> list[int]:
    """A process and its descendants."""
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
    """KiB of resident memory."""
    lines = _read(Path(f"/proc/{process}/status")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
