"""The states that play can come to, in the order in which a checker meets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.base.records import define
from rulewright.rules.play.engine import State
from rulewright.solver.result import LISTENING

from .claims import Uncertified


@define(eq=False)
class Room:
    """How many states fit; `tell` hears how many were met."""

    most: int
    tell: Callable[[int], None] = lambda states: None

    def check(self, states: int) -> None:
        """Raises `Uncertified` if there are too many states."""
        if states > self.most:
            self.tell(states)
            raise Uncertified(f"its states do not fit into memory: more than {self.most:,} were met, and none may be left out")
        if not states % LISTENING:
            self.tell(states)


Expand = Callable[[State, int], Iterable[State]]
"""The states to which the moves of a state lead, in order; none if it is not expanded. Given the moves made before it."""


def closed_set(root: State, expand: Expand, room: Room) -> Iterator[tuple[State, int]]:
    """Each state once, in the order in which it is first met, with the fewest moves that lead to it.

    Raises `Uncertified` if there is no room for them, and errors of play.
    """
    met, layer, depth = {root}, [root], 0
    while layer:
        following: list[State] = []
        for state in layer:
            yield state, depth
            for child in expand(state, depth):
                if child not in met:
                    met.add(child)
                    following.append(child)
                    room.check(len(met))
        layer, depth = following, depth + 1
