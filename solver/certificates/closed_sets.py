"""The states that play can come to, in the order in which a checker meets them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from sys import getsizeof

from rulewright.base.records import define, field
from rulewright.rules.model.state import State
from rulewright.solver.result import LISTENING

from .claims import Uncertified

NUMBERED = 100
"""Bytes for the number of a state that was met, in a set. Measured with tracemalloc, up to a million: 64 to 104."""
WAITING = 60
"""Bytes for a state that waits to be expanded, besides its own."""


@define(eq=False)
class Room:
    """Memory for states, in bytes; `tell` hears how many were met."""

    bytes: int
    tell: Callable[[int], None] = lambda states: None
    _states: int = field(default=0, init=False)
    _used: int = field(default=0, init=False)

    def clear(self) -> None:
        """What was kept is no longer needed."""
        self._states = self._used = 0

    def take(self, state: State, before: State) -> int:
        """Keep a state, which shares its columns with the state before as far as they are the same; the bytes it takes.

        Raises `Uncertified` if the memory is used up.
        """
        self._states += 1
        if not self._states % LISTENING:
            self.tell(self._states)
        own = sum(getsizeof(column) for column, old in zip(state, before, strict=True) if column is not old)
        self.spend(WAITING + getsizeof(state) + own)
        return WAITING + getsizeof(state) + own

    def spend(self, bytes: int) -> None:
        """Keep something else, or give it back. Raises `Uncertified` if the memory is used up."""
        self._used += bytes
        if self._used > self.bytes:
            self.tell(self._states)
            raise Uncertified("its states do not fit into memory, and none may be left out: raise it with `--memory`")


Expand = Callable[[State, int], Iterable[State]]
"""The states to which the moves of a state lead, in order; none if it is not expanded. Given the moves made before it."""


def closed_set(root: State, expand: Expand, room: Room) -> Iterator[tuple[State, int]]:
    """Each state once, in the order in which it is first met, with the fewest moves that lead to it.

    Only those that wait are kept whole. Of the others a number of 64 bits is: if two had the same, the checker would miss one,
    and refuse. Raises `Uncertified` if there is no room for them, and errors of play.
    """
    room.clear()
    met, layer, depth, taken = {_number(root)}, deque([root]), 0, 0
    while layer:
        following, own = deque[State](), 0
        while layer:
            state = layer.popleft()
            yield state, depth
            for child in expand(state, depth):
                if (number := _number(child)) not in met:
                    met.add(number)
                    following.append(child)
                    own += room.take(child, state)
                    room.spend(NUMBERED)
        room.spend(-taken)
        layer, depth, taken = following, depth + 1, own


def _number(state: State) -> int:
    return hash((state, state.count(-1)))  # Python's hashes of -1 and -2 are equal
