"""Every plan that is worth as much as the best one, found by looking ahead with a memory of what leads nowhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from attrs import define, field

from ..rules.engine import Engine, Move, State


@define
class BestPlans:
    """Plans from a state whose value at the end is `wanted`; not all of them when the time is up, or when states recur."""

    engine: Engine
    value: Callable[[State], int]
    wanted: int
    deadline: float
    complete: bool = True
    _reaches: dict[State, bool] = field(factory=dict, repr=False)
    _open: set[State] = field(factory=set, repr=False)

    def plans(self, state: State) -> Iterator[tuple[Move, ...]]:
        """The plans in the order of the legal moves."""
        if self.engine.over(state):
            if self.value(state) == self.wanted:
                yield ()
            return
        self._open.add(state)
        for move in self.engine.legal(state):
            after = self.engine.apply(state, move)
            if self._can_reach(after):
                for rest in self.plans(after):
                    yield (move, *rest)
        self._open.discard(state)

    def _can_reach(self, state: State) -> bool:
        """Whether some way on is worth what is wanted."""
        if state in self._open:
            self.complete = False
            return False
        known = self._reaches.get(state)
        if known is None:
            self._open.add(state)
            known = self._reaches[state] = self._look(state)
            self._open.discard(state)
        return known

    def _look(self, state: State) -> bool:
        if self.engine.over(state):
            return self.value(state) == self.wanted
        if time.monotonic() > self.deadline:
            self.complete = False
            return False
        return any(self._can_reach(self.engine.apply(state, move)) for move in self.engine.legal(state))
