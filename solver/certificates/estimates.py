"""Estimates of the moves that are left of a plan: the tables of distances of the search, as far as the checker proves them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.records import frozen
from rulewright.checker.rulewright_check import Estimate, Game, Refused
from rulewright.rules.model.state import Column, State
from rulewright.solver.shortest.estimates.distance_tables import DistanceTable, DistanceTables, OutOfTime
from rulewright.solver.shortest.problem import ShortestPlanProblem

from .settled import Document

SECONDS = 2.0
"""For deriving tables, as in the search."""


@frozen(eq=False)
class CertifiedEstimate:
    """A lower bound on the moves to the goal; `document` is what a certificate says of it."""

    document: Mapping[str, Any]
    tables: Sequence[tuple[Column, Sequence[Sequence[int]]]]

    def of(self, state: State) -> int:
        """The moves that are left of any plan, at least."""
        total = 0
        for column, rows in self.tables:
            values = state[column.start] if column.over_cells else state[column.start : column.start + column.count]
            total += sum(row[value] for row, value in zip(rows, values, strict=False))  # the cell nowhere has no row
        return -(-total // self.document["most"])  # type: ignore[no-any-return]


def certified_estimates(problem: ShortestPlanProblem, core: Document) -> Sequence[CertifiedEstimate]:
    """The estimates of a question for the fewest moves that the checker accepts."""
    finder = DistanceTables(problem.engine, problem.root, problem.until, problem.analysis, time.monotonic() + SECONDS)
    try:
        found = finder.find().tables
    except OutOfTime:
        return ()
    columns = problem.engine.layout.columns
    variables = {variable["name"]: variable for variable in core["variables"]}
    estimates = [_estimate(table, columns[table.variable], variables[table.variable]) for table in found]
    return [one for one in estimates if _is_proved(core, one)]


def _estimate(table: DistanceTable, column: Column, variable: Mapping[str, Any]) -> CertifiedEstimate:
    """The distances by place and value; 0 of what cannot be there."""
    first, last = variable["index"] or (0, 0)
    rows = [[0] * (variable["values"][1] + 1) for _ in range(first, last + 1)]
    for ((_, index), value), distance in table.distances.items():
        if variable["index"] is None or first <= index <= last:
            rows[0 if variable["index"] is None else index - first][value] = distance
    return CertifiedEstimate({"most": table.most, "tables": {table.variable: rows}}, ((column, rows),))


def _is_proved(core: Document, estimate: CertifiedEstimate) -> bool:
    try:
        Estimate(Game(json.loads(json.dumps(core))), dict(estimate.document)).check()
    except Refused:
        return False
    return True
