"""Packed resources and branching limits, as arrays for the kernels."""

from __future__ import annotations

import random

from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.model.state import value_range
from rulewright.solver.native.kernels.search_context import Resource, SearchTables
from rulewright.solver.search.dominance import RESOURCE_BITS, resource_bits
from rulewright.solver.search.problem import Problem
from rulewright.subset.refusal import CannotCompile
from rulewright.subset.table_builder import TableBuilder

from .bound_tables import covering_of

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
    builder.put(branching_tiles=branching_tiles, kind_count=kinds, uses_chance=int(problem.analysis.uses_chance))
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
