"""That a marker can come to every tile: each is entered from one that was there before, by a step that both allow.

Tiles of one round have an order, too: a tile's rank is one more at least than that of the tile from which it is entered, and
no more than there are tiles to come.
"""

from __future__ import annotations

from itertools import pairwise

from attrs import field

from rulewright.base.records import define
from rulewright.solver.cpsat.model.circuit import FALSE, TRUE, Circuit, Lit

from .placements import Placements
from .step_graph import Step, StepGraph


@define
class Connections:
    """Constraints on the ways by which tiles are entered; `_ranks[cell][n]` says that the rank is at most the least plus n."""

    placements: Placements
    steps: StepGraph
    circuit: Circuit
    _least: dict[int, int] = field(factory=dict)
    _ranks: dict[int, list[Lit]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Post all constraints."""
        placements = self.placements
        self._least = self.steps.tiles_needed(placements.starts)
        for cell in placements.placed:
            ranks = self._ranks[cell] = [self.circuit.new_literal() for _ in range(self._least[cell], self._most)]
            for one, next_one in pairwise(ranks):
                self.circuit.add_clause(-one, next_one)
        for cell in placements.placed:
            self._add_entrances(cell)

    @property
    def _most(self) -> int:
        """The greatest rank."""
        return len(self.placements.board.coming)

    def _add_entrances(self, cell: int) -> None:
        placements = self.placements
        entrances = [self._entrance(step) for step in self.steps.into[cell]]
        on = placements.board.laid[cell].values()
        self.circuit.add_linear([*((1, lit) for lit in on), *((-1, lit) for lit in entrances)], None, 0)
        for number, lit in placements.in_round[cell].items():
            near = [placements.lies_by(step.start, number) for step in self.steps.into[cell]]
            if TRUE not in near:
                self.circuit.add_linear([(1, lit), *((-1, one) for one in near)], None, 0)

    def _entrance(self, step: Step) -> Lit:
        """A literal under which a tile is entered by a step."""
        placements, circuit = self.placements, self.circuit
        if step.start not in placements.placed and not placements.board.tiles[step.start]:
            return FALSE
        lit = circuit.new_literal()
        for cell, kinds in ((step.start, step.leaving), (step.end, step.entering)):
            found = placements.board.laid.get(cell, {})
            if found and (cell == step.start or len(kinds) < len(found)):
                circuit.add_clause(-lit, circuit.sum_of(found[kind] for kind in sorted(kinds)))
        if step.start in placements.placed:
            for rank in range(self._least[step.end], self._most + 1):
                circuit.add_clause(-lit, -self._rank(step.end, rank), self._rank(step.start, rank - 1))
            for before, after in zip(placements.by_round[step.start], placements.by_round[step.end], strict=True):
                circuit.add_clause(-lit, -after, before)
        return lit

    def _rank(self, cell: int, rank: int) -> Lit:
        """Whether the rank of a tile is at most a number."""
        place = rank - self._least[cell]
        if place < 0:
            return FALSE
        return self._ranks[cell][place] if place < len(self._ranks[cell]) else TRUE
