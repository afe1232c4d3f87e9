"""A process that records what it reads the names of: a line `section name`, then a line of JSON. With `--wasm`, kernels run
as WebAssembly.

Each entry is made in a process forked for it, so that what an earlier one has derived and kept moves no reading of the clock.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType

import work_clock

MOST = 30.0
"""Processor seconds after which an entry is given up."""


WARM = "overboard"
"""A puzzle that is answered before all others, so that no entry pays for loading the solver."""


class TooLong(BaseException):
    """An entry has taken too long."""


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooLong


def main() -> None:
    processor_time = time.process_time
    os.environ["RULEWRIGHT_CACHE"] = ""  # what is kept from run to run changes the states of the next
    work_clock.install()
    from wasm_target import as_wasm

    with as_wasm() if "--wasm" in sys.argv else nullcontext():
        serve(processor_time)


def serve(processor_time: Callable[[], float]) -> None:
    from ledger_entries import SECTIONS

    SECTIONS["answers"](WARM)

    signal.signal(signal.SIGPROF, _give_up)
    for line in sys.stdin:
        child = os.fork()
        if child:
            if os.waitpid(child, 0)[1]:
                return
            continue
        section, name = line.rstrip("\n").split(" ", 1)
        began = processor_time()
        signal.setitimer(signal.ITIMER_PROF, MOST)
        try:
            entry = SECTIONS[section](name)
        except TooLong:
            entry = {"skipped": f"more than {MOST:.0f} s of processor time"}
        print(json.dumps([entry, processor_time() - began]), flush=True)
        os._exit(0)


if __name__ == "__main__":
    main()
