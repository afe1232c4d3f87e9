"""The relaxed task of a question, kept in the code cache; an entry may say that its landmarks are not worthwhile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulewright.base.records import define
from rulewright.solver.heuristics.relaxed_task import Relaxation, RelaxedOperator, RelaxedTask

from .kept_distances import KeptDistances

FORMAT = "landmarks 3"

NOTHING = RelaxedTask({}, 0, ())
"""In place of a task whose landmarks are not worthwhile."""


@define
class KeptLandmarks:
    """The relaxed task of a problem. It depends on the inputs of its distances, and on those of all that it follows."""

    distances: KeptDistances

    @cached_property
    def recalled(self) -> RelaxedTask | None:
        """The cached task, NOTHING if it is not worthwhile, None if unknown."""
        content = self.distances.recall(FORMAT)
        if not content:
            return None if content is None else NOTHING
        found = _task_of(json.loads(content))
        return found if found.knows(self.distances.root_values(found.facts_at)) else None

    def find(self, deadline: float) -> RelaxedTask:
        """The task. Raises `OutOfTime`."""
        return Relaxation(self.distances.derivation(deadline)).find()

    def keep(self, found: RelaxedTask) -> RelaxedTask:
        """Store a worthwhile task in the cache, or NOTHING; returns it."""
        self.distances.keep(FORMAT, json.dumps(_rows_of(found)).encode() if found.operators else b"")
        return found


def _rows_of(task: RelaxedTask) -> Mapping[str, Any]:
    facts = [[*slot, sorted(facts.items())] for slot, facts in task.facts_at.items()]
    return {"facts": facts, "count": task.fact_count, "operators": [[o.label, o.needs, o.adds] for o in task.operators]}


def _task_of(rows: Mapping[str, Any]) -> RelaxedTask:
    facts = {(name, index): dict(map(tuple, of_slot)) for name, index, of_slot in rows["facts"]}
    operators = (RelaxedOperator(label, tuple(needs), tuple(adds)) for label, needs, adds in rows["operators"])
    return RelaxedTask(facts, rows["count"], tuple(operators))
