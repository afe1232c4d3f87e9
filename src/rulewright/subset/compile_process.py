"""Compilation in a child process, which is killed at a deadline or on cancellation; that also frees its memory.

Run as `python -m rulewright.subset.compile_process`: it reads assembly, preceded by its length, and writes an object file in
the same format. It exits when its input is closed, including when the parent is killed.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import suppress
from importlib.util import find_spec

from rulewright.base.child_process import exit_with_parent

from .refusal import CannotCompile

LENGTH = 8
"""Bytes of a length field."""


def to_object(assembly: str, seconds: float, cancelled: threading.Event | None = None) -> bytes:
    """The object file for this processor. Raises `CannotCompile` after `seconds`, or on cancellation.

    Raises `ImportError` without llvmlite; the child could only report that it has no code.
    """
    if find_spec("llvmlite") is None:
        raise ImportError("llvmlite is not installed")
    text = assembly.encode()
    command = [sys.executable, "-P", "-m", "rulewright.subset.compile_process"]
    code = b""
    # A child that is ended early breaks the pipe, perhaps only when the remaining input is flushed at the end.
    with (
        suppress(BrokenPipeError),
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        over = cancelled or threading.Event()
        timeout = min(max(0.0, seconds), threading.TIMEOUT_MAX)

        def end_in_time() -> None:
            over.wait(timeout)
            process.kill()

        threading.Thread(target=end_in_time, daemon=True).start()
        try:
            process.stdin.write(len(text).to_bytes(LENGTH, "big") + text)
            process.stdin.flush()
            code = process.stdout.read()
        finally:
            over.set()
            process.kill()
    size = int.from_bytes(code[:LENGTH], "big")
    if not code or len(code) != LENGTH + size:
        raise CannotCompile("it was not compiled in time")
    return code[LENGTH:]


def main() -> None:
    from . import llvm

    source = sys.stdin.buffer
    assembly = source.read(int.from_bytes(source.read(LENGTH), "big")).decode()
    exit_with_parent()
    code = llvm.to_object(assembly)
    sys.stdout.buffer.write(len(code).to_bytes(LENGTH, "big") + code)


if __name__ == "__main__":
    main()
