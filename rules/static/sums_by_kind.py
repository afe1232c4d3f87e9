"""Sums over the cells of a board, bounded by kind: of each kind no more tiles come to stand there than there are.

What a tile counts where it stands is evaluated once for each kind, on a cell of which nothing else is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model import terms, types
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_values import YES, AbstractSet, AbstractValue, exactly


@frozen(eq=False)
class _Standing:
    """A cell that is known by nothing but the kind of tile that stands there, 0 for none."""

    board: str
    cell: AbstractValue
    kind: int


@define
class EvaluatorByKind(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values of terms; by board, `most` has how many tiles of each kind may stand there, by number of the kind."""

    most: Mapping[str, Sequence[int]] = field(factory=dict, kw_only=True)
    _standing: list[_Standing] = field(factory=list, init=False)

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The value of a term; of a sum over cells what both ways to bound it show."""
        found = Evaluator.value(self, term, env)
        match term:
            case terms.Sum(worth, binder) if isinstance(binder.type, types.Cell) and binder.type.space in self.most:
                low, high = self._by_kind(worth, binder, binder.type.space, env)
                return AbstractValue(max(found.low, low), min(found.high, high), needs=found.needs)
            case _:
                return found

    def _by_kind(self, worth: terms.Term, binder: terms.Binder, board: str, env: Env) -> tuple[int, int]:
        """The least and the most that a sum comes to: each tile on the cell where it counts the most, or the least."""
        low, high, size = 0, 0, self.instance.windows[board].size
        for kind, number in enumerate(self.most[board]):
            count = size if kind == 0 else min(number, size)
            if count == 0:
                continue
            with self._standing_on(board, kind) as cell:
                inside = YES if binder.where is None else self.value(binder.where, {**env, binder.name: cell})
                if not inside.never:
                    each = self.value(worth, {**env, binder.name: cell})
                    low, high = low + count * min(0, each.low), high + count * max(0, each.high)
        return low, high

    @contextmanager
    def _standing_on(self, board: str, kind: int) -> Iterator[AbstractValue]:
        """Any cell on which a tile of a kind stands. It is known again as this very object."""
        cell = AbstractValue(0, max(self.instance.windows[board].size - 1, 0))
        self._standing.append(_Standing(board, cell, kind))
        yield cell
        self._standing.pop()

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        """The value of a variable; of a board the kind that is supposed to stand on a cell."""
        for standing in self._standing:
            if standing.cell is index and standing.board == variable:
                return exactly(standing.kind)
        return Evaluator.read(self, variable, index)
