"""Finds an order in which a set of actions can be played, by playing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.base.records import define, field
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.circuit import GivenUp

MOST_STATES = 20_000
"""The number of states visited before a set is given up."""


@define
class Ordering:
    """A search for an order of actions in which each is legal and play is not over before the last."""

    engine: Engine
    question: Question
    _states: int = 0
    _failed: set[frozenset[tuple[Move, int]]] = field(factory=set)

    def plans(self, root: State, actions: Counter[Move]) -> Iterator[tuple[Move, ...]]:
        """The plans, one for each order, with a final `stop` if needed. Raises `GivenUp`."""
        self._states = 0
        self._failed.clear()
        return self._from(root, dict(actions))

    def _from(self, state: State, left: dict[Move, int]) -> Iterator[tuple[Move, ...]]:
        """The ways to finish from a state, as moves."""
        if not left:
            yield from self._end(state)
            return
        key = frozenset(left.items())
        if key in self._failed or self.engine.over(state):
            return
        self._states += 1
        if self._states > MOST_STATES:
            raise GivenUp
        fails = True
        for move in self.engine.legal(state):
            if move in left:
                after = {other: number - (other == move) for other, number in left.items() if other != move or number > 1}
                for found in self._from(self.engine.apply(state, move), after):
                    fails = False
                    yield (move, *found)
        if fails:
            self._failed.add(key)

    def _end(self, state: State) -> Iterator[tuple[Move, ...]]:
        if self.question.until is not None:
            if self.engine.value(self.question.until, state):
                yield ()
        elif self.engine.over(state):
            yield ()
        elif STOP in self.engine.legal(state) and self.engine.over(self.engine.apply(state, STOP)):
            yield (STOP,)
