"""A plan that lays a given last board, found by playing: a depth-first search that visits each concrete state once.

The tiles come in groups; all of one group are laid before any of the next. So the rounds of a model are tried first, then the
board as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model.state import Move, State
from rulewright.rules.symbolic.circuit import GivenUp
from rulewright.solver.best.problem import Problem

MOST_STATES = 30_000
"""The number of states visited before a board is given up."""

Group = dict[int, int]
"""The kinds of some tiles by cell."""


@define
class Realisation:
    """A search for plays of a problem that lay given tiles on a board."""

    problem: Problem
    board: str
    _seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)
    _states: int = 0

    def plan(self, groups: Sequence[Group], most_states: int = MOST_STATES) -> tuple[Move, ...] | None:
        """A play to its end that lays these tiles and no others; None if there is none. Raises `GivenUp`."""
        self._seen.clear()
        self._states = most_states
        found = self._from(self.problem.root, [dict(group) for group in groups if group])
        return None if found is None else tuple(reversed(found))

    def _from(self, state: State, groups: list[Group]) -> list[Move] | None:
        """The moves from a state on, the last one first."""
        engine = self.problem.engine
        if engine.over(state):
            return None if groups else []
        if not self._is_worth_a_look(state, groups):
            return None
        self._states -= 1
        if self._states < 0:
            raise GivenUp
        before = state[self._column]
        children = [(move, engine.apply(state, move)) for move in engine.legal(state)]
        for move, child in sorted(children, key=lambda found: found[1][self._column] == before):
            left = self._left(before, child[self._column], groups)
            if left is None:
                continue
            found = self._from(child, left)
            if found is not None:
                found.append(move)
                return found
        return None

    @property
    def _column(self) -> int:
        return self.problem.engine.layout.columns[self.board].start

    def _left(self, before: Sequence[int], after: Sequence[int], groups: list[Group]) -> list[Group] | None:
        """The groups left to lay; None if something else was laid."""
        if before == after:
            return groups
        first = dict(groups[0]) if groups else {}
        for cell, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new and first.pop(cell, None) != new:
                return None
        return [first, *groups[1:]] if first else groups[1:]

    def _is_worth_a_look(self, state: State, groups: list[Group]) -> bool:
        """Whether the remaining tiles can still be supplied, and no state was seen that is equal or dominates this one."""
        needed = Counter(kind for group in groups for kind in group.values())
        if needed - Counter(tile for at in self.problem.reachable.supplies for tile in state[at]):
            return False
        key, spent = self.problem.key(state), self.problem.spent(state)
        seen = self._seen.setdefault(key, [])
        if any(all(map(int.__ge__, other, spent)) for other in seen):
            return False
        seen.append(spent)
        return True
