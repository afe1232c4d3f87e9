"""A question about best play: one player maximises, all others minimise (minimax).

With two players the result is the value of a zero-sum game; with more it rests on the paranoid assumption (Sturtevant and Korf
2000). The value is that of the final state, so the value of a state does not depend on its history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import State
from rulewright.solver.inquiry import Inquiry


@define(eq=False)
class MinimaxProblem(Inquiry):
    """A root and a question `against best play`. Values are signed: more is better for the player who asks."""

    @property
    def chooser(self) -> Callable[[State], int]:
        """A function that returns the player to choose, for states at a choice."""
        return self.engine.chooser

    def no_value(self) -> RulesError:
        """RW374: play can revisit a position, so it need not reach a final state."""
        message = "positions can repeat, so best play may have no last position"
        help = "ask `for` a number of turns, or let the rules forbid repetition, for example by counting moves"
        return RulesError((Diagnostic("RW374", message, (Label(self.question.span),), help),))


class Repeats(Exception):
    """Play can come back to a position that it has passed."""


class TooLarge(Exception):
    """There are more positions to keep than there is time or memory for."""


DEEPEST = 1 << 12
"""Most moves of a line of play."""


class OutOfReach(Exception):
    """The search cannot continue: a line of play is too long."""


class Judge(Protocol):
    """Decides goals until its deadline."""

    @property
    def states(self) -> int:
        """The number of states searched."""

    def judge(self, path: Sequence[Move], goal: int, heard: Callable[[], None]) -> int | None:
        """A bound on the value after the moves of `path`: a lower bound if it reaches `goal`, else an upper bound. None if time
        is up.

        Calls `heard` now and then. Raises `Repeats` where play revisits a position, and `OutOfReach`.
        """
