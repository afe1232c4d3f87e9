"""Where markers stand after each round, and that the steps of a round suffice for the way there over what is laid on it.

Distances are those over whatever may be laid: no way is shorter.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field

from rulewright.base.records import define
from rulewright.solver.cpsat.model.circuit import FALSE, TRUE, Circuit, Lit

from .placements import Placements
from .round_graph import Round
from .step_graph import FAR, StepGraph


@define
class Journeys:
    """`stands[marker][n]` has the literal of each cell on which a marker (a column of the state) may stand before round n."""

    placements: Placements
    steps: StepGraph
    circuit: Circuit
    stands: dict[int, list[dict[int, Lit]]] = field(factory=dict)

    def add(self, marker: int, start: int) -> None:
        """Post the constraints on one marker."""
        stands = self.stands[marker] = [{start: TRUE}]
        for number, rounds in enumerate(self.placements.rounds):
            if any(one.marker == marker for one in rounds):
                stands.append(self._moved(marker, number, stands[-1]))
                self._add_detours(marker, number, stands[-2], stands[-1])
            else:
                stands.append(stands[-1])

    def _moved(self, marker: int, number: int, before: Mapping[int, Lit]) -> dict[int, Lit]:
        """Where the marker stands after a round in which it may move."""
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
        for cell, lit in after.items():
            circuit.add_linear([(1, lit), (-1, self.placements.lies_by(cell, number))], None, 0)
            self._post([lit], [before.get(cell, FALSE), *own])
        return after

    def _add_detours(self, marker: int, number: int, before: Mapping[int, Lit], after: Mapping[int, Lit]) -> None:
        """From where it stands over each tile that is laid to where it stands then: no more steps than the round has."""
        rounds = self.placements.rounds[number]
        others = [lit for one, lit in rounds.items() if one.marker not in (marker, None)]
        limits = sorted({one.steps for one, lit in rounds.items() if one.marker == marker or one.marker is None})
        for limit in limits:
            longer = [lit for one, lit in rounds.items() if one.marker == marker and one.steps > limit]
            exempt = [*others, *longer]
            self._add_ways(number, limit, before, after, exempt)

    def _add_ways(
        self, number: int, limit: int, before: Mapping[int, Lit], after: Mapping[int, Lit], exempt: list[Lit]
    ) -> None:
        """With so many steps at most, unless an exempt round is played."""
        distance = self.steps.distance
        for cell, lit in after.items():
            starts = [stand for start, stand in before.items() if distance(start, cell) <= limit]
            self._post([lit], [*starts, *exempt])
        for cell, in_round in self.placements.in_round.items():
            if number not in in_round:
                continue
            coming = {start: distance(start, cell) for start in before}
            going = self.steps.distances(cell)
            for farther in sorted({steps for steps in coming.values() if steps <= limit} | {limit + 1}):
                starts = [stand for start, stand in before.items() if coming[start] < farther]
                ends = [stand for end, stand in after.items() if going.get(end, FAR) <= limit - farther]
                self._post([in_round[number]], [*starts, *ends, *exempt])

    def _post(self, holds: list[Lit], needs: list[Lit]) -> None:
        """Where the literals hold, one of the needs does."""
        if TRUE not in needs:
            self.circuit.add_linear([*((1, lit) for lit in holds), *((-1, lit) for lit in needs)], None, len(holds) - 1)


def _most_steps(rounds: Mapping[Round, Lit], marker: int) -> int:
    return max((one.steps for one in rounds if one.marker == marker), default=0)
