"""Runs and times whole processes with their children, and kills them after a time limit."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen


@frozen
class Process:
    """Wall-clock and processor seconds, including children, and the output."""

    seconds: float
    cpu: float
    output: str
    errors: str
    status: int
    overran: bool = False


def run(
    command: Sequence[str], folder: Path, most: float | None = None, environment: Mapping[str, str] | None = None,
    streams: int | None = subprocess.PIPE,
) -> Process:  # fmt: skip
    """Run a command in a folder; after `most` seconds it is killed with its children. With `streams` None, it prints itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    overran = False
    with subprocess.Popen(
        command, cwd=folder, text=True, env={**os.environ, **(environment or {})}, start_new_session=True,
        stdout=streams, stderr=streams,
    ) as process:  # fmt: skip
        try:
            output, errors = process.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            overran = True
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
        seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Process(seconds, cpu, output or "", errors or "", process.returncode, overran)
