"""The master: the last board alone. Who stood where, and what it cost to go there, is forgotten; nothing better can be reached.

Each vacant cell within reach gets one kind at most, of which there are so many. Kinds that cannot lie side by side, whichever
was laid first, exclude each other; a tile needs one beside it, and so on back to the tiles that lie there now. What the board
is worth is read by the evaluator, like everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator, near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.bounds.reachable_states import ReachableStates
from rulewright.solver.bounds.tile_domains import TileDomains, tile_domains

from .circuit import FALSE, Circuit, Linear, Lit
from .guarded_values import Guarded, Guards
from .symbolic_algebra import Symbolic, Unsupported
from .symbolic_store import Remembered, Slot

MOST_CELLS = 600


@frozen
class Master:
    """`laid[cell][kind]` is the literal that a kind comes to lie on a cell of `board`."""

    board: str
    circuit: Circuit
    objective: Linear
    laid: dict[int, dict[int, Lit]]

    def tiles(self, solution: Sequence[int]) -> dict[int, int]:
        """What a solution lays where."""
        return {
            cell: kind
            for cell, kinds in self.laid.items()
            for kind, lit in kinds.items()
            if self.circuit.value_of(lit, solution)
        }


@define
class _Builder:
    engine: Engine
    analysis: DataflowAnalysis
    root: State
    board: str
    fitting: TileDomains
    coming: tuple[int, ...]
    circuit: Circuit
    laid: dict[int, dict[int, Lit]] = field(factory=dict)
    beside: dict[int, list[int]] = field(factory=dict)

    @property
    def tiles(self) -> bytes:
        column: bytes = self.root[self.engine.layout.columns[self.board].start]
        return column

    def build(self) -> None:
        self._cells()
        circuit = self.circuit
        for kinds in self.laid.values():
            circuit.row([(1, lit) for lit in kinds.values()], None, 1)
        for kind in dict.fromkeys(self.coming):
            lits = [kinds[kind] for kinds in self.laid.values() if kind in kinds]
            circuit.row([(1, lit) for lit in lits], None, self.coming.count(kind))
        for cell in self.laid:
            for near in self._looked_at(cell):
                if near in self.laid and near > cell:
                    self._exclude(cell, near)
        self._support()

    def _cells(self) -> None:
        """The cells that may be reached, with the kinds that fit there as far as the tiles lying now decide."""
        window, tiles = self.engine.instance.windows[self.board], self.tiles
        neighbourhood = self.analysis.lays_beside(self.board, self.root)
        if neighbourhood is None:
            steps = list(window.steps)
            wave: set[int] = set()
            reached = {cell for cell in range(window.size) if not tiles[cell]}
        else:
            steps = [window.steps[direction] for direction in near_directions(window, neighbourhood)]
            wave, reached = {cell for cell in range(window.size) if tiles[cell]}, set()
        for _ in self.coming:
            near = {step[cell] for cell in wave for step in steps}
            fits = {c for c in near if c < window.size and not tiles[c] and c not in reached and self.fitting.domain(tiles, c)}
            reached |= fits
            wave = fits
        if len(reached) > MOST_CELLS:
            raise Unsupported(f"a master over more than {MOST_CELLS} cells")
        for cell in sorted(reached):
            mask = self.fitting.domain(tiles, cell)
            self.laid[cell] = {kind: self.circuit.new() for kind in sorted(set(self.coming)) if mask >> kind & 1}
            if neighbourhood is not None:
                self.beside[cell] = [step[cell] for step in steps if step[cell] < window.size]

    def _looked_at(self, cell: int) -> list[int]:
        window = self.engine.instance.windows[self.board]
        return [step[cell] for step in window.steps if step[cell] < window.size]

    def _exclude(self, one: int, other: int) -> None:
        """Kinds that cannot be on two cells at once, whichever comes first; those with the same rivals together."""
        tiles = bytearray(self.tiles)
        before: dict[int, int] = {}
        after: dict[int, int] = {}
        for kind in self.laid[one]:
            tiles[one] = kind
            before[kind] = self.fitting.domain(bytes(tiles), other)
        tiles[one] = 0
        for kind in self.laid[other]:
            tiles[other] = kind
            after[kind] = self.fitting.domain(bytes(tiles), one)
        groups: dict[frozenset[int], list[Lit]] = {}
        for kind, lit in self.laid[one].items():
            rivals = frozenset(o for o in self.laid[other] if not before[kind] >> o & 1 and not after[o] >> kind & 1)
            if rivals:
                groups.setdefault(rivals, []).append(lit)
        for rivals, lits in groups.items():
            self.circuit.row([*((1, lit) for lit in lits), *((1, self.laid[other][r]) for r in sorted(rivals))], None, 1)

    def _support(self) -> None:
        """Every tile is laid beside one that came before: in so many steps from those that lie there now."""
        if not self.beside:
            return
        circuit, tiles = self.circuit, self.tiles
        reached: dict[int, list[tuple[int, Lit]]] = {cell: [] for cell in self.laid}
        first = {cell for cell in self.laid if any(tiles[near] for near in self.beside[cell])}
        for cell in first:
            reached[cell] = self._whole(cell)
        for _ in range(len(self.coming)):
            after: dict[int, list[tuple[int, Lit]]] = {}
            for cell in self.laid:
                if cell in first:
                    continue
                near = [term for n in self.beside[cell] for term in reached.get(n, [])]
                if near:
                    step = circuit.new()
                    circuit.row([(1, step), *((-c, lit) for c, lit in near)], None, 0)
                    circuit.row([(1, step), *((-c, lit) for c, lit in self._whole(cell))], None, 0)
                    after[cell] = [(1, step)]
            reached |= after
        for cell in self.laid:
            if cell not in first:
                circuit.row([*self._whole(cell), *((-c, lit) for c, lit in reached[cell])], None, 0)

    def _whole(self, cell: int) -> list[tuple[int, Lit]]:
        """A tile lies on the cell, as a sum."""
        return [(1, lit) for lit in self.laid[cell].values()]


def strengthen(
    engine: Engine, analysis: DataflowAnalysis, question: Question, root: State, circuit: Circuit, slots: Mapping[Slot, Guarded]
) -> None:
    """Say of a last board whatever a master says, where there is one: `slots` are what its cells hold at the end.

    It follows from the rest already, but a linear relaxation does not see that.
    """
    builder = _builder(engine, analysis, question, root, circuit)
    if builder is None:
        return
    builder.build()
    for cell, kinds in builder.laid.items():
        found = slots.get((builder.board, cell, 0))
        cases = {} if found is None else dict(found.cases)
        for kind, lit in kinds.items():
            circuit.row([(1, lit), (-1, cases.get(kind, FALSE))], 0, 0)


def _builder(engine: Engine, analysis: DataflowAnalysis, question: Question, root: State, circuit: Circuit) -> _Builder | None:
    states = ReachableStates(engine, analysis, root)
    objective = states.board_sums(question.values)
    if objective is None:
        return None
    board = objective.board
    fits = tile_domains(engine, analysis, board, states.kinds_to_come)
    if fits is None:
        return None
    coming = tuple(sorted(tile for at in states.supplies for tile in root[at]))
    return _Builder(engine, analysis, root, board, fits, coming, circuit)


def master_of(
    engine: Engine, analysis: DataflowAnalysis, question: Question, root: State, most_variables: int = 500_000
) -> Master | None:
    """The master of a question that asks for the most; None where the values are not those of one board that only grows.

    Raises `ModelTooLarge`, `TooWide`, `Unsupported`.
    """
    circuit = Circuit(most_variables)
    builder = _builder(engine, analysis, question, root, circuit)
    if builder is None:
        return None
    board = builder.board
    builder.build()
    guards = Guards(circuit)
    slots: dict[Slot, Guarded] = {}
    for cell, kinds in builder.laid.items():
        vacant = circuit.new()
        circuit.group([vacant, *kinds.values()])
        slots[board, cell, 0] = Guarded(((0, vacant), *kinds.items()))
    memory = Remembered(engine.layout, root, frozenset(engine.layout.columns) - {board}, _unread, guards, slots)
    evaluator: Evaluator[Any, Any] = Evaluator(engine.instance, Symbolic(guards, memory))
    objective = guards.add((1, evaluator.value(value, {})) for value in question.values)
    return Master(board, circuit, objective, builder.laid)


def _unread(column: int) -> Guarded:
    raise Unsupported("a score that looks at more than the board")
