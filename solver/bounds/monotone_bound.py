"""A bound from monotone variables: the interval in which the objective stays, over all states reachable from a state."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Operator
from rulewright.rules.model import terms
from rulewright.rules.model.state import occupied_cells
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import HUGE, AbstractAlgebra, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis, reads

from .dependency_memo import DependencyMemo, RecordingBoard
from .monotone_variables import MonotoneAlgebra, MonotoneVariables
from .reachable_states import ReachableStates
from .upper_bound import MAX_CELLS, FormulaBound

MAX_CACHED = 200_000
"""States for which the interval is cached."""


@define
class OccupiedSum:
    """The minimum of a sum over the occupied cells of an append-only board, over all reachable states.

    What a cell is certain to count is memoised by the cells that the rules read for it. There is no maximum: a vacant cell
    counts nothing for certain.
    """

    engine: Engine
    sum: terms.Sum
    board: str
    kinds_to_come: frozenset[int]
    _cells: dict[int, DependencyMemo[int]] = field(factory=dict)

    def minimum(self, state: State) -> int:
        board = state[self.engine.layout.columns[self.board].start]
        total = 0
        for cell in occupied_cells(board):
            memo = self._cells.get(cell)
            if memo is None:
                memo = self._cells[cell] = DependencyMemo()
            known = memo.lookup(board)
            total += self._evaluate(board, cell, memo) if known is None else known
        return total

    def _evaluate(self, board: bytes, cell: int, memo: DependencyMemo[int]) -> int:
        recording = RecordingBoard(board)
        instance, bound = self.engine.instance, self.sum.binder
        algebra = AbstractAlgebra(instance, self.engine.layout, {self.board: recording}, self.kinds_to_come)
        evaluator = Evaluator(instance, algebra)
        environment = {bound.name: exactly(cell)}
        assert bound.where is not None
        counts = evaluator.value(bound.where, environment)
        low = 0 if counts.never else evaluator.value(self.sum.value, environment).low
        minimum = low if counts.always else min(0, low)
        memo.store(recording.cells_read, minimum)
        return minimum


@define
class MonotoneRange:
    """The interval of a sum of values over all states reachable from a state, cached by all that it depends on.

    `occupied_sums` are those of the values of which only the minimum is asked for, cell by cell.
    """

    engine: Engine
    others: tuple[terms.Term, ...]
    occupied_sums: tuple[OccupiedSum, ...]
    variables: MonotoneVariables
    append_only: frozenset[str]
    kinds_to_come: frozenset[int]
    _key: Callable[[State], Any]
    _invariant: dict[str, AbstractValue | None]
    _known: dict[Any, tuple[int, int]] = field(factory=dict)

    @classmethod
    def of(
        cls, engine: Engine, analysis: DataflowAnalysis, objective: tuple[terms.Term, ...], root: State, minimum_only: bool
    ) -> MonotoneRange:
        """For the states reachable from a root; with `minimum_only` the high end of the interval is not asked for."""
        game, layout = engine.game, engine.layout
        kinds_to_come = ReachableStates(engine, analysis, root).kinds_to_come
        append_only = frozenset(name for name in analysis.append_only_boards if layout.columns[name].as_bytes)
        addends = [addend for value in objective for addend in _addends(value)]
        sums = [_occupied_sum(engine, term, append_only, kinds_to_come) if minimum_only else None for term in addends]
        occupied_sums = tuple(found for found in sums if found is not None)
        others = tuple(term for term, found in zip(addends, sums, strict=True) if found is None)
        variables = MonotoneVariables.of(engine, analysis)
        dependencies = reads(game, others) & (variables.monotone | append_only)
        changing = variables.changing | append_only
        invariant: dict[str, AbstractValue | None] = {
            d.name: None for d in game.definitions.values() if not d.parameters and not reads(game, d) & changing
        }
        columns = [layout.columns[name] for name in sorted(dependencies)]
        positions = [at for column in columns for at in range(column.start, column.start + column.count)]
        key = itemgetter(*positions) if positions else _no_key
        return cls(engine, others, occupied_sums, variables, append_only, kinds_to_come, key, invariant)

    def interval(self, state: State) -> tuple[int, int]:
        """The least and the greatest value that the sum may come to."""
        key = self._key(state)
        known = self._known.get(key)
        if known is None:
            known = self._evaluate(state)
            if len(self._known) < MAX_CACHED:
                self._known[key] = known
        low, high = known
        return (low + sum(part.minimum(state) for part in self.occupied_sums), high) if self.occupied_sums else known

    def _evaluate(self, state: State) -> tuple[int, int]:
        instance, layout = self.engine.instance, self.engine.layout
        boards = {name: state[layout.columns[name].start] for name in self.append_only}
        algebra = MonotoneAlgebra(
            instance, layout, boards, self.kinds_to_come, state=state, variables=self.variables, invariant=self._invariant
        )
        evaluator = Evaluator(instance, algebra)
        found = [evaluator.value(value, {}) for value in self.others]
        return sum(possible.low for possible in found), sum(possible.high for possible in found)


def _addends(value: terms.Term) -> tuple[terms.Term, ...]:
    """The operands of a chain of `+`."""
    match value:
        case terms.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            return tuple(part for term in (first, *(term for _, term in rest)) for part in _addends(term))
        case _:
            return (value,)


def _occupied_sum(
    engine: Engine, term: terms.Term, append_only: frozenset[str], kinds_to_come: frozenset[int]
) -> OccupiedSum | None:
    """A sum evaluated cell by cell, where only occupied cells count and none counts less than nothing."""
    if not isinstance(term, terms.Sum) or not isinstance(term.binder.domain, terms.AllCells) or term.binder.where is None:
        return None
    board = term.binder.domain.space
    evaluator = Evaluator(engine.instance, AbstractAlgebra(engine.instance, engine.layout, {}, kinds_to_come))
    if board not in append_only or reads(engine.game, term) != {board} or not evaluator.only_occupied(term.binder):
        return None
    anywhere = AbstractValue(0, engine.instance.windows[board].size - 1)
    if evaluator.value(term.value, {term.binder.name: anywhere}).low < 0:
        return None
    return OccupiedSum(engine, term, board, kinds_to_come)


@frozen
class MonotoneBound:
    """The high end of the interval; with `sign` -1, when the least value is asked for, the negated low end."""

    range: MonotoneRange
    sign: int

    def bound(self, state: State) -> int:
        low, high = self.range.interval(state)
        return high if self.sign > 0 else -low

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.bound(state) > goal

    @property
    def dependencies(self) -> frozenset[str]:
        """The variables on which the bound depends, among states reachable from one root."""
        found = self.range
        changing = found.variables.changing | found.append_only
        return (changing & reads(found.engine.game, found.others)) | {part.board for part in found.occupied_sums}


def monotone_bound(
    engine: Engine, analysis: DataflowAnalysis, objective: tuple[terms.Term, ...], root: State, sign: int
) -> FormulaBound | MonotoneBound | None:
    """The bound for the states reachable from a root; a constant one where it depends on no variable.

    None where it is infinite, or a board that it depends on is too large to evaluate at every state.
    """
    found = MonotoneRange.of(engine, analysis, objective, root, minimum_only=sign < 0)
    if any(engine.instance.windows[board].size > MAX_CELLS for board in found.append_only & reads(engine.game, found.others)):
        return None
    bound = MonotoneBound(found, sign)
    here = bound.bound(root)
    if here >= HUGE // 2:
        return None
    return bound if bound.dependencies else FormulaBound(lambda state: here)


def _no_key(state: State) -> tuple[()]:
    return ()
