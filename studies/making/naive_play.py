"""Naive players with a lookahead of a few moves.

They rank states by static value, then by the number of tiles on the boards. Among equals they prefer acting to stopping, and
choose at random among the rest, like `simulate --policy greedy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import State
from rulewright.rules.semantics.rng import mix
from rulewright.solver.playouts.policies import seeds

from .move_values import NO_PLAN, MoveValues

GREEDY, SHALLOW = 1, 2
"""The lookaheads, in moves."""

GAMES = 50
"""The number of games that measure naive play."""

LONGEST_GAME = 200
"""A game with more moves counts as reaching nothing."""

MOST_STATES = 20_000
"""The maximum number of states in the enumeration of all games."""

Worth = tuple[int, int]
"""The static value of a state, then the number of tiles laid."""


@frozen
class NaiveResult:
    """The best result of naive play: over some games, and over all, whatever the tie-breaks (None: unknown)."""

    of_some: int
    of_all: int | None


@define(eq=False)
class NaivePlayer:
    """A player with a given lookahead."""

    values: MoveValues
    plies: int
    _known: dict[State, list[Move]] = field(factory=dict, init=False)

    def choices(self, state: State, moves: Sequence[Move]) -> list[Move]:
        """The moves that look best."""
        looks = [(self._seen(state, move), move != STOP) for move in moves]
        best = max(looks)
        return [move for move, look in zip(moves, looks, strict=True) if look == best]

    def of_some(self) -> int:
        """The best result of some games of such play; ties are broken at random, always with the same seeds.

        Against best play only the first move is naive, over all tie-breaks, and the rest optimal. Raises `Unproved`.
        """
        values = self.values
        if values.question.others is Others.AGAINST:
            root = values.position.root
            return max(values.after(root, move) for move in self.choices(root, values.engine.legal(root)))
        return max(self._game(seeds(number)) for number in range(GAMES))

    def of_all(self) -> int | None:
        """The best result of any game of such play; None if there are too many states. Raises `Unproved`."""
        values, engine, shortest = self.values, self.values.engine, self.values.shortest
        if values.question.others is Others.AGAINST:
            return self.of_some()
        root = values.position.root
        best, numbers, done = NO_PLAN, count(), set[State]()
        pending = [(0 if shortest is None else shortest.root_cost, next(numbers), root)]
        while pending:  # least cost first, as in Dijkstra's algorithm
            cost, _, state = heappop(pending)
            if state in done:
                continue
            if shortest is not None and shortest.reached(state):
                return -cost
            done.add(state)
            if len(done) > MOST_STATES:
                return None
            is_over = engine.over(state)
            if is_over and shortest is None:
                best = max(best, values.standing(state))
            moves = [] if is_over else engine.legal(state)
            for move in self._choices_of(state, moves) if moves else ():
                child = engine.apply(state, move)
                if child not in done:
                    heappush(
                        pending, (cost if shortest is None else shortest.cost_after(cost, state, child), next(numbers), child)
                    )
        return best

    def _game(self, chance: Iterator[int]) -> int:
        """The result of a game; `NO_PLAN` if it does not reach the goal."""
        values, engine, shortest = self.values, self.values.engine, self.values.shortest
        state = values.position.root
        cost = 0 if shortest is None else shortest.root_cost
        for _ in range(LONGEST_GAME):
            if shortest is not None and shortest.reached(state):
                return -cost
            moves = [] if engine.over(state) else engine.legal(state)
            if not moves:
                break
            likely = self._choices_of(state, moves)
            child = engine.apply(state, likely[mix(next(chance)) % len(likely)])
            cost = cost if shortest is None else shortest.cost_after(cost, state, child)
            state = child
        return values.standing(state) if shortest is None and engine.over(state) else NO_PLAN

    def _choices_of(self, state: State, moves: Sequence[Move]) -> list[Move]:
        """As `choices`, cached for states that games reach again."""
        if state not in self._known:
            self._known[state] = self.choices(state, moves)
        return self._known[state]

    def _seen(self, state: State, move: Move) -> Worth:
        return self._reached(self.values.engine.apply(state, move), self.plies - 1)

    def _reached(self, state: State, plies: int) -> Worth:
        engine = self.values.engine
        moves = [] if plies == 0 or engine.over(state) else engine.legal(state)
        if not moves:
            return self.worth(state)
        found = [self._reached(engine.apply(state, move), plies - 1) for move in moves]
        return max(found) if self._is_own_turn(state) else min(found)

    def _is_own_turn(self, state: State) -> bool:
        question = self.values.question
        return question.others is not Others.AGAINST or self.values.engine.chooser(state) == question.player

    def worth(self, state: State) -> Worth:
        """How good a state looks."""
        boards = [column.start for column in self.values.engine.layout.columns.values() if column.variable.is_board]
        return self.values.standing(state), sum(len(state[board]) - state[board].count(0) for board in boards)
