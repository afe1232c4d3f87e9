"""Compilation in a child process, which is killed at a deadline or on cancellation; that also frees its memory.

Run as `python -P -m rulewright.subset.compile_process`: it hears assembly and says an object file.
"""

from __future__ import annotations

import threading
from importlib.util import find_spec

from rulewright.workers.child_process import Child, Parent, exit_with_parent

from .refusal import CannotCompile


def to_object(assembly: str, seconds: float, cancelled: threading.Event | None = None) -> bytes:
    """The object file for this processor. Raises `CannotCompile` after `seconds`, or on cancellation.

    Raises `ImportError` without llvmlite; the child could only report that it has no code.
    """
    if find_spec("llvmlite") is None:
        raise ImportError("llvmlite is not installed")
    over = cancelled or threading.Event()
    timeout = min(max(0.0, seconds), threading.TIMEOUT_MAX)
    with Child.of("rulewright.subset.compile_process") as child:

        def end_in_time() -> None:
            over.wait(timeout)
            child.process.kill()

        threading.Thread(target=end_in_time, daemon=True).start()
        try:
            child.send(assembly)
            code: bytes = child.hear()
        except EOFError:
            raise CannotCompile("it was not compiled in time") from None
        finally:
            over.set()
    return code


def main() -> None:
    from . import llvm

    parent = Parent.found()
    assembly = parent.hear()
    exit_with_parent()
    parent.say(llvm.to_object(assembly))


if __name__ == "__main__":
    main()
