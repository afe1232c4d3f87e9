"""The tree of a game as its players know it: positions that a player cannot tell apart are one information set (Kuhn 1953).

A player sees, after every move, what the rules show them, remembers it all (perfect recall), and knows which moves are legal.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.state import OVER, POINT, Move
from rulewright.rules.play.engine import State
from rulewright.rules.play.knowledge import sight
from rulewright.solver.result import LISTENING

from .expectimax import ExpectationProblem, Outcomes
from .problem import TooLarge

ASKER, OPPONENT = SIDES = (0, 1)
"""The player who asks, for whom more is better, and the other one."""

NOTHING = 0
"""The number of the sequence of no moves."""


_Moved = tuple[int, Move, tuple[Move, ...]]
"""The side that moved, its move, and all that were legal."""


@frozen
class InformationSet:
    """What a player knows at a choice, shown by one of the positions that they cannot tell apart.

    `after` is the number of the player's sequence of own moves before it; their sequences with one of `moves` are numbered
    from `first` on.
    """

    player: int
    after: int
    first: int
    moves: tuple[Move, ...]
    state: State

    @property
    def sequences(self) -> range:
        return range(self.first, self.first + len(self.moves))


@define
class InformationTree:
    """For each side its information sets, each behind those that it follows, and its number of sequences; and the expected
    value of the ends of play, by the sequences of both, which chance may join in many ways."""

    sets: tuple[list[InformationSet], list[InformationSet]] = field(factory=lambda: ([], []))
    sequences: list[int] = field(factory=lambda: [1, 1])
    payoffs: dict[tuple[int, int], Fraction] = field(factory=dict)
    positions: int = 0


@define(eq=False)
class TreeBuilder:
    """Walks every line of play from the `roots`, each with its probability. A choice with one legal move is no choice."""

    problem: ExpectationProblem
    roots: Outcomes
    deadline: float
    most: int
    tree: InformationTree = field(factory=InformationTree, init=False)
    _known: dict[tuple[Any, ...], int] = field(factory=dict, init=False)
    _numbers: dict[tuple[Any, ...], InformationSet] = field(factory=dict, init=False)

    @cached_property
    def _sights(self) -> tuple[Callable[[State], tuple[Any, ...]], ...]:
        engine = self.problem.engine
        others = [player for player in range(1, engine.instance.players + 1) if player != self.problem.player]
        return tuple(sight(engine, player) for player in (self.problem.player, *others))

    def run(self) -> InformationTree:
        """The tree. Raises `TooLarge`, `RulesError` RW384, and any error of play."""
        waiting = [(state, weight, (NOTHING, NOTHING), self._learned(SIDES, state, None)) for state, weight in self.roots]
        engine, tree = self.problem.engine, self.tree
        while waiting:
            state, weight, sequences, known = waiting.pop()
            tree.positions += 1
            if tree.positions % LISTENING == 0 and (time.monotonic() > self.deadline or tree.positions > self.most):
                raise TooLarge
            moves = [] if state[POINT] == OVER else engine.legal(state)
            if not moves:
                gained = weight * self.problem.sign * self.problem.worth(state)
                tree.payoffs[sequences] = tree.payoffs.get(sequences, Fraction(0)) + gained
                continue
            side = ASKER if self.problem.engine.player(state) == self.problem.player else OPPONENT
            found = self._set(side, known[side], sequences[side], state, moves) if len(moves) > 1 else None
            for number, move in reversed(list(enumerate(moves))):
                after = sequences
                if found is not None:
                    own = found.first + number
                    after = (own, sequences[OPPONENT]) if side == ASKER else (sequences[ASKER], own)
                for next_state, probability in self.problem.outcomes(state, move):
                    learned = self._learned(known, next_state, (side, move, tuple(moves)))
                    waiting.append((next_state, weight * probability, after, learned))
        return tree

    def _learned(self, known: tuple[int, ...], state: State, moved: _Moved | None) -> tuple[int, ...]:
        """The numbers of what the players know, once they also see a state, and who has moved what they did and could do."""
        found = []
        for side, (before, see) in enumerate(zip(known, self._sights, strict=False)):
            own = moved if moved is not None and moved[0] == side else None
            found.append(self._known.setdefault((before, own, see(state)), len(self._known) + len(SIDES)))
        return tuple(found)

    def _set(self, side: int, known: int, after: int, state: State, moves: list[Move]) -> InformationSet:
        key = (known, tuple(moves))
        found = self._numbers.get(key)
        if found is None:
            tree, player = self.tree, self.problem.engine.player(state)
            found = InformationSet(player, after, tree.sequences[side], tuple(moves), state)
            self._numbers[key] = found
            tree.sets[side].append(found)
            tree.sequences[side] += len(moves)
        assert found.after == after, "who knows the same has moved the same"
        return found
