"""A problem in the form that kernels need: the game as generated code, the bound and the hashes as tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from types import ModuleType

from rulewright.base.records import define
from rulewright.rules.analysis.dominance import RESOURCE_BITS, resource_bits
from rulewright.rules.analysis.space_maps import Automorphism
from rulewright.rules.analysis.state_symmetries import automorphisms_of
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.best.bound.arena import Bound, BoundMode
from rulewright.solver.best.kernels.search_context import Resource, SearchTables
from rulewright.solver.kernel import ground_numbers as ground_numbers_kernel
from rulewright.solver.kernel import orbits, state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.ground_numbers import GroundNumbers, ground_numbers, no_numbers
from rulewright.solver.kernel.orbits import Orbits, orbits_of
from rulewright.subset.buffers import Array
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.refusal import CannotCompile

from .bound import (
    active_terms,
    branch_and_bound,
    dual_bound,
    marker_reachability,
    matroid_greedy,
    placement_check,
)
from .bound_tables import covering_of, fill_bound
from .kernels import beam, depth_first, search_context, transposition_table
from .problem import Problem
from .worker import Worker

KERNELS = (
    active_terms,
    matroid_greedy,
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
        told = problem.kept_variables, problem.counts, problem.hash_key
        game = CompiledGame(problem.engine, problem.root, problem.question.values, kernels, entries, *told)
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
        from rulewright.rules.analysis.commuting_loop import increasing_order
        from rulewright.rules.symbolic.circuit import Refused

        try:
            moves = increasing_order(problem.engine, problem.analysis, problem.root, seconds)
        except Refused:
            return no_numbers()
        return ground_numbers(moves, machine) or no_numbers()

    def orbits(self, automorphisms: Sequence[Automorphism]) -> Orbits:
        """The orbits of states under `automorphisms`, for one thread."""
        problem = self.problem
        return orbits_of(automorphisms, self.game.arrangement, problem.kept_variables, problem.analysis.uses_chance)

    def worker(self, machine: MachineGame) -> Worker:
        """The arrays of one thread."""
        return Worker.of(self.problem.root, machine, self.bound_tables, self.kind_sets, self.tables, self.orbits(()))


BRANCHING_TILES, MANY, LAID_FIRST, MOST_BRANCHING_TILES = 12, 21, 6, 18
"""Most tiles to come with which bounds branch: BRANCHING_TILES. With MANY at the root, bounds branch once LAID_FIRST tiles are
laid or discarded, at MOST_BRANCHING_TILES at most: with more to come few boards are refuted."""


def search_tables(problem: Problem, arrangement: Arrangement) -> SearchTables:
    """The search tables of a problem. Raises `CannotCompile` if the resources do not fit in a word."""
    builder = TableBuilder(SearchTables)
    _add_resources(builder, problem, arrangement)
    cells = kinds = branching_tiles = 0
    covering = covering_of(problem)
    if covering is not None:
        coming = [tile for column in covering.supplies for tile in problem.root[column]]
        cells, kinds = len(problem.root[covering.column]), len(set(coming)) + 1
        branching_tiles = _branching_tiles(len(coming))
    builder.put(branching_tiles=branching_tiles, kind_count=kinds)
    rng = random.Random(3)
    public = [rng.getrandbits(64) - (1 << 63) for _ in range(cells + kinds)]
    builder.put(cell_words=public[:cells], kind_words=public[cells:])
    secret = problem.hash_key.words(cells * kinds + kinds + cells, "boards").tolist()
    laid, end = cells * kinds, (cells + 1) * kinds
    builder.put(laid_words=secret[:laid], coming_words=secret[laid:end], reached_words=secret[end:])
    return SearchTables(builder.array("search_tables"), builder.array("zobrist"))


def _branching_tiles(coming: int) -> int:
    return BRANCHING_TILES if coming < MANY else min(coming - LAID_FIRST, MOST_BRANCHING_TILES)


def _add_resources(builder: TableBuilder, problem: Problem, arrangement: Arrangement) -> None:
    """Add a field for each resource, with a guard bit above it."""
    words: list[list[int]] = []
    guards = shift = 0
    for name, more_is_better in problem.resources.items():
        place = arrangement.slots.places[name]
        values = value_range(arrangement.instance, place.column.variable)
        offset, sign = (-values.start, 1) if more_is_better else (values.stop - 1, -1)
        for number in range(place.column.count):
            words.append(Resource.words(slot=place.slot + number, offset=offset, sign=sign, shift=shift))
            shift += resource_bits(values)
            guards |= 1 << (shift - 1)
    if shift > RESOURCE_BITS:
        raise CannotCompile("more resources than fit one word")
    builder.put(resources=words, resource_count=len(words), guards=guards)
