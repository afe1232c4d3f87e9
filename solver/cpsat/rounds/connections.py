"""Constraints that a marker can reach every tile: each is entered from an earlier one, by a step that both allow.

Two tiles do not enter each other. If rounds lay enough tiles for longer cycles, tiles have ranks: a tile's rank is at least
one more than that of the tile from which it is entered, and at most the number of tiles to come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rulewright.base.records import define, field
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit

from .marker_moves import FAR, Step, StepGraph
from .placements import Placements
from .round_graph import Round

# Where markers stand after each round ---------------------------------------------------------------------------------
# Its steps must suffice for the way there over the tiles that it lays.
#
# Distances are lower bounds: they allow steps over any tiles that may be laid.


@define
class Journeys:
    """`stands[marker][n]` has the literal of each cell on which a marker (a column of the state) may stand before round n."""

    placements: Placements
    steps: StepGraph
    circuit: Circuit
    stands: dict[int, list[dict[int, Lit]]] = field(factory=dict)
    _paired: set[tuple[int, int]] = field(factory=set)

    def add(self, marker: int, start: int) -> None:
        """Post the constraints on one marker."""
        stands = self.stands[marker] = [{start: TRUE}]
        for number, rounds in enumerate(self.placements.rounds):
            if any(one.marker == marker for one in rounds):
                stands.append(self._moved(marker, number, stands[-1]))
                self._add_ways(marker, number, stands[-2], stands[-1])
            else:
                stands.append(stands[-1])

    def _moved(self, marker: int, number: int, before: Mapping[int, Lit]) -> dict[int, Lit]:
        """The cells where the marker may stand after a round in which it may move, with their literals."""
        circuit, most = self.circuit, _most_steps(self.placements.rounds[number], marker)
        cells = {
            cell
            for start in before
            for cell, steps in self.steps.distances(start).items()
            if steps <= most and cell in self.placements.within[number]
        }
        after = {cell: circuit.new_literal() for cell in sorted(cells)}
        circuit.add_domain(list(after.values()))
        own = [lit for one, lit in self.placements.rounds[number].items() if one.marker == marker]
        moves = circuit.sum_of(own)
        for cell, lit in after.items():
            circuit.add_clause(-lit, self.placements.lies_by(cell, number))
            circuit.add_clause(-lit, before.get(cell, FALSE), moves)
        return after

    def _limits(self, marker: int, number: int) -> Iterator[tuple[int, Lit]]:
        """The step counts that a round may have, each with a literal: it has more, or is another marker's round."""
        rounds = self.placements.rounds[number]
        for limit in sorted({one.steps for one in rounds if one.marker in (marker, None)}):
            yield limit, self.placements.longer(number, marker, limit)

    def add_pairs(self, number: int, cell: int) -> None:
        """Post that a marker's way over two tiles of a round, one of them on this cell, in either order, fits its steps.

        There are too many of these clauses to post them all.
        """
        if (number, cell) in self._paired:
            return
        self._paired.add((number, cell))
        in_round = {other: lits[number] for other, lits in self.placements.in_round.items() if number in lits}
        for marker, stands in self.stands.items():
            for limit, exempt in self._limits(marker, number):
                for other, lit in in_round.items():
                    near = [stand for start, stand in stands[number].items() if self._tour(start, cell, other) <= limit]
                    if other != cell and len(near) < len(stands[number]):
                        self.circuit.add_clause(-in_round[cell], -lit, exempt, *near)

    def _tour(self, start: int, one: int, other: int) -> int:
        """The least number of steps from a cell over two others, in either order."""
        distance = self.steps.distance
        return min(distance(start, one) + distance(one, other), distance(start, other) + distance(other, one))

    def _add_ways(self, marker: int, number: int, before: Mapping[int, Lit], after: Mapping[int, Lit]) -> None:
        """Post that the way from the old stand over each laid tile to the new stand takes no more steps than the round has."""
        limits, distances = list(self._limits(marker, number)), self.steps.distances
        coming = [(distances(start), stand) for start, stand in before.items()]
        for cell, lit in after.items():
            starts = [(found.get(cell, FAR), stand) for found, stand in coming]
            for limit, exempt in limits:
                near = [stand for steps, stand in starts if steps <= limit]
                if len(near) < len(starts):
                    self.circuit.add_clause(-lit, exempt, *near)
        for cell, in_round in self.placements.in_round.items():
            if number in in_round:
                going = distances(cell)
                starts = [(found.get(cell, FAR), stand) for found, stand in coming]
                self._add_detours(in_round[number], limits, starts, [(going.get(end, FAR), lit) for end, lit in after.items()])

    def _add_detours(
        self, laid: Lit, limits: Sequence[tuple[int, Lit]], starts: Sequence[tuple[int, Lit]], ends: Sequence[tuple[int, Lit]]
    ) -> None:
        """Post the way over one tile, if it is laid: a marker that comes from afar ends up near the tile."""
        by_steps = sorted({steps for steps, _ in starts})
        near = {farther: [stand for steps, stand in starts if steps < farther] for farther in by_steps}
        near_by = {left: [stand for steps, stand in ends if steps <= left] for left in range(limits[-1][0] + 1)}
        for limit, exempt in limits:
            for farther in (*(steps for steps in by_steps if steps <= limit), limit + 1):
                found = near.get(farther)
                if found is None:
                    found = [stand for steps, stand in starts if steps < farther]
                if len(found) < len(starts):
                    self.circuit.add_clause(-laid, exempt, *found, *near_by.get(limit - farther, ()))


def _most_steps(rounds: Mapping[Round, Lit], marker: int) -> int:
    return max((one.steps for one in rounds if one.marker == marker), default=0)


# Constraints that a marker can reach every tile -----------------------------------------------------------------------


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
