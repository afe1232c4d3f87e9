"""Fills the tables of dual/arena.py for a problem and reserves memory for what its kernels compute."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, product
from math import prod

from rulewright.base.records import define, frozen
from rulewright.rules.analysis.dominance import resource_bits
from rulewright.rules.machine.memory_layout import RESOURCE_BITS, Arrangement, Place
from rulewright.rules.machine.runtime import COUNTED, POINT
from rulewright.rules.model.state import COUNTED as COUNTED_COLUMN
from rulewright.rules.model.state import POINT as POINT_COLUMN
from rulewright.rules.model.state import value_range
from rulewright.rules.model.types import Cell
from rulewright.rules.spaces.window import Window
from rulewright.solver.best.bounds.covering_bound import CoveringBound
from rulewright.solver.best.bounds.gain_bound import GainBound
from rulewright.solver.best.bounds.monotone_bound import MonotoneBound
from rulewright.solver.best.bounds.movement_rules import MovementRules
from rulewright.solver.best.bounds.support_sets import SupportSet, cells_of
from rulewright.solver.best.bounds.upper_bound import MinimumBound
from rulewright.solver.best.dual.arena import (
    MOST,
    Bound,
    BoundMode,
    Candidate,
    CapRecord,
    Layer,
    Need,
    Node,
    Offset,
    PairConstraint,
    RankedNeed,
    SavedNode,
    Supply,
    Term,
    TileDomain,
    WorthKinds,
    WorthOrder,
)
from rulewright.solver.best.dual.dual_bound import UNIT
from rulewright.solver.best.kernels.search_context import Resource, SearchTables
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from .pair_tables import PairTable, are_symmetric, pair_tables
from .problem import KernelTables, Problem

MOST_KINDS = 60
MOST_ENTRIES = 1 << 12
"""Most entries of a table of bounds."""

FAR_AWAY = 255
"""Stands for a distance greater than any number of tiles to come."""

NO_BOUND = (1 << 31) - 1
"""Stands for no bound in a table of bounds."""


BRANCHING_TILES, MANY, LAID_FIRST, MOST_BRANCHING_TILES = 12, 21, 6, 18
"""Most tiles to come with which bounds branch: BRANCHING_TILES. With MANY at the root, bounds branch once LAID_FIRST tiles are
laid or discarded, at MOST_BRANCHING_TILES at most: with more to come few boards are refuted. Measured on four goals with 18
tiles to come: with 14 in place of 12, 0.7, 0.96 and 0.95 times the seconds, and 5.2 times where boards are few."""


def kernel_tables(problem: Problem, arrangement: Arrangement) -> KernelTables:
    """What is derived of a problem for its kernels. Raises `CannotCompile` if something does not fit."""
    bound, search, covering, cells = TableBuilder(Bound), TableBuilder(SearchTables), covering_of(problem), 0
    fill_bound(bound, problem, arrangement)
    _add_resources(search, problem, arrangement)
    search.put(branching_tiles=0, kind_count=0)
    if covering is not None:
        coming = [tile for column in covering.supplies for tile in problem.root[column]]
        search.put(branching_tiles=_branching_tiles(len(coming)), kind_count=len(set(coming)) + 1)
        cells = len(problem.root[covering.column])
    return KernelTables(problem.most, problem.kept_variables, problem.analysis.uses_chance, bound, search, cells)


def fill_bound(tables: TableBuilder, problem: Problem, arrangement: Arrangement) -> None:
    """Fill all tables for the bound of a problem. Raises `CannotCompile` if one cannot be made."""
    tables.put(sign=problem.sign)
    relaxation = covering_of(problem)
    if relaxation is not None:
        _CoveringTables(tables, relaxation, problem, arrangement).fill()
        return
    match problem.bound:
        case None:
            tables.put(mode=BoundMode.UNBOUNDED)
        case MonotoneBound() as bound if (parts := _parts(bound, arrangement)) is not None:
            _fill_table(tables, bound, problem, parts)
        case GainBound() as bound:
            slots = _slots(arrangement)
            parts = [_Part(column, slots[column], values) for column, values in bound.parts]
            _place_table(tables, BoundMode.GAINS, parts, bound.gains)
        case bound:
            most = bound.bound(problem.root)
            tables.put(mode=BoundMode.FIXED if most <= MOST else BoundMode.UNBOUNDED, constant=min(most, MOST))


def covering_of(problem: Problem) -> CoveringBound | None:
    """The covering program of a problem; None if it has none, or its numbers are too large."""
    match problem.bound:
        case (CoveringBound() as relaxation) | MinimumBound(CoveringBound() as relaxation) if _is_small(relaxation):
            return relaxation
        case _:
            return None


def _is_small(relaxation: CoveringBound) -> bool:
    """Whether every sum fits in 32 bits, in parts of a point."""
    return relaxation.constant + sum(max(candidate.worth) for candidate in relaxation.support_sets) <= MOST // UNIT


@frozen
class _Part:
    """A variable that a bound depends on: its column, slot and values."""

    column: int
    slot: int
    values: range


def _parts(bound: MonotoneBound, arrangement: Arrangement) -> list[_Part] | None:
    """The variables that a bound depends on; None if one is a board or the table would be too long."""
    slots = [arrangement.slots.places[name] for name in sorted(bound.dependencies)]
    if any(place.column.over_cells or place.column.variable.is_board for place in slots):
        return None
    parts = [
        _Part(place.column.start + number, place.slot + number, value_range(arrangement.instance, place.column.variable))
        for place in slots
        for number in range(place.column.count)
    ]
    return parts if prod(len(part.values) for part in parts) <= MOST_ENTRIES else None


def _fill_table(tables: TableBuilder, bound: MonotoneBound, problem: Problem, parts: Sequence[_Part]) -> None:
    """Tabulate a bound over all combinations of values."""
    found, state = [], list(problem.root)
    for values in product(*(part.values for part in parts)):
        for part, value in zip(parts, values, strict=True):
            state[part.column] = value
        most = bound.bound(tuple(state))
        found.append(max(most, -MOST) if most <= MOST else NO_BOUND)
    _place_table(tables, BoundMode.TABLE, parts, found)


def _place_table(tables: TableBuilder, mode: BoundMode, parts: Sequence[_Part], found: Sequence[int]) -> None:
    tables.put(mode=mode, constant=tables.add("tables", found))
    strides = [prod(len(part.values) for part in parts[number + 1 :]) for number in range(len(parts))]
    offsets = [
        Offset.words(slot=part.slot, least=part.values.start, stride=stride)
        for part, stride in zip(parts, strides, strict=True)
    ]
    tables.put(parts=offsets, part_count=len(parts))


def _slots(arrangement: Arrangement) -> dict[int, int]:
    """The slot of each column that is a single value."""
    places = arrangement.slots.places.values()
    values = {place.column.start + number: place.slot + number for place in places for number in range(place.column.count)}
    return {POINT_COLUMN: POINT, COUNTED_COLUMN: COUNTED, **values}


def _supplies(arrangement: Arrangement, columns: Sequence[int]) -> list[tuple[int, int]]:
    """For each zone among the columns: where its tiles begin, and the slot of their number."""
    return [
        (arrangement.header[place.entry] + number * arrangement.slots.capacity, place.slot + number)
        for place in arrangement.slots.places.values()
        for number in range(place.column.count)
        if place.is_zone and place.column.start + number in columns
    ]


@define(eq=False)
class _CoveringTables:
    """The tables of a covering program. Kinds of tile to come are numbered by worth, highest first."""

    tables: TableBuilder
    relaxation: CoveringBound
    problem: Problem
    arrangement: Arrangement

    @cached_property
    def name(self) -> str:
        """The name of the board's variable."""
        columns = self.problem.engine.layout.columns
        return next(name for name, column in columns.items() if column.start == self.relaxation.column)

    @cached_property
    def place(self) -> Place:
        return self.arrangement.slots.places[self.name]

    @cached_property
    def window(self) -> Window:
        index = self.place.column.variable.index
        assert isinstance(index, Cell)
        return self.arrangement.instance.windows[index.space]

    @cached_property
    def board(self) -> bytes:
        board: bytes = self.problem.root[self.relaxation.column]
        return board

    @cached_property
    def worth(self) -> dict[int, int]:
        """By kind to come, the greatest worth of a cell with it, in descending order."""
        sets, root = self.relaxation.support_sets, self.problem.root
        kinds = {tile for at in self.relaxation.supplies for tile in root[at]}
        vacant = [candidate for candidate in sets if not self.board[candidate.cell]]
        worth = {kind: max((candidate.worth[kind] for candidate in vacant), default=0) for kind in kinds}
        return dict(sorted(worth.items(), key=lambda item: (-item[1], item[0])))

    @cached_property
    def number_of(self) -> dict[int, int]:
        """The number of each kind to come."""
        return {kind: number for number, kind in enumerate(self.worth)}

    def fill(self) -> None:
        tables, arrangement, relaxation = self.tables, self.arrangement, self.relaxation
        kind_count = len(self.worth)
        if kind_count > MOST_KINDS:
            raise CannotCompile("more kinds of tile to come than fit one word")
        tables.put(mode=BoundMode.DUAL_COSTS, constant=relaxation.constant)
        tables.put(board=arrangement.header[self.place.entry], board_size=self.window.size)
        tables.put(lying=arrangement.header[self.place.entry + 1], lying_slot=self.place.slot)
        tables.put(lying_at_root=len(self.board) - self.board.count(0))
        supplies = [Supply.words(tiles=base, length=slot) for base, slot in _supplies(arrangement, relaxation.supplies)]
        tables.put(supplies=supplies, supply_count=len(supplies))
        tiles = range(len(arrangement.instance.game.tiles) + 1)
        tables.put(kind_of=[self.number_of.get(tile, kind_count) for tile in tiles], kind_count=kind_count)
        tables.put(kind_worth=self.worth.values(), tile_of_kind=self.worth)
        caps = sorted({worth for worth in self.worth.values() if worth > 0}, reverse=True) or [0]
        tables.put(caps=caps, cap_count=len(caps))
        self.fill_candidates()
        self.fill_domains()
        self.fill_movement(self.problem.movement)
        self.reserve_room(len(caps))

    def kinds(self, tiles: Sequence[int] | frozenset[int]) -> int:
        """Kinds to come as a bit set."""
        return sum(1 << number for kind, number in self.number_of.items() if kind in tiles)

    def fill_candidates(self) -> None:
        tables, first_share = self.tables, 0
        indices, distances = [], []
        worths: dict[tuple[int, ...], int] = {}
        orders: dict[tuple[int, ...], int] = {}
        sets = sorted(self.relaxation.support_sets, key=lambda candidate: candidate.cell)
        for candidate in sets:
            needs = cells_of(candidate.support)
            if candidate.worth not in worths:
                worths[candidate.worth] = tables.add("tables", candidate.worth)
            decided = self.board[candidate.cell] or candidate.may_stay_vacant
            by_kind = () if decided else tuple(candidate.worth[kind] for kind in self.number_of)
            if by_kind not in orders:
                orders[by_kind] = self.worth_order(by_kind)
            distances.append(self.distances(candidate))
            record = Candidate.words(
                cell=candidate.cell,
                need_count=len(needs),
                first_share=first_share,
                worth_by_tile=worths[candidate.worth],
                worths=orders[by_kind],
                needs=needs,
            )
            indices.append(tables.add("tables", record))
            first_share += len(needs)
        tables.put(candidates=indices, candidate_count=len(indices), share_count=first_share)
        cells = [candidate.cell for candidate in sets]
        tables.put(first_candidate=[bisect_left(cells, cell) for cell in range(self.window.size + 1)])
        laid = [cell for cell in range(self.window.size) if self.board[cell]]
        nearest = [min((steps[cell] for cell in laid), default=FAR_AWAY) if any(steps) else 0 for steps in distances]
        tables.put(distance_at_root=nearest)
        joined = b"".join(distances)
        by_cell = [joined[cell :: self.window.size] for cell in range(self.window.size)]
        tables.put(distances=by_cell if any(nearest) else -1)

    def worth_order(self, by_kind: Sequence[int]) -> int:
        records = [
            WorthKinds.words(
                worth=worth,
                kinds=self.tables.add("kind_sets", [sum(1 << kind for kind, value in enumerate(by_kind) if value == worth)]),
            )
            for worth in sorted(set(by_kind), reverse=True)
        ]
        return self.tables.add("tables", WorthOrder.words(count=len(records), by_worth=list(chain.from_iterable(records))))

    def distances(self, candidate: SupportSet) -> bytes:
        """The distance of each cell from a support set; 0 if unknown, and where tiles lie on it."""
        most, size, needs = len(candidate.balls), self.window.size, cells_of(candidate.support)
        if not needs or not 0 < most < FAR_AWAY or any(self.board[cell] for cell in needs):
            return bytes(size)
        balls_around = (candidate.support + sum(candidate.balls)).to_bytes(size, "little")
        steps = bytes((FAR_AWAY, *range(most, -1, -1)))
        return balls_around.translate(steps.ljust(256, bytes((FAR_AWAY,))))

    def fill_domains(self) -> None:
        """Tabulate the kinds that fit each vacant cell of any support set."""
        sets, domains = self.relaxation.support_sets, self.relaxation.domains
        needed = {cell for candidate in sets for cell in cells_of(candidate.support) if not self.board[cell]}
        found = {} if domains is None else pair_tables(domains, self.board, sorted(needed), self.number_of)
        known: dict[tuple[int, ...], int] = {}
        at_cells = [self.domain(found[cell], known) if cell in found else -1 for cell in range(self.window.size)]
        self.tables.put(domains=at_cells, is_pairwise=int(are_symmetric(found, self.number_of)))

    def domain(self, layers: Sequence[Sequence[PairTable]], known: dict[tuple[int, ...], int]) -> int:
        words: list[int] = []
        for layer in layers:
            constraints: list[int] = []
            for pair in layer:
                if pair.kinds not in known:
                    known[pair.kinds] = self.tables.add("kind_sets", pair.kinds)
                constraints += PairConstraint.words(cell=pair.cell, kinds=known[pair.kinds])
            words += Layer.words(constraint_count=len(layer), constraints=constraints)
        return self.tables.add("tables", TileDomain.words(layer_count=len(layers), layers=words))

    def fill_movement(self, rules: MovementRules | None) -> None:
        """Steps, markers, and by direction the tiles that can be left, entered and laid; nothing without rules."""
        tables, steps, opposite = self.tables, self.window.steps, self.window.opposite
        if rules is None or any(opposite[direction] not in rules.directions for direction in rules.directions):
            return
        directions = range(len(rules.directions))
        tiles = range(len(self.arrangement.instance.game.tiles) + 1)
        inner = {
            cell
            for cell in range(self.window.size)
            if all(near in rules.translatable for near in (cell, *(steps[direction][cell] for direction in rules.directions)))
        }
        slots = _slots(self.arrangement)
        tables.put(direction_count=len(directions), steps=[near for way in rules.directions for near in steps[way]])
        tables.put(opposite=[rules.directions.index(opposite[way]) for way in rules.directions])
        tables.put(is_near_border=[*(int(cell not in inner) for cell in range(self.window.size)), 0])
        tables.put(marker_slots=[slots[column] for column in rules.markers], marker_count=len(rules.markers))

        def ways(by_direction: Sequence[frozenset[int]]) -> list[int]:
            return [sum(1 << way for way in directions if tile in by_direction[way]) for tile in tiles]

        tables.put(leaves=ways(rules.leaves), enters=ways(rules.enters))
        tables.put(lay_kinds=[self.kinds(kinds) for kinds in rules.lays])
        tables.put(leave_kinds=[self.kinds(kinds) for kinds in rules.leaves])

    def reserve_room(self, cap_count: int) -> None:
        sets = self.relaxation.support_sets
        cells, terms = self.window.size + 1, len(sets) + 1
        kinds = len(self.worth) + 1
        tiles = sum(len(self.problem.root[at]) for at in self.relaxation.supplies) + 1
        missing = max((candidate.support.bit_count() for candidate in sets), default=0) + 1
        saved_size = size_of(SavedNode) + size_of(Term) * len(sets)
        put, reserve = self.tables.put, self.tables.reserve
        put(saved_size=saved_size, most_missing=missing)
        self.tables.room["long_arena"] += cells  # where `kinds_there` begins
        reserve(coming=kinds, number_of_cell=cells, cell_of_number=cells, travel=cells, distance=terms)
        reserve(active=terms * size_of(Term), needs=terms * missing * size_of(Need), number_in_program=cells)
        reserve(board_cell=cells, node=size_of(Node), prices=cells, weights=cells, ranked=missing * size_of(RankedNeed))
        reserve(unmatched=kinds, marks=cells, queues=2 * cells, queue_ends=2, cell_state=cells, saved=tiles * saved_size)
        reserve(completed=terms * size_of(Term), assignments=cells, failure_rate=tiles, trial_cells=tiles)
        reserve(kinds_fitting=cells, kinds_brought=cells, cap_records=cap_count * size_of(CapRecord))
        reserve(cheapest=missing)
        put(arena_size=self.tables.room["arena"], long_size=self.tables.room["long_arena"])


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
