"""A process that records what it reads the names of: a line `section name`, then a line of JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from types import FrameType

import work_clock

MOST = 30.0
"""Processor seconds after which an entry is given up."""


class TooLong(BaseException):
    """An entry has taken too long."""


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooLong


def main() -> None:
    processor_time = time.process_time
    os.environ["RULEWRIGHT_CACHE"] = ""  # what is kept from run to run changes the states of the next
    work_clock.install()
    from ledger_entries import SECTIONS

    signal.signal(signal.SIGPROF, _give_up)
    for line in sys.stdin:
        section, name = line.rstrip("\n").split(" ", 1)
        began = processor_time()
        signal.setitimer(signal.ITIMER_PROF, MOST)
        try:
            entry = SECTIONS[section](name)
        except TooLong:
            entry = {"skipped": f"more than {MOST:.0f} s of processor time"}
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps([entry, processor_time() - began]), flush=True)


if __name__ == "__main__":
    main()
