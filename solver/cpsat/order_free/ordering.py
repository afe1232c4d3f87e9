"""An order in which a set of actions can be played, found by playing it."""

from __future__ import annotations

from collections import Counter

from attrs import field

from rulewright.base.records import define
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine

MOST_STATES = 20_000
"""How many states are looked at before a set is given up."""


class TooManyOrders(Exception):
    """A set of actions of which it is not known whether it can be played."""


@define
class Ordering:
    """A search for an order of actions in which each is legal, and play is not over before the last one."""

    engine: Engine
    question: Question
    _states: int = 0
    _failed: set[frozenset[tuple[Move, int]]] = field(factory=set)

    def plan(self, root: State, actions: Counter[Move]) -> tuple[Move, ...] | None:
        """The plan, with the `stop` that it may need; None where there is none. Raises `TooManyOrders`."""
        self._states = 0
        self._failed.clear()
        found = self._from(root, dict(actions))
        return None if found is None else tuple(reversed(found))

    def _from(self, state: State, left: dict[Move, int]) -> list[Move] | None:
        """The moves from a state on, the last one first."""
        if not left:
            return self._end(state)
        key = frozenset(left.items())
        if key in self._failed or self.engine.over(state):
            return None
        self._states += 1
        if self._states > MOST_STATES:
            raise TooManyOrders
        for move in self.engine.legal(state):
            if move in left:
                after = {other: number - (other == move) for other, number in left.items() if other != move or number > 1}
                found = self._from(self.engine.apply(state, move), after)
                if found is not None:
                    found.append(move)
                    return found
        self._failed.add(key)
        return None

    def _end(self, state: State) -> list[Move] | None:
        if self.question.until is not None:
            return [] if self.engine.value(self.question.until, state) else None
        if self.engine.over(state):
            return []
        if STOP in self.engine.legal(state) and self.engine.over(self.engine.apply(state, STOP)):
            return [STOP]
        return None
