"""All states that play can come to, with the moves between them, and values that pass backward through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rulewright.base.records import frozen
from rulewright.rules.model.state import State

from .claims import Uncertified
from .closed_sets import Room, closed_set
from .strategies import REPEATS

Outcomes = tuple[tuple[int, Fraction], ...]
"""The numbers of the states to which a move may lead, with their probabilities."""

OUTCOME = 300
"""Bytes for an outcome of a move: two pairs, a fraction and their places. Measured with tracemalloc: 300."""


@frozen(eq=False)
class PlayGraph:
    """States in the order in which they are met, and for each the outcomes of its moves. Play never comes back to a state."""

    states: tuple[State, ...]
    moves: tuple[tuple[Outcomes, ...], ...]
    backward: tuple[int, ...]
    """The states in an order in which those come first to which moves lead."""

    @classmethod
    def of(cls, root: State, played: Callable[[State], Iterator[tuple[tuple[State, Fraction], ...]]], room: Room) -> PlayGraph:
        """Raises `Uncertified` if there is no room for the states, or if play may repeat one."""
        number_of: dict[State, int] = {}
        found: list[list[tuple[tuple[State, Fraction], ...]]] = []

        def expand(state: State, depth: int) -> Iterator[State]:
            found.append(list(played(state)))
            room.spend(OUTCOME * sum(map(len, found[-1])))
            return (child for outcomes in found[-1] for child, _ in outcomes)

        for state, _ in closed_set(root, expand, room):
            number_of[state] = len(number_of)
        moves = tuple(
            tuple(tuple((number_of[child], part) for child, part in outcomes) for outcomes in of_state) for of_state in found
        )
        return cls(tuple(number_of), moves, tuple(reversed(_forward(moves))))

    def counts(self, is_best: Callable[[State], int]) -> list[int]:
        """From each state, the number of ways to play on to an end that is best."""
        found = [0] * len(self.states)
        for at in self.backward:
            moves = self.moves[at]
            found[at] = sum(found[child] for ((child, _),) in moves) if moves else int(is_best(self.states[at]))
        return found

    def expected(self, value: Callable[[State], int], wants_most: Callable[[State], bool]) -> tuple[list[Fraction], list[int]]:
        """The expected value of best play from each state, and the number of a move that has it (0 at an end)."""
        found, best = [Fraction(0)] * len(self.states), [0] * len(self.states)
        for at in self.backward:
            state, moves = self.states[at], self.moves[at]
            if not moves:
                found[at] = Fraction(value(state))
                continue
            means = [sum((part * found[child] for child, part in outcomes), Fraction(0)) for outcomes in moves]
            found[at] = max(means) if wants_most(state) else min(means)
            best[at] = means.index(found[at])
        return found, best


def _forward(moves: tuple[tuple[Outcomes, ...], ...]) -> list[int]:
    """The states in an order in which each comes before those to which its moves lead (Kahn 1962)."""
    before = [0] * len(moves)
    for of_state in moves:
        for outcomes in of_state:
            for child, _ in outcomes:
                before[child] += 1
    order = [0] if not before[0] else []
    for at in order:
        for outcomes in moves[at]:
            for child, _ in outcomes:
                before[child] -= 1
                if not before[child]:
                    order.append(child)
    if len(order) < len(moves):
        raise Uncertified(REPEATS)
    return order
