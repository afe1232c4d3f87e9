"""The processor time that a case of a campaign may take."""

from __future__ import annotations

import signal
import time
from types import FrameType

from attrs import define, field

from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.cost_bounds import most_steps

SECONDS = 1.0
"""Of processor time, that a case may take, besides what its rules may need by their own bound."""

SECONDS_A_STEP = 1e-7
"""Twice what an evaluation step takes."""

OF_MUCH_WORK = 5_000_000
"""Steps of a list of moves, an effect or a score: rules of which more are possible have the time for one of them besides."""


class TooSlow(BaseException):
    """Not an `Exception`: nothing in between may take it for one of its own."""


@define
class Clock:
    """The processor time that a case may take."""

    began: float = field(factory=time.process_time)
    allowed: float = field(factory=lambda: SECONDS)

    @property
    def seconds(self) -> float:
        """How long the case has been under way."""
        return time.process_time() - self.began

    def start(self) -> None:
        """Raise `TooSlow` when the time is over, again and again: something may swallow the first."""
        signal.setitimer(signal.ITIMER_PROF, max(self.allowed - self.seconds, 1e-3), SECONDS / 10)

    def allow(self, engine: Engine) -> None:
        """More time for rules that may need much by their own bound, which is within the limits."""
        steps = most_steps(engine.instance)
        if steps > OF_MUCH_WORK:
            self.allowed += steps * SECONDS_A_STEP
            self.start()

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)


def too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow
