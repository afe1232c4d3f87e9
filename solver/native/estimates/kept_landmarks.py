"""The relaxed task of a question, kept in the code cache; an entry may say that its landmarks are not worthwhile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from rulewright.base.records import define
from rulewright.solver.heuristics.partial_state import Slot, values_in
from rulewright.solver.heuristics.relaxed_task import Relaxation, RelaxedOperator, RelaxedTask
from rulewright.subset import code_cache

from .kept_distances import KeptDistances, frame_of

FORMAT = "landmarks 2"

NOTHING = RelaxedTask({}, 0, ())
"""In place of a task whose landmarks are not worthwhile."""


@define
class KeptLandmarks:
    """The relaxed task of a problem. It depends on the inputs of its distances, and on those of all that it follows."""

    distances: KeptDistances

    @cached_property
    def recalled(self) -> RelaxedTask | None:
        """The cached task, NOTHING if it is not worthwhile, None if unknown."""
        folder = code_cache.cache_folder()
        if folder is None or not self.distances.are_kept:
            return None
        code = code_cache.recall(folder, self._name)
        if code is None:
            return None
        frame, task = json.loads(code.object)
        found = _task_of(task)
        if found.operators and not (self.distances.with_ancestors.holds(*frame_of(frame)) and self._knows_root(found)):
            return None
        return found if found.operators else NOTHING

    def find(self, deadline: float) -> RelaxedTask:
        """The task. Raises `OutOfTime`."""
        return Relaxation(self.distances.derivation(deadline)).find()

    def keep(self, found: RelaxedTask) -> RelaxedTask:
        """Store a worthwhile task in the cache, or NOTHING; returns it."""
        folder = code_cache.cache_folder()
        if folder is not None:
            frame = self.distances.frame if found.operators else ((), ())
            code_cache.keep(folder, self._name, code_cache.Code(json.dumps((frame, _rows_of(found))).encode(), {}))
        return found

    @property
    def _name(self) -> str:
        return code_cache.name_of((FORMAT, self.distances.name_with_ancestors))

    def _knows_root(self, found: RelaxedTask) -> bool:
        problem = self.distances.problem
        values: dict[Slot, int] = {}
        for name in {slot[0] for slot in found.facts_at}:
            values |= values_in(problem.engine.layout, problem.root, name)
        return found.knows(values)


def _rows_of(task: RelaxedTask) -> Mapping[str, Any]:
    facts = [[*slot, sorted(facts.items())] for slot, facts in task.facts_at.items()]
    return {"facts": facts, "count": task.fact_count, "operators": [[o.label, o.needs, o.adds] for o in task.operators]}


def _task_of(rows: Mapping[str, Any]) -> RelaxedTask:
    facts = {(name, index): dict(map(tuple, of_slot)) for name, index, of_slot in rows["facts"]}
    operators = (RelaxedOperator(label, tuple(needs), tuple(adds)) for label, needs, adds in rows["operators"])
    return RelaxedTask(facts, rows["count"], tuple(operators))
