"""A strategy that secures an end: a depth-first search of play as a tree of *and* and *or*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rulewright.base.records import define, field
from rulewright.rules.model.state import Move, State

from .claims import Uncertified
from .clocked_play import Play
from .closed_sets import Room

REPEATS = "play can come back to a position, so that nothing shows that it ends"


@define(eq=False)
class _Frame:
    """A state under examination: its moves, and the order in which they are tried."""

    state: State
    moves: list[Move]
    tries: Iterator[int]
    is_choice: bool
    tried: int = -1


@define(eq=False)
class StrategySearch:
    """Seeks moves, where `is_choice`, by which all play ends where `is_sought`."""

    play: Play
    is_choice: Callable[[State], bool]
    is_sought: Callable[[State], bool]
    room: Room
    chosen: dict[State, int] = field(factory=dict, init=False)
    """The moves that secure it, as numbers in the lists of legal moves."""
    _known: dict[State, bool] = field(factory=dict, init=False)
    _settling: Counter[Move] = field(factory=Counter, init=False)

    def secures(self, root: State) -> bool:
        """Whether there is a strategy from a state. Raises `Uncertified` if play may repeat, or memory is used up."""
        if self.play.over(root):
            return self.is_sought(root)
        self.room.clear()
        stack, under_way = [self._frame(root)], {root}
        while stack:
            frame = stack[-1]
            if (at := next(frame.tries, None)) is None:
                self._settle(stack, under_way, not frame.is_choice)
                continue
            child = self.play.apply(frame.state, frame.moves[at])
            frame.tried = at
            found = self.is_sought(child) if self.play.over(child) else self._known.get(child)
            if found is not None:
                self._hear(stack, under_way, found)
            elif child in under_way:
                raise Uncertified(REPEATS)
            else:
                under_way.add(child)
                stack.append(self._frame(child))
                self.room.take(child, frame.state)
        return self._known[root]

    def _frame(self, state: State) -> _Frame:
        """The moves that settled most states before are tried first."""
        moves = self.play.legal(state)
        tries = sorted(range(len(moves)), key=lambda at: -self._settling[moves[at]])
        return _Frame(state, moves, iter(tries), self.is_choice(state))

    def _hear(self, stack: list[_Frame], under_way: set[State], found: bool) -> None:
        """What the move tried last comes to."""
        frame = stack[-1]
        if found is frame.is_choice:
            self._settling[frame.moves[frame.tried]] += 1
            self._settle(stack, under_way, found)

    def _settle(self, stack: list[_Frame], under_way: set[State], found: bool) -> None:
        """The last state is known, perhaps those before it too."""
        while True:
            frame = stack.pop()
            under_way.discard(frame.state)
            self._known[frame.state] = found
            if found and frame.is_choice:
                self.chosen[frame.state] = frame.tried
            if not stack or found is not stack[-1].is_choice:
                return
            before = stack[-1]
            self._settling[before.moves[before.tried]] += 1
