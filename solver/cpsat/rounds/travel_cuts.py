"""Why a marker cannot come round in time: a few cells in their rounds that no way joins with so many steps.

Other than the constraints on journeys, this follows the order in which the tiles of a round are visited. First whatever may be
laid is taken to lie already: what is too far even so is cut off for good, and reduced to as few cells as still fail. Then only
what a solution lays is passed: that is cut off unless more tiles are laid by then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulewright.base.records import frozen
from rulewright.solver.cpsat.model.circuit import Lit, holds
from rulewright.solver.cpsat.model.guarded_values import Encoder, truth

from .placements import Placements
from .round_graph import Round
from .step_graph import StepGraph

Cells = list[frozenset[int]]
"""The cells on which tiles are laid in each round."""


@frozen
class TravelCuts:
    """Cuts for solutions of a model; `starts` are the cells of the markers by column."""

    placements: Placements
    steps: StepGraph
    encoder: Encoder
    starts: Mapping[int, int]

    def cut(self, solution: Sequence[int]) -> tuple[Lit, ...] | None:
        """A clause that excludes a solution in which a marker walks too far; None where none does."""
        groups = self.placements.groups(solution)
        played = [next((one for one, lit in rounds.items() if holds(lit, solution)), None) for rounds in self.placements.rounds]
        rounds = [one for one in played if one is not None]
        cells = [frozenset(group) for group in groups[: len(rounds)]]
        last = self._too_far(cells, rounds, everywhere=True)
        if last is not None:
            return self._reduced(cells[: last + 1], rounds[: last + 1])
        last = self._too_far(cells, rounds, everywhere=False)
        if last is None:
            return None
        laid = [lits[last] for lits in self.placements.by_round.values()]
        more = self.encoder.at_least(self.encoder.add((1, truth(lit)) for lit in laid), sum(map(len, cells[: last + 1])) + 1)
        return (*self._clause(cells[: last + 1], rounds[: last + 1]), more)

    def _reduced(self, cells: Cells, rounds: Sequence[Round]) -> tuple[Lit, ...]:
        """A clause with rounds as long and cells as few as still are too far from each other."""
        for number, played in enumerate(rounds):
            longest = max(self.placements.rounds[number], key=lambda one: (one.marker == played.marker, one.steps))
            longer = [*rounds[:number], longest, *rounds[number + 1 :]]
            if longest.marker == played.marker and self._too_far(cells, longer, everywhere=True) is not None:
                rounds = longer
        for number, group in enumerate(cells):
            for cell in sorted(group):
                fewer = [*cells[:number], cells[number] - {cell}, *cells[number + 1 :]]
                if self._too_far(fewer, rounds, everywhere=True) is not None:
                    cells = fewer
        return self._clause(cells, rounds)

    def _clause(self, cells: Cells, rounds: Sequence[Round]) -> tuple[Lit, ...]:
        """Not all of these cells in their rounds, or a round with more steps, or another marker's round."""
        found: list[Lit] = []
        for number, (group, played) in enumerate(zip(cells, rounds, strict=True)):
            found += [-self.placements.in_round[cell][number] for cell in sorted(group)]
            others = self.placements.rounds[number].items()
            found += [lit for one, lit in others if one.steps > played.steps or one.marker not in (played.marker, None)]
        return tuple(found)

    def _too_far(self, cells: Cells, rounds: Sequence[Round], everywhere: bool) -> int | None:
        """The first round whose steps do not suffice; None where all do."""
        board = self.placements.board
        stands = {marker: frozenset((cell,)) for marker, cell in self.starts.items()}
        open_cells = set(self.steps.out) if everywhere else {cell for cell in self.steps.out if board.tiles[cell]}
        for number, (group, played) in enumerate(zip(cells, rounds, strict=True)):
            open_cells |= group
            if played.marker is None:
                continue
            after = self._walked(stands[played.marker], group, played.steps, open_cells)
            if not after:
                return number
            stands[played.marker] = after
        return None

    def _walked(
        self, starts: Collection[int], visits: frozenset[int], steps: int, open_cells: Collection[int]
    ) -> frozenset[int]:
        """Where a marker may stand after at most so many steps that visit all of the cells."""
        front = {(start, visits) for start in starts}
        seen = set(front)
        for _ in range(steps):
            front = {
                (step.end, left - {step.end}) for cell, left in front for step in self.steps.out[cell] if step.end in open_cells
            } - seen
            seen |= front
        return frozenset(cell for cell, left in seen if not left)
