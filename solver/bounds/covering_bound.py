"""An admissible bound on a sum over cells: a covering relaxation, bounded by splitting costs.

The relaxation forgets markers, turns and what moves cost. It keeps that a cell counts only once its support set is covered, and
that each tile still to come covers one cell. If a cell worth w lacks m cells of its support, w/m is charged to each of them;
then k tiles complete at most the sum of the k largest totals, since every completed cell is charged in full.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import field

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.abstract_algebra import HUGE, AbstractValue
from rulewright.rules.static.dataflow import DataflowAnalysis

from .covering_branch import Open, Opening, may_exceed, places
from .reachable_states import ReachableStates
from .support_sets import OCCUPANCY, SupportSet, support_sets
from .tile_domains import TileDomains, tile_domains
from .upper_bound import MAX_CELLS, FormulaBound, UpperBound

CACHE_BYTES, ENTRY_OVERHEAD = 256 << 20, 300
"""Memory for cached bounds, and what an entry takes beside its board."""

NODE_BUDGETS = 400, 40
"""Nodes of the branch and bound for a refutation: while they tend to succeed, and when they seldom do."""


@define
class SuccessRate:
    """How often refutations were tried and succeeded, for one number of tiles to come."""

    tried: int = 0
    refuted: int = 0

    @property
    def node_budget(self) -> int:
        """How many nodes to spend on the next refutation."""
        return NODE_BUDGETS[0] if self.tried < 100 or self.refuted * 8 > self.tried else NODE_BUDGETS[1]


@define
class CoveringBound:
    """The bound for the states reachable from one root, on a board that is one column of the state.

    `constant` bounds the values that are no sums over the board. `may_exceed` also branches on which cells are covered.
    """

    column: int
    support_sets: tuple[SupportSet, ...]
    constant: int
    supplies: tuple[int, ...]
    domains: TileDomains | None
    beside: tuple[frozenset[int], ...]
    _known: dict[tuple[object, ...], int] = field(factory=dict)
    _answered: dict[tuple[object, ...], tuple[int, bool]] = field(factory=dict)
    _success: dict[int, SuccessRate] = field(factory=dict)
    _ranges: dict[tuple[tuple[int, ...], int], tuple[int, int]] = field(factory=dict)

    def bound(self, state: State) -> int:
        key = self._key(state)
        known = self._known.get(key)
        if known is None:
            known = self.constant + self._opening(key).bound()
            if len(self._known) * (len(state[self.column]) + ENTRY_OVERHEAD) < CACHE_BYTES:
                self._known[key] = known
        return known

    def may_exceed(self, state: State, goal: int) -> bool:
        key = self._key(state)
        answered = self._answered.get(key)
        if answered is not None and (answered[0] == goal or (answered[0] < goal and not answered[1])):
            return answered[1]
        if self.bound(state) <= goal:
            return False
        opening = self._opening(key)
        success = self._success.setdefault(len(opening.tiles), SuccessRate())
        answer = may_exceed(opening, goal - self.constant, success.node_budget)
        success.tried += 1
        success.refuted += not answer
        if len(self._answered) * (len(state[self.column]) + ENTRY_OVERHEAD) < CACHE_BYTES:
            self._answered[key] = (goal, answer)
        return answer

    def _key(self, state: State) -> tuple[object, ...]:
        coming: list[int] = []
        for at in self.supplies:
            coming += state[at]
        coming.sort()
        return (state[self.column], *coming)

    def _opening(self, key: tuple[Any, ...]) -> Opening:
        board, *coming = key
        sure, number = 0, len(coming)
        kinds = 0
        for kind in coming:
            kinds |= 1 << kind
        occupied = int.from_bytes(board.translate(OCCUPANCY), "little")
        vacant = ~occupied
        fits: dict[int, int] = {}
        cells: list[Open] = []
        extras = dict.fromkeys(coming, 0)
        worths = dict.fromkeys(coming, 0)
        for support_set in self.support_sets:
            lacks = support_set.support & vacant
            count = lacks.bit_count()
            if count > number:
                continue
            cell = support_set.cell
            if not count:
                sure += support_set.worth[board[cell]]
                continue
            spare = number - count
            if lacks == support_set.support and spare < len(support_set.balls) and not occupied & support_set.balls[spare]:
                continue
            for near in places(lacks):
                if near not in fits:
                    fits[near] = kinds if self.domains is None else kinds & self.domains.domain(board, near)
                if not fits[near]:
                    break
            else:
                own = not board[cell]
                if own:
                    least, most = self._range(support_set.worth, fits.get(cell, kinds))
                    for kind in worths:
                        worths[kind] = max(worths[kind], support_set.worth[kind])
                        extras[kind] = max(extras[kind], support_set.worth[kind] - least)
                else:
                    least = most = support_set.worth[board[cell]]
                cells.append(Open(lacks, count, least, most, own))
        more = tuple(sorted((extras[kind] for kind in coming), reverse=True))
        best = tuple(sorted((worths[kind] for kind in coming), reverse=True))
        return Opening(sure, tuple(cells), tuple(coming), fits, more, best, self._is_near, self._together)

    def _is_near(self, one: int, other: int) -> bool:
        return self.domains is not None and other in self.beside[one]

    def _together(self, one: int, other: int) -> dict[int, int]:
        assert self.domains is not None
        return self.domains.compatible(one, other)

    def _range(self, worth: tuple[int, ...], kinds: int) -> tuple[int, int]:
        """The least and the most that a cell is worth with one of the kinds on it."""
        key = (worth, kinds)
        found = self._ranges.get(key)
        if found is None:
            values = [w for kind, w in enumerate(worth) if kinds >> kind & 1]
            found = self._ranges[key] = (min(values), max(values))
        return found


def covering_bound(engine: Engine, analysis: DataflowAnalysis, values: Iterable[terms.Term], root: State) -> UpperBound | None:
    """A bound on the sum of the values over all states reachable from a root.

    None unless the values include sums over the cells of just one append-only board, and the others are bounded by a constant.
    """
    sums: list[terms.Sum] = []
    boards: set[str] = set()
    constant = 0
    states = ReachableStates(engine, analysis, root)
    for value in values:
        board = states.summed_board(value)
        if board is not None and isinstance(value, terms.Sum):
            sums.append(value)
            boards.add(board)
            continue
        possible = states.evaluator().value(value, {})
        if possible.high >= HUGE // 2:
            return None
        constant += possible.high
    if len(boards) != 1:
        return None
    board = boards.pop()
    if engine.instance.windows[board].size > MAX_CELLS:
        return _bound_by_tile_count(states, sums, board, constant)
    found = tuple(support_set for value in sums for support_set in support_sets(states, value, board))
    column = engine.layout.columns[board].start
    window = engine.instance.windows[board]
    beside = tuple(frozenset(step[cell] for step in window.steps) for cell in range(window.size + 1))
    domains = tile_domains(engine, analysis, board, states.kinds_to_come)
    return CoveringBound(column, found, constant, states.supplies, domains, beside)


def _bound_by_tile_count(states: ReachableStates, sums: list[terms.Sum], board: str, constant: int) -> UpperBound | None:
    """For large boards: only occupied cells count, and each at most what any cell can be worth."""
    engine, evaluator = states.engine, states.evaluator()
    anywhere = AbstractValue(0, engine.instance.windows[board].size - 1)
    if not all(evaluator.only_occupied(value.binder) for value in sums):
        return None
    each = sum(max(0, evaluator.value(value.value, {value.binder.name: anywhere}).high) for value in sums)
    column, supplies = engine.layout.columns[board].start, states.supplies

    def bound(state: State) -> int:
        lying = len(state[column]) - state[column].count(0)
        most: int = lying + sum(len(state[at]) for at in supplies)
        return constant + each * most

    return FormulaBound(bound)
