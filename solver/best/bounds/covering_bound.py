"""An admissible bound on a sum over cells: a covering relaxation, bounded by splitting costs.

The relaxation drops markers, turns and the costs of moves. It keeps that a cell counts only once its support set is covered,
and that each tile still to come covers one cell. If a cell worth w lacks m cells of its support, w/m is charged to each;
k tiles then complete cells worth at most the sum of the k largest totals, since every completed cell is charged in full.

The kernels (solver/best/dual) split the same costs anew at each state, and branch; this even split needs no compiler.
"""

from __future__ import annotations

from collections import Counter
from heapq import nlargest

from rulewright.base.records import define, field
from rulewright.rules.analysis.reachable_states import BoardSums, ReachableStates
from rulewright.rules.analysis.tile_domains import TileDomains, tile_domains
from rulewright.rules.model.state import State
from rulewright.rules.static.abstract_values import AbstractValue

from .support_sets import OCCUPANCY, SupportSet, cells_of, support_sets
from .upper_bound import MAX_CACHED, MAX_CELLS, FormulaBound, UpperBound

SHARE_UNIT = 60
"""Parts of a share: sixtieths are exact for 1 to 6 missing cells; other shares are rounded up."""


@define
class CoveringBound:
    """The bound for the states reachable from one root, on a board that is one column of the state.

    `constant` bounds the addends that are not sums over the board.
    """

    column: int
    support_sets: tuple[SupportSet, ...]
    constant: int
    supplies: tuple[int, ...]
    domains: TileDomains | None
    _known: dict[tuple[bytes, int], int] = field(factory=dict)

    def bound(self, state: State) -> int:
        board, tiles = state[self.column], sum(len(state[at]) for at in self.supplies)
        known = self._known.get((board, tiles))
        if known is None:
            known = self._evaluate(board, tiles)
            if len(self._known) < MAX_CACHED:
                self._known[board, tiles] = known
        return known

    def _evaluate(self, board: bytes, tiles: int) -> int:
        """The bound for a board and a number of tiles to come."""
        occupied = int.from_bytes(board.translate(OCCUPANCY), "little")
        certain, prices = self.constant, Counter[int]()
        for candidate in self.support_sets:
            missing = candidate.support & ~occupied
            count = missing.bit_count()
            worth = candidate.worth[board[candidate.cell]]
            if not count:
                certain += worth
            elif count <= tiles and candidate.is_in_reach(occupied, tiles - count):
                share = -(-SHARE_UNIT * worth // count)
                for cell in cells_of(missing):
                    prices[cell] += share
        return certain + sum(nlargest(tiles, prices.values())) // SHARE_UNIT


def covering_bound(states: ReachableStates, objective: BoardSums) -> UpperBound | None:
    """The bound over all reachable states; None for a large board whose vacant cells may count."""
    engine, board = states.engine, objective.board
    if engine.instance.windows[board].size > MAX_CELLS:
        return _bound_by_tile_count(states, objective)
    found = tuple(support_set for value in objective.sums for support_set in support_sets(states, value, board))
    domains = tile_domains(engine, states.analysis, board, states.kinds_to_come)
    return CoveringBound(engine.layout.columns[board].start, found, objective.constant, states.supplies, domains)


def _bound_by_tile_count(states: ReachableStates, objective: BoardSums) -> UpperBound | None:
    """For large boards: each cell occupied counts at most what any cell can be worth; None if vacant cells may count."""
    engine, evaluator = states.engine, states.evaluator()
    if not all(evaluator.only_occupied(value.binder) for value in objective.sums):
        return None
    anywhere = AbstractValue(0, engine.instance.windows[objective.board].size - 1)
    each = sum(max(0, evaluator.value(value.body, {value.binder.name: anywhere}).high) for value in objective.sums)
    column, supplies = engine.layout.columns[objective.board].start, states.supplies

    def bound(state: State) -> int:
        lying = len(state[column]) - state[column].count(0)
        most: int = lying + sum(len(state[at]) for at in supplies)
        return objective.constant + each * most

    return FormulaBound(bound)
