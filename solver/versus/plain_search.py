"""The null-window search over immutable states, for games that the kernel does not support."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import COUNTED, Move, State
from rulewright.solver.kernel.game_interface import DEEPEST, ENDLESS
from rulewright.solver.result import LISTENING, Limits

from .problem import Clock, MinimaxProblem, OutOfReach, Repeats


class _TimeIsUp(Exception):
    pass


@define(eq=False)
class _Frame:
    """A state on the way from the root, with its untried moves in reverse order."""

    state: State
    clock: Clock
    key: Any
    is_own: bool
    left: list[Move]
    best: int


@define(eq=False)
class PlainSearch:
    """A judge over immutable states; it stores two bounds on the value of each state."""

    problem: MinimaxProblem
    deadline: float
    limits: Limits
    states: int = 0
    _known: dict[Any, tuple[int, int]] = field(factory=dict)

    def judge(
        self, path: Sequence[Move], goal: int, heard: Callable[[], None], most: int | None = None, patience: int = ENDLESS
    ) -> int | None:
        """A bound on the value after the moves of `path`, as specified by `Judge`. Raises errors of play."""
        state = self.problem.root
        for move in path:
            state = self.problem.engine.apply(state, move)
        try:
            return self._value(state, self.problem.clock(path, most), goal, heard)
        except _TimeIsUp:
            return None

    def _value(self, root: State, clock: Clock, goal: int, heard: Callable[[], None]) -> int:
        frames: list[_Frame] = []
        on_path: set[Any] = set()
        found = self._look(root, clock, goal, frames, on_path, heard)
        while frames:
            frame = frames[-1]
            if found is not None:
                frame.best = max(frame.best, found) if frame.is_own else min(frame.best, found)
            if not frame.left or (frame.best >= goal) == frame.is_own:
                frames.pop()
                on_path.remove(frame.key)
                self._remember(frame, goal)
                found = frame.best
            else:
                child = self.problem.engine.apply(frame.state, frame.left.pop())
                found = self._look(child, frame.clock, goal, frames, on_path, heard)
        assert found is not None
        return found

    def _look(
        self, state: State, clock: Clock, goal: int, frames: list[_Frame], on_path: set[Any], heard: Callable[[], None]
    ) -> int | None:
        """A bound on the value of a state that decides the goal; None if a frame was pushed for the state."""
        problem, engine = self.problem, self.problem.engine
        self.states += 1
        if self.states % LISTENING == 0:
            heard()
            if time.monotonic() > self.deadline:
                raise _TimeIsUp
        if engine.over(state):
            return problem.value(state)
        clock = problem.ticked(clock, state)
        key = (problem.key(state), clock.left, clock.turn == state[COUNTED])
        lower, upper = self._known.get(key, (-ENDLESS, ENDLESS))
        if lower >= goal or upper < goal:
            return lower if lower >= goal else upper
        if key in on_path:
            raise Repeats
        if len(frames) >= DEEPEST:
            raise OutOfReach
        moves = engine.legal(state)
        if not moves:
            return problem.value(state)
        if clock.left < 0:
            return goal - 1
        is_own = problem.is_own(state)
        frames.append(_Frame(state, clock, key, is_own, moves[::-1], -ENDLESS if is_own else ENDLESS))
        on_path.add(key)
        return None

    def _remember(self, frame: _Frame, goal: int) -> None:
        if frame.key not in self._known and len(self._known) >= self.limits.states_of():
            return
        lower, upper = self._known.get(frame.key, (-ENDLESS, ENDLESS))
        known = (max(lower, frame.best), upper) if frame.best >= goal else (lower, min(upper, frame.best))
        self._known[frame.key] = known
