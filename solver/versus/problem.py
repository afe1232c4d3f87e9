"""A question about best play: one player maximises, all others minimise (minimax), or help where they play `together`.

With two players the result is the value of a zero-sum game; with more it rests on the paranoid assumption (Sturtevant and Korf
2000). The value is that of the final state, so the value of a state does not depend on its history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, evolve, frozen
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.model.state import COUNTED, Move, State
from rulewright.solver.inquiry import Inquiry
from rulewright.solver.kernel.game_interface import ENDLESS


@define(eq=False)
class MinimaxProblem(Inquiry):
    """A root and a question `against best play`. Values are signed: more is better for the player who asks."""

    @property
    def chooser(self) -> Callable[[State], int]:
        """A function that returns the player to choose, for states at a choice."""
        return self.engine.chooser

    @property
    def is_together(self) -> bool:
        """Whether the others help."""
        return self.question.others is Others.TOGETHER

    @property
    def extremes(self) -> tuple[int, int]:
        """The least and the greatest value that can be."""
        return (-1, 1) if self.question.goal is Goal.WIN else (-ENDLESS, ENDLESS)

    def is_own(self, state: State) -> bool:
        """Whether whoever chooses in a state wants more for the player who asks."""
        return self.is_together or self.chooser(state) == self.player

    def clock(self, path: Sequence[Move], most: int | None = None) -> Clock:
        """The turns that the player who asks has left after a path, of at most so many from its end on (None: as the question
        says, from the root on)."""
        state, clock = self.root, Clock(self.question.own_turns or 0)
        for move in path:
            clock = self.ticked(clock, state)
            state = self.engine.apply(state, move)
        return clock if most is None else evolve(clock, left=most)

    def ticked(self, clock: Clock, state: State) -> Clock:
        """The clock at a choice: the first of a turn of the player who asks takes one of those left."""
        if self.question.own_turns is None or self.chooser(state) != self.player:
            return clock
        if self.question.horizon is not None and state[COUNTED] == clock.turn:
            return clock
        return Clock(clock.left - 1, state[COUNTED])

    def no_value(self) -> RulesError:
        """RW374: play can revisit a position, so it need not reach a final state."""
        message = "positions can repeat, so best play may have no last position"
        help = "ask `for` a number of turns, or let the rules forbid or count repetitions, by a record of positions"
        return RulesError((Diagnostic("RW374", message, (Label(self.question.span),), help),))


@frozen
class Clock:
    """How many own turns (or moves) are left, where the question limits them, and the number of the last turn begun."""

    left: int
    turn: int = -1


class Repeats(Exception):
    """Play can come back to a position that it has passed."""


class TooLarge(Exception):
    """There are more positions to keep than there is time or memory for."""


class OutOfReach(Exception):
    """The search cannot continue: a line of play is too long."""


class Judge(Protocol):
    """Decides goals until its deadline."""

    @property
    def deadline(self) -> float:
        """When `time.monotonic()` is this, time is up."""

    @property
    def states(self) -> int:
        """The number of states searched."""

    def judge(
        self, path: Sequence[Move], goal: int, heard: Callable[[], None], most: int | None = None, patience: int = ENDLESS
    ) -> int | None:
        """A bound on the value after the moves of `path`: a lower bound if it reaches `goal`, else an upper bound. None if time
        is up; it may be None, too, if that takes more states than `patience`. `most` own turns may follow, as in
        `MinimaxProblem.clock`.

        Calls `heard` now and then. Raises `Repeats` where play revisits a position, and `OutOfReach`.
        """
