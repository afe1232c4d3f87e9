"""Constraints that a marker can reach every tile: each is entered from an earlier one, by a step that both allow.

Two tiles do not enter each other. If rounds lay enough tiles for longer cycles, tiles have ranks: a tile's rank is at least
one more than that of the tile from which it is entered, and at most the number of tiles to come.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from rulewright.base.records import define, field
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit

from .marker_moves import Step, StepGraph
from .placements import Placements


@define
class Connections:
    """Constraints on how tiles are entered; `_ranks[cell][n]` holds if the rank is at most the least possible plus n."""

    placements: Placements
    steps: StepGraph
    circuit: Circuit
    _entrances: dict[tuple[int, int], Lit] = field(factory=dict)
    _ranks: dict[int, list[Lit]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Post all constraints."""
        on = self.placements.on
        for cell in on if self._may_be_cyclic() else ():
            ranks = self._ranks[cell] = [self.circuit.new_literal() for _ in range(self.placements.needed[cell], self._most)]
            for one, next_one in pairwise(ranks):
                self.circuit.add_clause(-one, next_one)
        for cell in on:
            lits = [lit for step in self.steps.into[cell] if (lit := self._entrance(step)) != FALSE]
            self.circuit.add_linear([(1, on[cell]), *((-1, lit) for lit in lits)], 0, 0)
        for (start, end), lit in self._entrances.items():
            if start < end and (end, start) in self._entrances:
                self.circuit.add_clause(-lit, -self._entrances[end, start])

    @property
    def _most(self) -> int:
        """The greatest rank."""
        return len(self.placements.board.coming)

    def _may_be_cyclic(self) -> bool:
        """Whether tiles of one round may enter each other in a cycle of more than two."""
        most = max((len(one.laid) for layer in self.placements.layers for one in layer), default=0)
        return most > 3 or (most == 3 and not self._is_bipartite())

    def _is_bipartite(self) -> bool:
        """Whether the cells can be two-coloured so that each step changes colour."""
        colours: dict[int, bool] = {}
        for start in self.steps.out:
            front = deque([start])
            colours.setdefault(start, False)
            while front:
                cell = front.popleft()
                for step in (*self.steps.out[cell], *self.steps.into[cell]):
                    other = step.start if step.end == cell else step.end
                    if other not in colours:
                        colours[other] = not colours[cell]
                        front.append(other)
                    elif colours[other] == colours[cell]:
                        return False
        return True

    def _entrance(self, step: Step) -> Lit:
        """A literal that implies that a tile is entered by a step."""
        placements, circuit, laid = self.placements, self.circuit, self.placements.board.laid
        if step.start not in placements.on and not placements.board.tiles[step.start]:
            return FALSE
        lit = circuit.new_literal()
        entered, left = laid[step.end], laid.get(step.start)
        if len(step.entering) < len(entered):
            circuit.add_clause(-lit, *(entered[kind] for kind in sorted(step.entering)))
        if left is None:
            return lit
        self._entrances[step.start, step.end] = lit
        circuit.add_clause(-lit, *(left[kind] for kind in sorted(step.leaving)))
        for before, after in zip(placements.by_round[step.start], placements.by_round[step.end], strict=True):
            circuit.add_clause(-lit, -after, before)
        for rank in range(placements.needed[step.end], self._most + 1) if self._ranks else ():
            circuit.add_clause(-lit, -self._rank(step.end, rank), self._rank(step.start, rank - 1))
        return lit

    def _rank(self, cell: int, rank: int) -> Lit:
        """The literal that the rank of a tile is at most a number."""
        place = rank - self.placements.needed[cell]
        if place < 0:
            return FALSE
        return self._ranks[cell][place] if place < len(self._ranks[cell]) else TRUE
