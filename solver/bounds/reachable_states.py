"""All states that play can reach from a root, over-approximated by abstract interpretation (Cousot and Cousot 1977)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.model.game import Storage
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import AbstractAlgebra, AbstractSet, AbstractValue
from rulewright.rules.static.dataflow import DataflowAnalysis


@define(slots=False)
class ReachableStates:
    """The states reachable from `root`: append-only boards keep their tiles and may gain more, all else may have changed."""

    engine: Engine
    analysis: DataflowAnalysis
    root: State

    @cached_property
    def supplies(self) -> tuple[int, ...]:
        """The columns of a state that are zones from which tiles may still be laid."""
        names = self.analysis.live_variables & self.analysis.feeding
        return tuple(
            at
            for name, place in self.engine.layout.columns.items()
            if place.variable.storage is not Storage.VALUE and name in names
            for at in range(place.start, place.start + place.count)
        )

    @cached_property
    def kinds_to_come(self) -> frozenset[int]:
        """The kinds of tile that may still be laid."""
        return frozenset(tile for at in self.supplies for tile in self.root[at])

    def tiles(self, board: str) -> bytes:
        """The tile on each cell of a board at the root."""
        column: bytes = self.root[self.engine.layout.columns[board].start]
        return column

    def summed_board(self, value: terms.Term) -> str | None:
        """The append-only board that a value is a sum over, by cells that meet a condition; None for any other value."""
        if isinstance(value, terms.Sum) and isinstance(value.binder.domain, terms.AllCells) and value.binder.where is not None:
            board = value.binder.domain.space
            if board in self.analysis.append_only_boards and self.engine.layout.columns[board].as_bytes:
                return board
        return None

    def evaluator(self, board: str = "", tiles: Sequence[int] = b"") -> Evaluator[AbstractValue, AbstractSet]:
        """Abstract values of terms over these states; with other tiles on one board, over the states that extend those."""
        boards: dict[str, Sequence[int]] = {name: self.tiles(name) for name in self.analysis.append_only_boards}
        if board:
            boards[board] = tiles
        return Evaluator(
            self.engine.instance, AbstractAlgebra(self.engine.instance, self.engine.layout, boards, self.kinds_to_come)
        )
