"""Estimates of the moves that are left of a plan, or of the value at its end, as far as the checker proves them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from rulewright.base.records import frozen
from rulewright.checker.rulewright_check import Estimate, Game, Refused, TilesLeft, Unreadable
from rulewright.rules.model.state import State, StateLayout
from rulewright.rules.play.engine import Engine
from rulewright.solver.shortest.estimates.distance_tables import SECONDS, DistanceTable, DistanceTables, OutOfTime
from rulewright.solver.shortest.problem import ShortestPlanProblem

TILES = 5
"""Most tiles that are left where the value is estimated: the effort grows with them, and with more, little is left out."""

Document = Mapping[str, Any]
"""A document of JSON, such as a core."""


@frozen(eq=False)
class CertifiedEstimate:
    """A bound on what play from a state comes to. `document` is what a certificate says of it.

    `of` is the least number of moves that are left of a plan, or the greatest value at the end (if the question is for the
    least, the least value).
    """

    document: Document
    of: Callable[[State], float]


# The fewest moves: tables of distances --------------------------------------------------------------------------------


def estimates_of_moves(problem: ShortestPlanProblem, core: Document) -> Sequence[CertifiedEstimate]:
    """Lower bounds on the moves that are left, for a question for the fewest moves."""
    finder = DistanceTables(problem.engine, problem.root, problem.until, problem.analysis, time.monotonic() + SECONDS)
    try:
        found = finder.find().tables
    except OutOfTime:
        return ()
    estimates = (_estimate(table, core, problem.engine.layout) for table in found)
    return [one for one in estimates if _is_proved(core, one)]


def _estimate(table: DistanceTable, core: Document, layout: StateLayout) -> CertifiedEstimate:
    """The distances by place and value; 0 of what cannot be there."""
    (variable,) = (one for one in core["variables"] if one["name"] == table.variable)
    first, last = variable["index"] or (0, 0)
    rows = [[0] * (variable["values"][1] + 1) for _ in range(first, last + 1)]
    for ((_, index), value), distance in table.distances.items():
        if variable["index"] is None or first <= index <= last:
            rows[0 if variable["index"] is None else index - first][value] = distance
    values, most = _reader(variable, layout), table.most

    def moves_left(state: State) -> int:
        total: int = sum(row[value] for row, value in zip(rows, values(state), strict=True))
        return -(-total // most)

    return CertifiedEstimate({"most": most, "tables": {table.variable: rows}}, moves_left)


def _is_proved(core: Document, estimate: CertifiedEstimate) -> bool:
    try:
        Estimate(_game(core), dict(estimate.document))
    except Refused:
        return False
    return True


# The value at the end: tiles that are left ----------------------------------------------------------------------------


def estimates_of_value(engine: Engine, core: Document, bound: int) -> Sequence[CertifiedEstimate]:
    """The bound that was proved, where the tiles left bring no more; for a value that only tiles on one board change."""
    game = _game(core)
    for name in game.read:
        document = {"board": name, "most": TILES}
        with suppress(Refused, Unreadable):
            return (_estimate_of_value(document, TilesLeft(game, document), core, engine.layout, bound),)
    return ()


def _estimate_of_value(
    document: Document, left: TilesLeft, core: Document, layout: StateLayout, bound: int
) -> CertifiedEstimate:
    variables = {one["name"]: one for one in core["variables"]}
    readers = [
        (slot, _reader(variables[name], layout)) for slot, name in zip((left.board, *left.zones), left.names, strict=True)
    ]

    def value(state: State) -> float:
        rows: list[Any] = [None] * (1 + max(slot for slot, _ in readers))
        for slot, values in readers:
            rows[slot] = values(state)
        return bound if left.keeps(tuple(rows), bound) else left.sign * inf

    return CertifiedEstimate(document, value)


# States of the engine -------------------------------------------------------------------------------------------------

Values = Callable[[State], Sequence[Any]]
"""The values of a variable in a state, by its index."""


def _reader(variable: Mapping[str, Any], layout: StateLayout) -> Values:
    column = layout.columns[variable["name"]]
    first, last = variable["index"] or (0, 0)
    if column.over_cells:
        return lambda state: state[column.start][: last + 1 - first]  # the cell nowhere is none of the core's
    return lambda state: state[column.start : column.start + column.count]


def _game(core: Document) -> Game:
    return Game(json.loads(json.dumps(core)))
