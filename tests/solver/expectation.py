"""What is to be expected, by plain enumeration: every element that chance may pick, nothing remembered.

It shares nothing with the solver, nor the scripts by which that plays every outcome: chance itself is replaced in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from unittest.mock import patch

from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import SEED
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.pycode import from_game


class TooMany(Exception):
    """More positions than are worth enumerating."""


class Enumeration:
    """Counts the positions looked at, at most `most`."""

    def __init__(self, engine: Engine, question: Question, most: int = 20_000) -> None:
        self.question, self.left = question, most
        self.picks: tuple[int, ...] = ()
        self.asked: list[int] = []
        self.engine = Engine(engine.game, engine.instance, engine.layout, engine.flow, engine.horizon)
        with patch.object(from_game, "drawn", self._drawn):
            self.engine.compile()

    def _drawn(self, items: Sequence[int], seed: int) -> tuple[int, int]:
        self.asked.append(len(items))
        at = self.picks[len(self.asked) - 1] if len(self.asked) <= len(self.picks) else 0
        return items[at], seed

    def value(self, state: State) -> Fraction:
        """The best expected value from a state on."""
        self.left -= 1
        if not self.left:
            raise TooMany
        if self.engine.over(state):
            return self._end(state)
        least = self.question.goal is Goal.MINIMISE
        if self.question.others is Others.AGAINST:
            least ^= self.engine.player(state) != self.question.player
        best: Callable[..., Fraction] = min if least else max
        return best(self.after(state, move) for move in self.engine.legal(state))

    def after(self, state: State, move: Move) -> Fraction:
        """The expected value after a move: the mean over all that chance may pick, one after the other."""
        return sum((share * self.value(child) for child, share in self._children(state, move)), Fraction(0))

    def _end(self, state: State) -> Fraction:
        total = sum(self.engine.value(term, state) for term in self.question.values)
        return Fraction(total >= self.question.threshold if self.question.goal is Goal.REACH else total)

    def _children(self, state: State, move: Move, picks: tuple[int, ...] = ()) -> Iterator[tuple[State, Fraction]]:
        self.asked, self.picks = [], picks
        child, asked = self.engine.apply(state, move), self.asked
        assert child[SEED] == state[SEED]
        if len(asked) == len(picks):
            share = Fraction(1)
            for number in asked:
                share /= number
            yield child, share
            return
        for pick in range(asked[len(picks)]):
            yield from self._children(state, move, (*picks, pick))
