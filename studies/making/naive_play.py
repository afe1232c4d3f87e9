"""Players who look a few moves ahead and no further.

They go by what a state is worth as it stands, then by how many tiles lie on the boards. Of equals they rather act than stop,
and choose among the rest by chance. So does `simulate --policy greedy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.play.engine import State
from rulewright.rules.semantics.rng import mix
from rulewright.solver.search.playout_policies import seeds

from .move_values import NO_PLAN, MoveValues

GREEDY, SHALLOW = 1, 2
"""How many moves they look ahead."""

GAMES = 50
"""So many games are played to see what naive play comes to."""

LONGEST_GAME = 200
"""A game of more moves comes to nothing."""

MOST_STATES = 20_000
"""Games through more states than these are not all followed."""

Worth = tuple[int, int]
"""What a state is worth as it stands, then the tiles laid."""


@frozen
class NaiveResult:
    """The most that naive play comes to: in some games, and in all, whatever is chosen among equals (None: unknown)."""

    of_some: int
    of_all: int | None


@define(eq=False)
class NaivePlayer:
    """One who looks so many moves ahead."""

    values: MoveValues
    plies: int
    _known: dict[State, list[Move]] = field(factory=dict, init=False)

    def choices(self, state: State, moves: Sequence[Move]) -> list[Move]:
        """The moves that look as good as any."""
        looks = [(self._seen(state, move), move != STOP) for move in moves]
        best = max(looks)
        return [move for move, look in zip(moves, looks, strict=True) if look == best]

    def of_some(self) -> int:
        """The most that some games of such play come to; equals are chosen among by chance, always by the same seeds.

        Against best play only the first move is chosen so, whichever of equals, and then the best ones. Raises `Unproved`.
        """
        values = self.values
        if values.question.others is Others.AGAINST:
            root = values.position.root
            return max(values.after(root, move) for move in self.choices(root, values.engine.legal(root)))
        return max(self._game(seeds(number)) for number in range(GAMES))

    def of_all(self) -> int | None:
        """The most that any game of such play comes to; None where they lead through too many states. Raises `Unproved`."""
        values, engine, shortest = self.values, self.values.engine, self.values.shortest
        if values.question.others is Others.AGAINST:
            return self.of_some()
        root = values.position.root
        best, numbers, done = NO_PLAN, count(), set[State]()
        pending = [(0 if shortest is None else shortest.root_cost, next(numbers), root)]
        while pending:  # the least cost first, as Dijkstra does
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
        """What a game comes to, `NO_PLAN` where it does not come to what is asked."""
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
        """As `choices`, kept of states that games come to again."""
        if state not in self._known:
            self._known[state] = self.choices(state, moves)
        return self._known[state]

    def _seen(self, state: State, move: Move) -> Worth:
        return self._reached(self.values.engine.apply(state, move), self.plies - 1)

    def _reached(self, state: State, plies: int) -> Worth:
        engine = self.values.engine
        moves = [] if plies == 0 or engine.over(state) else engine.legal(state)
        if not moves:
            return self._worth(state)
        found = [self._reached(engine.apply(state, move), plies - 1) for move in moves]
        return max(found) if self._is_own_turn(state) else min(found)

    def _is_own_turn(self, state: State) -> bool:
        question = self.values.question
        return question.others is not Others.AGAINST or self.values.engine.chooser(state) == question.player

    def _worth(self, state: State) -> Worth:
        boards = [column.start for column in self.values.engine.layout.columns.values() if column.variable.is_board]
        return self.values.standing(state), sum(len(state[board]) - state[board].count(0) for board in boards)
