"""The steps between cells that a marker may take, given the tiles that may be laid there, and lower bounds on step counts.

A tile once laid is never moved, so a step is impossible if no two tiles that may end up on its cells allow it.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Sequence

from rulewright.base.records import define, field, frozen
from rulewright.rules.spaces.window import Window
from rulewright.solver.best.bounds.movement_rules import MovementRules
from rulewright.solver.cpsat.model.final_board import FinalBoard

FAR = 1 << 20
"""A distance greater than any other."""


@frozen
class Step:
    """A step between two cells: one of the `leaving` kinds must be on the start, and of the `entering` on the end, finally."""

    start: int
    end: int
    leaving: frozenset[int]
    entering: frozenset[int]


@define
class StepGraph:
    """The steps from and to each cell that holds a tile or may get one."""

    board: FinalBoard
    movement: MovementRules
    out: dict[int, list[Step]] = field(factory=dict)
    into: dict[int, list[Step]] = field(factory=dict)
    _distances: dict[int, dict[int, int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        window, tiles = self.window, self.board.tiles
        cells = [cell for cell in range(window.size) if tiles[cell] or cell in self.board.laid]
        self.out = {cell: [] for cell in cells}
        self.into = {cell: [] for cell in cells}
        for cell in cells:
            for place, way in enumerate(self.movement.directions):
                end = window.steps[way][cell]
                step = self._step(cell, end, place) if end in self.into else None
                if step is not None:
                    self.out[cell].append(step)
                    self.into[end].append(step)

    @property
    def window(self) -> Window:
        return self.board.engine.instance.windows[self.board.board]

    def kinds(self, cell: int) -> Sequence[int]:
        """The kinds that may be on a cell in the end, if it has a tile then."""
        return list(self.board.laid.get(cell, ())) or [self.board.tiles[cell]]

    def _step(self, start: int, end: int, place: int) -> Step | None:
        """The step between two cells in one of the directions; None if no tiles allow it."""
        firsts, seconds = self.kinds(start), self.kinds(end)
        if start in self.movement.translatable and end in self.movement.translatable:
            pairs = {(one, other) for one in firsts for other in seconds if self._is_possible(start, one, end, other, place)}
            firsts, seconds = [one for one, _ in pairs], [other for _, other in pairs]
        return Step(start, end, frozenset(firsts), frozenset(seconds)) if firsts else None

    def _is_possible(self, start: int, one: int, end: int, other: int, place: int) -> bool:
        """Whether a marker may step from a tile to another that is there already, or is laid by the step."""
        rules, laid = self.movement, self.board.laid
        if start in laid and end in laid and not self.board.may_be_beside(start, one, end, other):
            return False
        return (one in rules.leaves[place] and other in rules.enters[place]) or (end in laid and other in rules.lays[place])

    def distances(self, start: int) -> dict[int, int]:
        """The least number of steps from a cell to each reachable cell, whatever tiles are laid."""
        found = self._distances.get(start)
        if found is None:
            found = self._distances[start] = {start: 0}
            front = deque([start])
            while front:
                cell = front.popleft()
                for step in self.out[cell]:
                    if step.end not in found:
                        found[step.end] = found[cell] + 1
                        front.append(step.end)
        return found

    def distance(self, start: int, end: int) -> int:
        """The least number of steps between two cells; `FAR` if there is no way."""
        return self.distances(start).get(end, FAR)

    def tiles_needed(self, starts: Iterable[int]) -> dict[int, int]:
        """The least number of tiles that must be laid before a marker stands on a cell, including the tile there."""
        found = dict.fromkeys(starts, 0)
        heap = [(0, cell) for cell in found]
        while heap:
            needed, cell = heapq.heappop(heap)
            if needed > found[cell]:
                continue
            for step in self.out[cell]:
                more = needed + (step.end in self.board.laid)
                if more < found.get(step.end, FAR):
                    found[step.end] = more
                    heapq.heappush(heap, (more, step.end))
        return found
