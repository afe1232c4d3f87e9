"""What is to be expected, by plain enumeration: every element that chance may pick, nothing remembered.

It shares nothing with the solver, nor the scripts by which that plays every outcome: chance itself is replaced in the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import prod
from unittest.mock import patch

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import SEED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.pycode.compiled_game import RUNTIME


class TooMany(Exception):
    """More positions than are worth enumerating."""


class Enumeration:
    """Counts the positions looked at, at most `most`."""

    def __init__(self, engine: Engine, question: Question, most: int = 20_000) -> None:
        self.question, self.left = question, most
        self.picks: tuple[int, ...] = ()
        self.asked: list[int] = []
        self.engine = Engine(engine.game, engine.instance, engine.layout, engine.flow, engine.horizon)
        with patch.dict(RUNTIME, {"drawn": self._drawn}):
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
        if self.question.is_against:
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


class BeliefEnumeration:
    """What is to be expected where nobody sees the order of some piles: every order, as far as nobody can tell them apart.

    Positions that look alike are one belief, and a move is chosen for all of them. The rules are played as they are written.
    """

    def __init__(self, engine: Engine, question: Question, piles: Sequence[str], most: int = 20_000) -> None:
        self.question, self.left = question, most
        self.picks: tuple[int, ...] = ()
        self.asked: list[int] = []
        self.columns = [engine.layout.position(pile, None) for pile in piles]
        self.engine = Engine(engine.game, engine.instance, engine.layout, engine.flow, engine.horizon)
        with patch.dict(RUNTIME, {"shuffled": self._shuffled}):
            self.engine.compile()

    def _shuffled(self, tiles: Sequence[int], seed: int) -> tuple[tuple[int, ...], int]:
        orders = sorted(permutations(tiles))
        self.asked.append(len(orders))
        return orders[self.picks[len(self.asked) - 1] if len(self.asked) <= len(self.picks) else 0], seed

    def at_first(self, state: State) -> dict[State, Fraction]:
        """The belief in which each order of the piles of a state is as likely."""
        belief = {state: Fraction(1)}
        for column in self.columns:
            orders = sorted(permutations(state[column]))
            found: dict[State, Fraction] = defaultdict(Fraction)
            for known, share in belief.items():
                for order in orders:
                    found[(*known[:column], order, *known[column + 1 :])] += share / len(orders)
            belief = found
        return belief

    def value(self, belief: dict[State, Fraction]) -> Fraction:
        """The best expected value of a belief, times its probability."""
        self.left -= 1
        if not self.left:
            raise TooMany
        one = next(iter(belief))
        if self.engine.over(one):
            ends = [
                share * sum(self.engine.value(term, state) for term in self.question.values) for state, share in belief.items()
            ]
            return sum(ends, Fraction(0))
        best: Callable[..., Fraction] = min if self.question.goal is Goal.MINIMISE else max
        return best(self.after(belief, move) for move in self.engine.legal(one))

    def after(self, belief: dict[State, Fraction], move: Move) -> Fraction:
        """The same after a move: what is seen then tells beliefs apart."""
        seen: dict[State, dict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for state, share in belief.items():
            for child, part in self._children(state, move):
                view = tuple(tuple(sorted(part)) if at in self.columns else part for at, part in enumerate(child))
                seen[view][child] += share * part
        return sum((self.value(dict(group)) for group in seen.values()), Fraction(0))

    def _children(self, state: State, move: Move, picks: tuple[int, ...] = ()) -> Iterator[tuple[State, Fraction]]:
        self.asked, self.picks = [], picks
        child, asked = self.engine.apply(state, move), self.asked
        if len(asked) == len(picks):
            yield child, Fraction(1, prod(asked))
            return
        for pick in range(asked[len(picks)]):
            yield from self._children(state, move, (*picks, pick))
