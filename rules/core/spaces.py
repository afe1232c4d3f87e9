"""Functions of a space of the core, computed by walking its steps."""

from __future__ import annotations

from rulewright.base.records import define, field

from .program import Core, Space

NONE = -1
"""No direction, and no distance."""


@define
class SpaceFunctions:
    """The functions of one space; `nowhere` is the number after the last cell."""

    space: Space
    steps: tuple[tuple[int, ...], ...]
    opposite: tuple[int, ...]
    clockwise: tuple[int, ...]
    _distances: dict[int, dict[int, int]] = field(factory=dict)

    @classmethod
    def of(cls, core: Core, name: str) -> SpaceFunctions:
        space = core.spaces[name]
        (opposite,), (clockwise,) = core.maps[space.opposite].rows, core.maps[space.clockwise].rows
        return cls(space, core.maps[space.step].rows, opposite, clockwise)

    @property
    def nowhere(self) -> int:
        return self.space.size

    def distance(self, start: int, end: int) -> int:
        """The fewest steps to neighbours from one cell to another; -1 if there is no way."""
        if start not in self._distances:
            found = {start: 0} if start != self.nowhere else {}
            queue = list(found)
            for here in queue:
                for direction in self.space.around:
                    there = self.steps[direction][here]
                    if there != self.nowhere and there not in found:
                        found[there] = found[here] + 1
                        queue.append(there)
            self._distances[start] = found
        return self._distances[start].get(end, NONE)

    def line(self, cell: int, direction: int) -> tuple[int, ...]:
        """The cells straight on from a cell, nearest first, up to the edge or before the line comes back."""
        if direction == NONE:
            return ()
        found: list[int] = []
        here = self.steps[direction][cell]
        while here not in (cell, self.nowhere) and (self.space.straight or not found):
            found.append(here)
            here = self.steps[direction][here]
        return tuple(found)

    def toward(self, start: int, end: int) -> int:
        """The direction whose line reaches a cell in the fewest steps, the first of several; -1 if there is none."""
        lines = [self.line(start, direction) for direction in range(len(self.steps))]
        reaching = [(line.index(end), direction) for direction, line in enumerate(lines) if end in line]
        return min(reaching)[1] if reaching else NONE

    def leap(self, cell: int, direction: int, times: int) -> int:
        """The cell after a number of steps; a negative number steps the opposite way."""
        if times < 0:
            times, direction = -times, self.opposite[direction] if direction != NONE else NONE
        if direction == NONE:
            return self.nowhere if times else cell
        # A wrapped space repeats after as many steps as it has cells, and no other has a longer line.
        for _ in range(times % self.space.size if self.space.wrapped else min(times, self.space.size)):
            cell = self.steps[direction][cell]
        return cell

    def turn(self, direction: int, times: int) -> int:
        """The direction after a number of turns clockwise; negative turns are anticlockwise."""
        if direction == NONE:
            return NONE
        circle = [direction]
        while (following := self.clockwise[circle[-1]]) != direction:
            circle.append(following)
        return circle[times % len(circle)]
