"""A problem in the form that kernels need: the game as generated code, the bound and the hashes as tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.solver.kernel import orbits, state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.orbit_words import orbits_of
from rulewright.solver.kernel.orbits import Orbits
from rulewright.solver.native.bound import (
    active_terms,
    branch_and_bound,
    dual_bound,
    marker_reachability,
    matroid_greedy,
    placement_check,
    reduced_cost_fixing,
)
from rulewright.solver.native.bound.arena import Bound, BoundMode
from rulewright.solver.native.kernels import beam, depth_first, search_context, transposition_table
from rulewright.solver.native.kernels.search_context import SearchTables
from rulewright.solver.native.pruning import ground_numbers as ground_numbers_kernel
from rulewright.solver.native.pruning.ground_numbers import GroundNumbers
from rulewright.solver.native.tables.ground_words import ground_numbers, no_numbers
from rulewright.solver.search.problem import Problem
from rulewright.solver.symmetry.space_maps import Automorphism
from rulewright.solver.symmetry.state_symmetries import automorphisms_of
from rulewright.subset.buffers import Array
from rulewright.subset.table_builder import TableBuilder

from .bound_tables import fill_bound
from .state_tables import search_tables
from .worker import Worker

KERNELS = (
    active_terms,
    matroid_greedy,
    reduced_cost_fixing,
    dual_bound,
    marker_reachability,
    placement_check,
    branch_and_bound,
    transposition_table,
    orbits,
    ground_numbers_kernel,
    search_context,
    depth_first,
    state_pool,
    beam,
)
ENTRIES = ("apply", "beam_search", "bound_by_branching", "bound_by_dual_costs", "depth_first_search", "legal", "undo", "value")


@define(eq=False)
class KernelProblem:
    """Code and tables of a problem, shared by all workers."""

    problem: Problem
    game: CompiledGame
    bound: TableBuilder
    tables: SearchTables

    @classmethod
    def of(cls, problem: Problem, kernels: Sequence[ModuleType] = KERNELS, entries: Sequence[str] = ENTRIES) -> KernelProblem:
        """Raises `CannotCompile` if its game or bound does not fit the compiled subset."""
        engine, telling = problem.engine, _telling_variables(problem)
        counts = engine.horizon is not None
        game = CompiledGame(engine, problem.root, problem.question.values, kernels, entries, telling, counts, problem.hash_key)
        game.text  # noqa: B018 (refuses before bounds are computed)
        bound = TableBuilder(Bound)
        fill_bound(bound, problem, game.arrangement)
        return cls(problem, game, bound, search_tables(problem, game.arrangement))

    @cached_property
    def bound_tables(self) -> Array:
        return self.bound.array("tables", complete=False)

    @cached_property
    def kind_sets(self) -> Array:
        return self.bound.array("kind_sets")

    @property
    def has_dual_bound(self) -> bool:
        """Whether states are bounded by dual costs."""
        return self.bound.get("mode") == BoundMode.DUAL_COSTS

    def automorphisms(self, deadline: float) -> Sequence[Automorphism]:
        """The automorphisms of rules and question that fix resources; as many as are found in time."""
        problem, engine = self.problem, self.problem.engine
        found = automorphisms_of(engine, problem.root, problem.analysis, problem.question.values, deadline)
        kept = [engine.game.variables[name] for name in problem.resources]
        return [one for one in found if not any(one.moves(part.index) or one.moves(part.type) for part in kept)]

    def increasing_order(self, seconds: float, machine: MachineGame) -> GroundNumbers:
        """The order in which the actions of a plan need be tried, if they commute; no numbers if not, or not shown in time."""
        problem = self.problem
        if len(problem.engine.choices) > 1:
            return no_numbers()
        # Imported when needed: most questions are of games with several choices, or are answered sooner.
        from rulewright.solver.cpsat.model.circuit import Refused
        from rulewright.solver.cpsat.order_free.increasing_order import increasing_order

        try:
            moves = increasing_order(problem.engine, problem.analysis, problem.root, seconds)
        except Refused:
            return no_numbers()
        return ground_numbers(moves, machine) or no_numbers()

    def orbits(self, automorphisms: Sequence[Automorphism]) -> Orbits:
        """The orbits of states under `automorphisms`, for one thread."""
        return orbits_of(automorphisms, self.game.arrangement, _telling_variables(self.problem))

    def worker(self, machine: MachineGame) -> Worker:
        """The arrays of one thread."""
        return Worker.of(self.problem.root, machine, self.bound_tables, self.kind_sets, self.tables)


def _telling_variables(problem: Problem) -> frozenset[str]:
    """The variables that tell states apart."""
    return problem.analysis.live_variables - problem.resources.keys()
