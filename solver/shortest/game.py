"""A game compiled for searches in order of cost: for shortest plans, or for all plans worth a goal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import ground_numbers, orbits, state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.kept_slots import KeptSlots
from rulewright.solver.kernel.orbit_words import orbits_of
from rulewright.solver.kernel.orbits import Orbits

from .kernels import distance_estimate, landmark_cut, state_mail, stubborn_sets, uniform_cost, work_division
from .known_states import KnownStates
from .problem import CostOf, ShortestPlanProblem, truth_value

if TYPE_CHECKING:
    from rulewright.rules.analysis.space_maps import Automorphism

KERNELS = (
    *(state_pool, state_mail, distance_estimate, landmark_cut, orbits, ground_numbers, stubborn_sets),
    uniform_cost,
)
"""The kernels of all searches in order of cost; each adds its own."""

ENTRIES = (
    *("apply", "enter_root", "hand_over", "inform", "know_again", "legal", "part", "raised", "take_in"),
    *("uniform_cost_search", "value"),
)


@define(eq=False)
class CostGame:
    """The game of a problem with some kernels. Where plans end in a condition, its `value` is twice the objective, plus 1 if
    the condition holds; where they end with the game, nothing costs."""

    problem: Problem | ShortestPlanProblem
    kernels: Sequence[ModuleType] = (*KERNELS, work_division)
    entries: Sequence[str] = ENTRIES

    @cached_property
    def compiled(self) -> CompiledGame:
        """Raises `CannotCompile` where it is used if the game does not fit the compiled subset."""
        problem = self.problem
        values, counts = problem.question.values, False
        if isinstance(problem, ShortestPlanProblem):
            values = (*values, *values, truth_value(problem.until))
        else:
            counts = problem.engine.horizon is not None
        return CompiledGame(
            problem.engine, problem.root, values, self.kernels, self.entries, self._telling, counts, problem.hash_key
        )

    @property
    def _telling(self) -> frozenset[str]:
        problem = self.problem
        return problem.telling_variables if isinstance(problem, ShortestPlanProblem) else problem.analysis.live_variables

    @cached_property
    def kept_slots(self) -> KeptSlots:
        """The slots that play may change."""
        compiled = self.compiled
        return KeptSlots.of(compiled.arrangement, self.problem.analysis, self._telling, compiled.counts)

    @cached_property
    def automorphisms(self) -> Sequence[Automorphism]:
        """The automorphisms that the rules and the question respect."""
        from rulewright.rules.analysis.state_symmetries import automorphisms_of

        problem = self.problem
        return automorphisms_of(problem.engine, problem.root, problem.analysis, problem.question.terms, math.inf)

    def orbits(self, automorphisms: Sequence[Automorphism]) -> Orbits:
        """The orbits of states under them, for one thread."""
        return orbits_of(automorphisms, self.compiled.arrangement, self._telling)

    def states(self, machine: MachineGame, most: int, worker: int = 0, workers: int = 1) -> KnownStates:
        """The arrays of a worker, for at most `most` states."""
        problem = self.problem
        cost_of, least_step = CostOf.MOVES, 0
        if isinstance(problem, ShortestPlanProblem):
            cost_of, least_step = problem.cost_of, problem.least_step
        uses_chance = problem.analysis.uses_chance
        return KnownStates.of(machine, self.kept_slots, most, cost_of, least_step, uses_chance, worker, workers)
