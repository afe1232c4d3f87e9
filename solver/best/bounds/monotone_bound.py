"""A bound from monotone variables: the maximum (or minimum) of the objective over all states reachable from a state."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Operator
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.analysis.translation import DependencyMemo, RecordingBoard
from rulewright.rules.model import terms
from rulewright.rules.model.state import State, occupied_cells
from rulewright.rules.static.abstract_values import HUGE, AbstractValue, exactly
from rulewright.rules.static.dataflow import reads
from rulewright.rules.static.sums_by_kind import total_of

from .upper_bound import MAX_CACHED, MAX_CELLS, FormulaBound


@define
class OccupiedSum:
    """The minimum of a sum over the occupied cells of an append-only board, over all reachable states.

    The certain worth of a cell is memoised by the cells that the rules read for it. There is no maximum: no vacant
    cell is certain to count.
    """

    states: ReachableStates
    sum: terms.Fold
    board: str
    _cells: dict[int, DependencyMemo[int]] = field(factory=dict)

    def minimum(self, state: State) -> int:
        board = state[self.states.engine.layout.columns[self.board].start]
        total = 0
        for cell in occupied_cells(board):
            memo = self._cells.setdefault(cell, DependencyMemo())
            known = memo.lookup(board)
            total += self._evaluate(board, cell, memo) if known is None else known
        return total

    def _evaluate(self, board: bytes, cell: int, memo: DependencyMemo[int]) -> int:
        recording, bound = RecordingBoard(board), self.sum.binder
        evaluator = self.states.evaluator(self.board, recording)
        environment = {bound.name: exactly(cell)}
        assert bound.where is not None
        counts = evaluator.value(bound.where, environment)
        low = 0 if counts.never else evaluator.value(self.sum.body, environment).low
        minimum = low if counts.always else min(0, low)
        memo.store(recording.cells_read, minimum)
        return minimum


@define
class MonotoneBound:
    """The maximum of a sum of values, cached by the variables that it depends on.

    With `sign` -1 the sum is minimised, and the bound is the negated minimum. `occupied_sums` are the addends minimised cell by
    cell, `others` the rest.
    """

    states: ReachableStates
    sign: int
    others: tuple[terms.Term, ...]
    occupied_sums: tuple[OccupiedSum, ...]
    _key: Callable[[State], Any]
    _is_light: bool
    _known: dict[Any, int] = field(factory=dict)

    @classmethod
    def of(cls, states: ReachableStates, objective: tuple[terms.Term, ...], sign: int) -> MonotoneBound:
        addends = [addend for value in objective for addend in _addends(value)]
        sums = [_occupied_sum(states, term) if sign < 0 else None for term in addends]
        others = tuple(term for term, found in zip(addends, sums, strict=True) if found is None)
        columns = [states.engine.layout.columns[name] for name in sorted(states.changing & reads(states.engine.game, others))]
        positions = [at for column in columns for at in range(column.start, column.start + column.count)]
        key = itemgetter(*positions) if positions else _no_key
        return cls(states, sign, others, tuple(found for found in sums if found is not None), key, states.is_light(others, {}))

    def bound(self, state: State) -> int:
        key = self._key(state)
        known = self._known.get(key)
        if known is None:
            known = self._evaluate(state)
            if len(self._known) < MAX_CACHED:
                self._known[key] = known
        return known - sum(part.minimum(state) for part in self.occupied_sums)

    def _evaluate(self, state: State) -> int:
        evaluator = self.states.evaluator_from(state, self._is_light)
        low, high = total_of(evaluator, self.others)
        return high if self.sign > 0 else -low

    @property
    def dependencies(self) -> frozenset[str]:
        """The variables on which the bound depends, among states reachable from one root."""
        return self.states.changing & reads(self.states.engine.game, self.others, [part.sum for part in self.occupied_sums])


def _addends(value: terms.Term) -> tuple[terms.Term, ...]:
    """The operands of a chain of `+`."""
    match value:
        case terms.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            return tuple(part for term in (first, *(term for _, term in rest)) for part in _addends(term))
        case _:
            return (value,)


def _occupied_sum(states: ReachableStates, term: terms.Term) -> OccupiedSum | None:
    """A sum as an `OccupiedSum`, if only occupied cells count and none counts less than 0; else None."""
    objective = states.board_sums((term,))
    if objective is None:
        return None
    evaluator, (found,), board = states.evaluator(), objective.sums, objective.board
    if reads(states.engine.game, term) != {board} or not evaluator.only_occupied(found.binder):
        return None
    anywhere = AbstractValue(0, states.engine.instance.windows[board].size - 1)
    if evaluator.value(found.body, {found.binder.name: anywhere}).low < 0:
        return None
    return OccupiedSum(states, found, board)


def monotone_bound(
    states: ReachableStates, objective: tuple[terms.Term, ...], sign: int
) -> FormulaBound | MonotoneBound | None:
    """The bound for the states reachable from a root; constant if it depends on no variable.

    None if it is infinite, or depends on a board too large to evaluate at every state.
    """
    found, engine = MonotoneBound.of(states, objective, sign), states.engine
    boards = states.append_only & reads(engine.game, found.others)
    if any(engine.instance.windows[board].size > MAX_CELLS for board in boards):
        return None
    here = found.bound(states.root)
    if here >= HUGE // 2:
        return None
    return found if found.dependencies else FormulaBound(lambda state: here)


def _no_key(state: State) -> tuple[()]:
    return ()
