"""What is laid where in which round: hands and piles as a flow through the rounds, tiles with the round as a time stamp."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from attrs import field

from rulewright.base.records import define
from rulewright.solver.cpsat.model.circuit import FALSE, TRUE, Circuit, Lit, holds
from rulewright.solver.cpsat.model.final_board import FinalBoard

from .round_graph import Layers, Round, most_laid
from .step_graph import StepGraph


@define
class Placements:
    """`rounds[n]` has the literal of each round that may be the n-th; `placed[cell][kind, n]` that it is laid there in it.

    `in_round[cell][n]` says so of any kind, `by_round` of that round or one before. `within[n]` are the cells on which a marker
    may stand by the end of the n-th round.
    """

    board: FinalBoard
    steps: StepGraph
    layers: Layers
    starts: Sequence[int]
    circuit: Circuit
    within: list[frozenset[int]] = field(factory=list)
    rounds: list[dict[Round, Lit]] = field(factory=list)
    placed: dict[int, dict[tuple[int, int], Lit]] = field(factory=dict)
    in_round: dict[int, dict[int, Lit]] = field(factory=dict)
    by_round: dict[int, list[Lit]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Post all constraints."""
        self.within = list(self._cells_within())
        self._add_flow()
        self._add_tiles()
        self._add_kinds()

    def _cells_within(self) -> Iterator[frozenset[int]]:
        needed, walked = self.steps.tiles_needed(self.starts), 0
        for layer, laid in zip(self.layers, most_laid(self.layers), strict=True):
            walked += max(one.steps for one in layer)
            near = (
                cell
                for cell, tiles in needed.items()
                if tiles <= laid and any(self._is_near(start, cell, walked) for start in self.starts)
            )
            yield frozenset(near)

    def _is_near(self, start: int, cell: int, steps: int) -> bool:
        return self.steps.distance(start, cell) <= steps

    def _add_flow(self) -> None:
        """One path of rounds, from the root to where play is over."""
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

    def _add_tiles(self) -> None:
        """Each tile of the last board is laid in one round."""
        circuit = self.circuit
        offered = [{kind for one in layer for kind in one.laid} for layer in self.layers]
        for cell, kinds in self.board.laid.items():
            placed: dict[tuple[int, int], Lit] = {}
            for kind, lit in kinds.items():
                found = [n for n, cells in enumerate(self.within) if cell in cells and kind in offered[n]]
                placed |= {(kind, n): circuit.new_literal() for n in found}
                circuit.add_sum(lit, (placed[kind, n] for n in found))
            if placed:
                self.placed[cell] = placed
                self._add_stamps(cell)

    def _add_stamps(self, cell: int) -> None:
        circuit = self.circuit
        self.in_round[cell], self.by_round[cell] = {}, []
        before = FALSE
        for number in range(len(self.layers)):
            lits = [lit for (_, n), lit in self.placed[cell].items() if n == number]
            if lits:
                now = self.in_round[cell][number] = circuit.sum_of(lits)
                before = circuit.sum_of(lit for lit in (before, now) if lit != FALSE)
            self.by_round[cell].append(before)

    def _add_kinds(self) -> None:
        """A round lays on the board what it takes from hands and piles."""
        for number, rounds in enumerate(self.rounds):
            for kind in {kind for one in rounds for kind in one.laid}:
                lits = [placed[kind, number] for placed in self.placed.values() if (kind, number) in placed]
                taken = [(-one.laid.count(kind), lit) for one, lit in rounds.items() if kind in one.laid]
                self.circuit.add_linear([*((1, lit) for lit in lits), *taken], 0, 0)

    def lies_by(self, cell: int, number: int) -> Lit:
        """Whether a tile lies on a cell by the end of a round."""
        if self.board.tiles[cell]:
            return TRUE
        return self.by_round[cell][number] if cell in self.by_round else FALSE

    def groups(self, solution: Sequence[int]) -> list[dict[int, int]]:
        """The kinds by cell that a solution lays in each round."""
        found: list[dict[int, int]] = [{} for _ in self.layers]
        for cell, placed in self.placed.items():
            for (kind, number), lit in placed.items():
                if holds(lit, solution):
                    found[number][cell] = kind
        return found
