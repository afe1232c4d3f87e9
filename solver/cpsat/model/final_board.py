"""The final-board relaxation: the last board alone, without the moves that lead to it. No plan is worth more.

On an append-only board each vacant cell within reach gets at most one tile, each kind at most as often as it is still to
come. Kinds that cannot lie side by side exclude each other, and a chain of tiles connects each to the tiles of the root.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import define, field
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.analysis.tile_domains import TileDomains, tile_domains
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import FALSE, Circuit, Lit, Refused
from rulewright.rules.symbolic.guarded_values import Guarded
from rulewright.rules.symbolic.symbolic_state import Slot
from rulewright.solver.best.bounds.movement_rules import MovementRules, movement_rules
from rulewright.solver.best.problem import Problem

MOST_CELLS = 600
"""The most cells within reach of a final board."""


@define
class FinalBoard:
    """`laid[cell][kind]` is the literal that a tile of a kind is laid on a cell; `beside` are the cells that support a cell."""

    engine: Engine
    root: State
    board: str
    tiles: bytes
    domains: TileDomains
    coming: tuple[int, ...]
    circuit: Circuit
    laid: dict[int, dict[int, Lit]] = field(factory=dict)
    beside: dict[int, list[int]] = field(factory=dict)
    _domains_beside: dict[tuple[int, int, int], int] = field(factory=dict)

    @classmethod
    def of(
        cls,
        engine: Engine,
        analysis: DataflowAnalysis,
        question: Question,
        root: State,
        circuit: Circuit,
        connected: bool = True,
    ) -> FinalBoard | None:
        """Post the constraints of the final board; None if the question is not about one append-only board.

        Connection of the tiles is left out unless `connected`: a model of whole plays implies it. Raises `Refused`,
        `ModelTooLarge`.
        """
        states = ReachableStates(engine, analysis, root)
        objective = states.board_sums(question.values)
        if objective is None:
            return None
        board = objective.board
        domains = tile_domains(engine, analysis, board, states.kinds_to_come)
        if domains is None:
            return None
        coming = tuple(sorted(tile for at in states.supplies for tile in root[at]))
        found = cls(engine, root, board, states.tiles(board), domains, coming, circuit)
        neighbourhood = analysis.lays_beside(board, root)
        window = engine.instance.windows[board]
        found._add_cells(None if neighbourhood is None else near_directions(window, neighbourhood))
        found._add_counts()
        found._add_exclusions()
        if connected:
            found._add_support()
        return found

    def _add_cells(self, supporting: tuple[int, ...] | None) -> None:
        """Find the cells within reach; `supporting` are the directions in which a tile needs another, None if it needs none."""
        window, tiles = self.engine.instance.windows[self.board], self.tiles
        reached = {cell for cell in range(window.size) if not tiles[cell]} if supporting is None else set[int]()
        frontier = {cell for cell in range(window.size) if tiles[cell]}
        for _ in self.coming if supporting else ():
            near = {window.steps[way][cell] for cell in frontier for way in supporting or ()} - reached
            frontier = {cell for cell in near if cell < window.size and not tiles[cell] and self.domains.domain(tiles, cell)}
            reached |= frontier
        if len(reached) > MOST_CELLS:
            raise Refused(f"a final board over more than {MOST_CELLS} cells")
        for cell in sorted(reached):
            mask = self.domains.domain(tiles, cell)
            self.laid[cell] = {kind: self.circuit.new_literal() for kind in sorted(set(self.coming)) if mask >> kind & 1}
            if supporting is not None:
                self.beside[cell] = [other for way in supporting if (other := window.steps[way][cell]) < window.size]

    def _add_counts(self) -> None:
        """Post that a cell has at most one tile, and a kind no more tiles than are to come."""
        for kinds in self.laid.values():
            self.circuit.add_linear(((1, lit) for lit in kinds.values()), None, 1)
        for kind in dict.fromkeys(self.coming):
            lits = [kinds[kind] for kinds in self.laid.values() if kind in kinds]
            self.circuit.add_linear(((1, lit) for lit in lits), None, self.coming.count(kind))

    def _add_exclusions(self) -> None:
        """Exclude kinds that cannot lie side by side, whichever is laid first. Kinds with the same rivals form one clique."""
        window = self.engine.instance.windows[self.board]
        pairs = ((one, step[one]) for one in self.laid for step in window.steps if step[one] > one)
        for one, other in pairs:
            if other not in self.laid:
                continue
            cliques: dict[tuple[Lit, ...], list[Lit]] = {}
            for kind, lit in self.laid[one].items():
                rivals = tuple(
                    rival for near, rival in self.laid[other].items() if not self.may_be_beside(one, kind, other, near)
                )
                if rivals:
                    cliques.setdefault(rivals, []).append(lit)
            for rivals, lits in cliques.items():
                self.circuit.add_linear([(1, lit) for lit in (*lits, *rivals)], None, 1)

    def may_be_beside(self, cell: int, kind: int, other: int, near: int) -> bool:
        """Whether two kinds may come to lie on two cells, whichever is laid first."""
        return bool(self._domain_beside(cell, kind, other) >> near & 1 or self._domain_beside(other, near, cell) >> kind & 1)

    def _domain_beside(self, cell: int, kind: int, other: int) -> int:
        """The kinds that may be laid on the other cell after a given kind on the first, as a bit set."""
        found = self._domains_beside.get((cell, kind, other))
        if found is None:
            tiles = bytearray(self.tiles)
            tiles[cell] = kind
            found = self._domains_beside[cell, kind, other] = self.domains.domain(bytes(tiles), other)
        return found

    def _add_support(self) -> None:
        """Post that a chain of at most as many tiles as are to come connects every tile to those of the root."""
        if not self.beside:
            return
        circuit = self.circuit
        connected: dict[int, list[Lit]] = {cell: [] for cell in self.laid}
        first = {cell for cell in self.laid if any(self.tiles[near] for near in self.beside[cell])}
        for cell in first:
            connected[cell] = self._on(cell)
        others = [cell for cell in self.laid if cell not in first]
        for _ in self.coming:
            after: dict[int, list[Lit]] = {}
            for cell in others:
                near = [lit for neighbour in self.beside[cell] for lit in connected.get(neighbour, [])]
                if near:
                    step = circuit.new_literal()
                    circuit.add_linear([(1, step), *((-1, lit) for lit in near)], None, 0)
                    circuit.add_linear([(1, step), *((-1, lit) for lit in self._on(cell))], None, 0)
                    after[cell] = [step]
            connected |= after
        for cell in others:
            occupied = ((1, lit) for lit in self._on(cell))
            circuit.add_linear([*occupied, *((-1, lit) for lit in connected[cell])], None, 0)

    def _on(self, cell: int) -> list[Lit]:
        """The literals of the kinds on a cell: one of them holds if a tile is laid there."""
        return list(self.laid[cell].values())

    def slots(self) -> dict[Slot, Guarded]:
        """The cells as guarded values, for a model of the final board alone."""
        found: dict[Slot, Guarded] = {}
        for cell, kinds in self.laid.items():
            vacant = self.circuit.new_literal()
            self.circuit.add_domain([vacant, *kinds.values()])
            found[self.board, cell, 0] = Guarded(((0, vacant), *kinds.items()))
        return found

    def link(self, slots: Mapping[Slot, Guarded]) -> None:
        """Equate the final board with that of a model of whole plays, to tighten its linear relaxation."""
        for cell, kinds in self.laid.items():
            found = slots.get((self.board, cell, 0))
            cases = {} if found is None else dict(found.cases)
            for kind, lit in kinds.items():
                self.circuit.add_linear([(1, lit), (-1, cases.get(kind, FALSE))], 0, 0)


NO_SUM = "a question that is not about one board on which tiles are only laid"


def movement_of(problem: Problem) -> MovementRules:
    """How markers move on the one board that a question sums over. Raises `Refused`."""
    if problem.board_sums is None:
        raise Refused(NO_SUM, problem.question.span)
    found = movement_rules(problem.reachable, problem.board_sums.board)
    if found is None:
        raise Refused(f"tiles of `{problem.board_sums.board}` that may be laid away from every marker")
    return found
