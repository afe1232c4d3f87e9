"""Ctrl-C while something can still be said: the work stops, what it found is printed, and the run ends as interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rulewright.base.records import define


@define
class Interrupted:
    """Whether the user has interrupted."""

    happened: bool = False


@contextmanager
def noticing_interrupts() -> Iterator[Interrupted]:
    """Remember an interrupt, whoever handles the `KeyboardInterrupt` that it still raises; one that comes out ends here."""
    noticed = Interrupted()

    def notice(number: int, frame: FrameType | None) -> None:
        noticed.happened = True
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, notice)
    try:
        yield noticed
    except KeyboardInterrupt:
        noticed.happened = True
    finally:
        signal.signal(signal.SIGINT, before)
