"""Refutes goals at single states by the kernels' branch and bound, for searches over immutable states."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from operator import itemgetter

from rulewright.base.records import define, field
from rulewright.rules.play.engine import State
from rulewright.solver.best.bound import dual_bound
from rulewright.solver.best.kernel_problem import KernelProblem
from rulewright.solver.best.problem import Problem
from rulewright.solver.best.worker import Worker
from rulewright.subset.program import as_machine_code_by
from rulewright.subset.refusal import CannotCompile

WITHOUT_REFUTING = 0.4
"""Seconds before anything is compiled: a search that ends sooner needs no refutation."""


@define(eq=False)
class Refuter:
    """Tests, for states reached from the root of a problem, whether anything above a goal can be reached."""

    problem: Problem
    deadline: float
    _known: dict[object, bool] = field(factory=dict)
    _began: float = field(factory=time.monotonic)

    def refutes(self, state: State, goal: int) -> bool:
        """Whether it is proved that no end is worth more than the goal."""
        if time.monotonic() < self._began + WITHOUT_REFUTING or self._worker is None:
            return False
        key = goal, self._read(state)
        known = self._known.get(key)
        if known is None:
            self._stand_at(self._worker, state)
            bound = self._worker.machine.program.bound_by_branching(self._worker.state_bound, goal, dual_bound.SWEEPS)
            known = self._known[key] = bound <= goal
        return known

    @cached_property
    def _worker(self) -> Worker | None:
        """The kernels in machine code; None without a compiler, or if the problem has no dual bound."""
        with suppress(CannotCompile, ImportError):
            kernels = KernelProblem.of(self.problem)
            if kernels.has_dual_bound:
                return kernels.worker(kernels.game.machine(kernels.game.program(as_machine_code_by(self.deadline))))
        return None

    @cached_property
    def _read(self) -> Callable[[State], object]:
        """What the bound depends on: the board, the tiles to come, and the markers' cells."""
        states, objective = self.problem.reachable, self.problem.board_sums
        assert objective is not None
        markers = () if self.problem.movement is None else self.problem.movement.markers
        return itemgetter(states.engine.layout.columns[objective.board].start, *states.supplies, *markers)

    @cached_property
    def _cells_at_root(self) -> dict[int, None]:
        """The board cells with tiles at the root."""
        assert self._worker is not None
        bound = self._worker.state_bound
        self._worker.machine.load(self.problem.root)
        return dict.fromkeys(bound.lying[: bound.lying_at_root])

    def _stand_at(self, worker: Worker, state: State) -> None:
        """Load a state without its hash, with the root's tiles first in the list of laid tiles."""
        bound, at_root = worker.state_bound, self._cells_at_root
        worker.machine.arrangement.load(state, worker.machine.slots)
        lying = list(bound.lying[: bound.state[bound.lying_slot]])
        for place, cell in enumerate([*at_root, *(cell for cell in lying if cell not in at_root)]):
            bound.lying[place] = cell
