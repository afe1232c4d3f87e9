"""Which tiles are laid where and when: hands and piles as a flow through the rounds, tiles stamped with their round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rulewright.base.records import define, field
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit, holds
from rulewright.solver.cpsat.model.final_board import FinalBoard

from .marker_moves import StepGraph
from .round_graph import Layers, Round, most_laid


@define
class Placements:
    """`rounds[n]` has the literal of each round that may be the n-th; `on[cell]` holds if a tile is laid on a cell.

    `in_round[cell][n]` holds if it is laid in round n, `by_round[cell][n]` if in that or an earlier one. `within[n]` are the
    cells on which a marker may stand by the end of round n.
    """

    board: FinalBoard
    steps: StepGraph
    layers: Layers
    starts: Sequence[int]
    circuit: Circuit
    within: list[frozenset[int]] = field(factory=list)
    rounds: list[dict[Round, Lit]] = field(factory=list)
    on: dict[int, Lit] = field(factory=dict)
    in_round: dict[int, dict[int, Lit]] = field(factory=dict)
    by_round: dict[int, list[Lit]] = field(factory=dict)
    needed: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Post all constraints."""
        self.needed = self.steps.tiles_needed(self.starts)
        self.within = list(self._cells_within())
        self._add_flow()
        self._add_stamps()
        self._add_kinds()
        self._add_nested_limits()

    def _cells_within(self) -> Iterator[frozenset[int]]:
        walked = 0
        for layer, laid in zip(self.layers, most_laid(self.layers), strict=True):
            walked += max(one.steps for one in layer)
            near = (
                cell
                for cell, tiles in self.needed.items()
                if tiles <= laid and any(self.steps.distance(start, cell) <= walked for start in self.starts)
            )
            yield frozenset(near)

    def _add_flow(self) -> None:
        """Post that the rounds form one path, from the root to the end of play."""
        arriving: dict[int, list[Lit]] = {0: [TRUE]}
        for layer in self.layers:
            lits = {one: self.circuit.new_literal() for one in layer}
            leaving: dict[int, list[Lit]] = defaultdict(list)
            after: dict[int, list[Lit]] = defaultdict(list)
            for one, lit in lits.items():
                leaving[one.source].append(lit)
                after[one.target].append(lit)
            for node, lits_of_node in leaving.items():
                self.circuit.add_linear([*((1, lit) for lit in lits_of_node), *((-1, lit) for lit in arriving[node])], 0, 0)
            arriving = after
            self.rounds.append(lits)

    def _add_stamps(self) -> None:
        """Post that each tile is laid in one round, and that a round lays as many tiles as it takes from hands and piles."""
        circuit = self.circuit
        for cell, kinds in self.board.laid.items():
            numbers = [number for number, cells in enumerate(self.within) if cell in cells]
            if not numbers:
                circuit.add_linear([(1, lit) for lit in kinds.values()], None, 0)
                continue
            self.on[cell] = circuit.sum_of(kinds.values())
            self.in_round[cell] = {number: circuit.new_literal() for number in numbers}
            circuit.add_sum(self.on[cell], self.in_round[cell].values())
            self.by_round[cell] = list(self._stamped_by(cell))
        for number, rounds in enumerate(self.rounds):
            laid = [lits[number] for lits in self.in_round.values() if number in lits]
            circuit.add_linear([*((1, lit) for lit in laid), *((-len(one.laid), lit) for one, lit in rounds.items())], 0, 0)

    def _stamped_by(self, cell: int) -> Iterator[Lit]:
        before, last = FALSE, max(self.in_round[cell])
        for number in range(len(self.layers)):
            now = self.in_round[cell].get(number, FALSE)
            before = self.on[cell] if number >= last else self.circuit.sum_of((before, now))
            yield before

    def _add_kinds(self) -> None:
        """Post that a round lays the kinds that it takes from hands and piles."""
        circuit, coming = self.circuit, self.board.coming
        for kind in sorted(set(coming)):
            cells = [cell for cell in self.on if kind in self.board.laid[cell]]
            taking = [
                [(one.laid.count(kind), lit) for one, lit in rounds.items() if kind in one.laid] for rounds in self.rounds
            ]
            laid = [(1, self.board.laid[cell][kind]) for cell in cells]
            circuit.add_linear([*laid, *((-count, lit) for takes in taking for count, lit in takes)], 0, 0)
            for number, takes in enumerate(taking):
                self._add_kind_in_round(kind, number, cells, takes)

    def _add_kind_in_round(self, kind: int, number: int, cells: Sequence[int], takes: Sequence[tuple[int, Lit]]) -> None:
        """Post that a round lays as many tiles of a kind as it takes; a kind that comes once is laid in the round taking it."""
        circuit = self.circuit
        taken = circuit.sum_of(lit for _, lit in takes)
        both: list[Lit] = []
        for cell in cells:
            lit, now = self.board.laid[cell][kind], self.in_round[cell].get(number, FALSE)
            circuit.add_clause(-lit, -now, taken)
            if self.board.coming.count(kind) == 1:
                circuit.add_clause(-lit, now, -taken)
            elif now != FALSE and takes:
                both.append(circuit.all_of((lit, now)))
        if both:
            circuit.add_linear([*((1, lit) for lit in both), *((-count, lit) for count, lit in takes)], 0, 0)

    def _add_nested_limits(self) -> None:
        """Limit the tiles on far cells by each round: those on the way to a cell are laid first, so fewer are left for it."""
        for number, laid in enumerate(most_laid(self.layers)):
            for least in range(2, laid + 1):
                far = [self.by_round[cell][number] for cell in self.on if self.needed[cell] >= least]
                self.circuit.add_linear([(1, lit) for lit in far], None, laid - least + 1)

    def longer(self, number: int, marker: int | None, steps: int) -> Lit:
        """The literal that a round has more than `steps` steps, or is another marker's."""
        rounds = self.rounds[number].items()
        return self.circuit.sum_of(lit for one, lit in rounds if one.steps > steps or one.marker not in (marker, None))

    def lies_by(self, cell: int, number: int) -> Lit:
        """The literal that a tile is on a cell by the end of a round."""
        if self.board.tiles[cell]:
            return TRUE
        return self.by_round[cell][number] if cell in self.by_round else FALSE

    def groups(self, solution: Sequence[int]) -> list[dict[int, int]]:
        """The kinds by cell that a solution lays in each round."""
        found: list[dict[int, int]] = [{} for _ in self.layers]
        for cell, numbers in self.in_round.items():
            for number, lit in numbers.items():
                if holds(lit, solution):
                    found[number][cell] = next(kind for kind, on in self.board.laid[cell].items() if holds(on, solution))
        return found
