"""The tables that the kernels work with: what bounds a state and what tells states apart, as arrays."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from attrs import field

from ...grammar.classes import define, frozen
from ...rules.analysis import Analysis
from ...rules.game import Storage
from ...rules.layout import State, values
from ...rules.native.slots import Arrangement
from ...rules.native.text import CannotCompile
from ...rules.spaces.window import Window
from ...rules.terms import Neighbourhood
from ...rules.types import Cell
from ..candidates import Candidate
from ..covering import places
from ..interiors import Tighter
from ..monotone import OutlookBound
from ..problem import Problem
from ..relaxation import Relaxation
from ..travel import Travel, travel
from . import depth_first as d
from . import entries as r
from .fits import Look, are_pairwise, looks
from .relaxed import UNIT
from .seen import SPENT_BITS

MOST_KINDS = 60
MOST_ENTRIES = 1 << 12
"""No table of bounds is longer."""

CLOSE, MANY, LAID_FIRST, FARTHEST_CLOSE = 12, 21, 6, 18
"""With how many tiles to come bounds are looked at more closely: with CLOSE, and of MANY at the start once so many are laid or
thrown away, with FARTHEST_CLOSE at most. Before that few boards can be refuted."""

FAR_AWAY = 255
"""Steps to a cell that are more than there are tiles."""

SignedWord = int


@define
class Numbers:
    """Tables under construction: `c` begins with entries, `z` holds words."""

    c: list[int] = field(factory=lambda: [0] * d.SEARCH_ENTRIES)
    z: list[SignedWord] = field(factory=list)

    def put(self, entry: int, values: Iterable[int]) -> None:
        """A table, with where it begins as an entry."""
        self.c[entry] = self.add(values)

    def add(self, values: Iterable[int]) -> int:
        at = len(self.c)
        self.c += values
        return at

    def words(self, values: Iterable[int]) -> int:
        at = len(self.z)
        self.z += values
        return at


@frozen
class Supplies:
    """The zones from which tiles still come."""

    zones: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, arrangement: Arrangement, columns: Sequence[int]) -> Supplies:
        """From columns of the state to where each zone begins and where its length is."""
        found = []
        for place in arrangement.slots.places.values():
            for number in range(place.column.count):
                if place.is_zone and place.column.start + number in columns:
                    base = arrangement.header[place.entry] + number * arrangement.slots.capacity
                    found.append((base, place.slot + number))
        return cls(tuple(found))


def search_tables(problem: Problem, analysis: Analysis, arrangement: Arrangement) -> Numbers:
    """Everything for a search of a problem. Raises `CannotCompile` when a table cannot be made."""
    numbers = Numbers()
    numbers.c[r.SIGN] = problem.sign
    _resources(numbers, analysis, arrangement)
    numbers.c[d.CHANCE] = int(analysis.uses_chance)
    match problem.bound:
        case None:
            numbers.c[r.MODE] = r.UNBOUNDED
        case (Relaxation() as relaxation) | Tighter(Relaxation() as relaxation) if _is_small(relaxation):
            _relaxation(numbers, relaxation, problem, analysis, arrangement)
        case OutlookBound() as bound if (parts := _parts(bound, arrangement)) is not None:
            _outlook(numbers, bound, problem.root, parts)
        case bound:
            most = bound.bound(problem.root)
            numbers.c[r.MODE] = r.FIXED if most <= r.MOST else r.UNBOUNDED
            numbers.c[r.CONSTANT] = min(most, r.MOST)
    return numbers


@frozen
class Part:
    """A place of the state that a bound hangs on: its column, its slot, what it may hold."""

    column: int
    slot: int
    values: range


def _parts(bound: OutlookBound, arrangement: Arrangement) -> list[Part] | None:
    """What tells the bound of one state from that of another; None where a board does, or a table would be too long."""
    places = [arrangement.slots.places[name] for name in sorted(bound.hangs_on)]
    if any(place.column.over_cells or place.column.variable.is_board for place in places):
        return None
    parts = [
        Part(place.column.start + number, place.slot + number, values(arrangement.ground, place.column.variable))
        for place in places
        for number in range(place.column.count)
    ]
    return parts if prod(len(part.values) for part in parts) <= MOST_ENTRIES else None


def _outlook(numbers: Numbers, bound: OutlookBound, root: State, parts: Sequence[Part]) -> None:
    """A bound for each way in which the parts can stand."""
    found, state = [], list(root)
    for held in product(*(part.values for part in parts)):
        for part, value in zip(parts, held, strict=True):
            state[part.column] = value
        most = bound.bound(tuple(state))
        found.append(max(most, -r.MOST) if most <= r.MOST else d.GREATEST - 1)
    numbers.c[r.MODE] = r.BY_TABLE
    numbers.put(r.CONSTANT, found)
    strides = [prod(len(part.values) for part in parts[number + 1 :]) for number in range(len(parts))]
    shares = zip(parts, strides, strict=True)
    numbers.put(r.PARTS, [number for part, stride in shares for number in (part.slot, part.values.start, stride)])
    numbers.c[r.PART_COUNT] = len(parts)


def _is_small(relaxation: Relaxation) -> bool:
    """Whether all that can be added up stays far within 32 bits, in parts of a point."""
    return relaxation.constant + sum(max(candidate.worth) for candidate in relaxation.candidates) <= r.MOST // UNIT


def _resources(numbers: Numbers, analysis: Analysis, arrangement: Arrangement) -> None:
    """A field for each resource, with a bit to spare above it."""
    found: list[int] = []
    guards = at = 0
    for name, more_is_better in analysis.resources.items():
        place = arrangement.slots.places[name]
        variable = place.column.variable
        low, high = (variable.low, variable.high) if variable.high else (0, 1)
        width = (high - low).bit_length()
        for number in range(place.column.count):
            found += [place.slot + number, -low if more_is_better else high, 1 if more_is_better else -1, at]
            at += width + 1
            guards |= 1 << (at - 1)
    if at > SPENT_BITS:
        raise CannotCompile("more resources than fit one word")
    numbers.put(d.RESOURCES, found)
    numbers.c[d.RESOURCE_COUNT] = len(found) // 4
    numbers.c[d.GUARDS] = numbers.words([guards])


def _relaxation(
    numbers: Numbers, relaxation: Relaxation, problem: Problem, analysis: Analysis, arrangement: Arrangement
) -> None:
    c = numbers.c
    ground, layout, root = arrangement.ground, problem.engine.layout, problem.root
    name = next(name for name, column in layout.columns.items() if column.start == relaxation.column)
    place = arrangement.slots.places[name]
    assert isinstance(place.column.variable.index, Cell)
    window = ground.windows[place.column.variable.index.space]
    board: bytes = root[relaxation.column]
    coming = sorted({tile for at in relaxation.supplies for tile in root[at]})
    worth = {kind: max((x.worth[kind] for x in relaxation.candidates if not board[x.cell]), default=0) for kind in coming}
    kinds = sorted(coming, key=lambda kind: (-worth[kind], kind))
    if len(kinds) > MOST_KINDS:
        raise CannotCompile("more kinds of tile to come than fit one word")
    number_of = {kind: number for number, kind in enumerate(kinds)}
    tiles = range(len(ground.game.tiles) + 1)
    c[r.MODE], c[r.CONSTANT] = r.BY_SHARES, relaxation.constant
    c[r.BOARD], c[r.COUNT], c[r.LISTED] = arrangement.header[place.entry], place.slot, arrangement.header[place.entry + 1]
    c[r.LYING] = len(board) - board.count(0)
    supplies = Supplies.of(arrangement, relaxation.supplies).zones
    numbers.put(r.SUPPLIES, [number for zone in supplies for number in zone])
    c[r.SUPPLY_COUNT] = len(supplies)
    c[r.KINDS] = len(kinds)
    numbers.put(r.KIND_OF, [number_of.get(tile, len(kinds)) for tile in tiles])
    numbers.put(r.KIND_WORTH, [worth[kind] for kind in kinds])
    beside = analysis.lays_beside(name, root)
    _candidates(numbers, relaxation.candidates, board, number_of, window, beside)
    needed = {cell for candidate in relaxation.candidates for cell in places(candidate.needs) if not board[cell]}
    found = {} if relaxation.fitting is None else looks(relaxation.fitting, board, sorted(needed), number_of)
    _fits(numbers, found, window.size)
    numbers.put(r.TILES, kinds)
    c[r.PAIRWISE] = int(are_pairwise(found, number_of))
    lying = {tile for tile in board if tile}
    found_ways = travel(problem.engine, analysis, name, root, lying.union(coming))
    if found_ways is not None:
        _travel(numbers, found_ways, window, arrangement, number_of)
    levels = sorted({w for w in worth.values() if w > 0}, reverse=True) or [0]
    numbers.put(r.LEVELS, levels)
    c[r.LEVEL_COUNT] = len(levels)
    rng = random.Random(3)
    c[d.CELL_WORDS] = numbers.words(_word(rng) for _ in range(window.size))
    c[d.KIND_WORDS] = numbers.words(_word(rng) for _ in range(len(kinds) + 1))
    total = sum(len(root[at]) for at in relaxation.supplies)
    c[d.CLOSE] = CLOSE if total < MANY else min(total - LAID_FIRST, FARTHEST_CLOSE)
    _rooms(
        numbers, window, len(relaxation.candidates), max((x.needs.bit_count() for x in relaxation.candidates), default=0), total
    )


def _rooms(numbers: Numbers, window: Window, candidates: int, most: int, tiles: int) -> None:
    """Where each piece of room begins in `q` and in `u`, and how much there must be."""
    sizes = {
        r.ROOM_COUNTS: numbers.c[r.KINDS] + 1,
        r.ROOM_NUMBERS: window.size + 1,
        r.ROOM_ACTIVE: r.ACTIVE * (candidates + 1),
        r.ROOM_LACKS: 2 * (most + 1) * (candidates + 1),
        r.ROOM_LOADS: window.size + 1,
        r.ROOM_SORTED: window.size + 1,
        r.ROOM_SMALL: 2 * (most + 1),
        r.ROOM_MATCHED: 2 * numbers.c[r.KINDS] + 3 * (tiles + 1),
        r.ROOM_CELLS: window.size + 1,
        r.ROOM_FAR: window.size + 1,
        r.ROOM_FOUND: r.FOUND_ENTRIES,
        r.ROOM_MARKS: window.size + 1,
        r.ROOM_QUEUE: 2 * (window.size + 1),
        r.ROOM_ENDS: 2,
        r.ROOM_SLIM: window.size + 1,
        r.ROOM_AWAY: window.size + 1,
        r.ROOM_STATUS: window.size + 1,
        r.ROOM_KEPT: (tiles + 1) * (r.ACTIVE * candidates + 2),
        r.ROOM_DONE: r.ACTIVE * (candidates + 1),
        r.ROOM_STACK: window.size + 1,
        r.ROOM_LUCK: tiles + 1,
        r.ROOM_LAID: tiles + 1,
        r.ROOM_PLACE: window.size + 1,
    }
    numbers.c[r.ROOM] = _in_turn(numbers, 0, sizes)
    longs = {r.FITTING: window.size + 1, r.CAME: window.size + 1, r.NOTES: 3 * numbers.c[r.LEVEL_COUNT]}
    numbers.c[r.LONG_ROOM] = _in_turn(numbers, window.size + 1, longs)


def _in_turn(numbers: Numbers, at: int, sizes: Mapping[int, int]) -> int:
    """Rooms one behind the other, where each begins as an entry; gives where they end."""
    for entry, size in sizes.items():
        numbers.c[entry] = at
        at += size
    return at


def _candidates(
    numbers: Numbers,
    candidates: Sequence[Candidate],
    board: bytes,
    number_of: dict[int, int],
    window: Window,
    beside: Neighbourhood | None,
) -> None:
    records, first_place = [], 0
    worths: dict[tuple[int, ...], int] = {}
    best: dict[tuple[int, ...], int] = {}
    for candidate in candidates:
        needs = places(candidate.needs)
        own = not board[candidate.cell]
        if candidate.worth not in worths:
            worths[candidate.worth] = numbers.add(candidate.worth)
        by_kind = tuple(candidate.worth[kind] for kind in number_of) if own else ()
        if by_kind not in best:
            found = [
                (w, sum(1 << n for n, value in enumerate(by_kind) if value == w)) for w in sorted(set(by_kind), reverse=True)
            ]
            at = [(w, numbers.words([kinds])) for w, kinds in found]
            best[by_kind] = numbers.add([len(at), *(number for pair in at for number in pair)])
        row, distance = -1, 0
        if 0 < len(candidate.rims) < FAR_AWAY and not any(board[cell] for cell in needs):
            distances = _distances(window, candidate)
            row = numbers.add(distances)
            distance = min((distances[cell] for cell in range(window.size) if board[cell]), default=FAR_AWAY)
        record = [candidate.cell, len(needs), first_place, worths[candidate.worth], best[by_kind], row, distance, *needs]
        records.append(numbers.add(record))
        first_place += len(needs)
    numbers.put(r.CANDIDATES, records)
    numbers.c[r.CANDIDATE_COUNT] = len(records)
    numbers.c[r.PLACES] = first_place


def _distances(window: Window, candidate: Candidate) -> bytes:
    """How many steps each cell is from what a candidate needs."""
    most = len(candidate.rims)
    rims_around = (candidate.needs + sum(candidate.rims)).to_bytes(window.size, "little")
    steps = bytes((FAR_AWAY, *range(most, -1, -1)))
    return rims_around.translate(steps.ljust(256, bytes((FAR_AWAY,))))


def _travel(numbers: Numbers, travel: Travel, window: Window, arrangement: Arrangement, number_of: dict[int, int]) -> None:
    """Steps, markers, and what bars a way, for each direction."""
    if any(window.opposite[direction] not in travel.directions for direction in travel.directions):
        return
    c, ways = numbers.c, range(len(travel.directions))
    tiles = range(len(arrangement.ground.game.tiles) + 1)
    near_border = {
        cell
        for cell in range(window.size)
        if not all(near in travel.alike for near in (cell, *(window.steps[d][cell] for d in travel.directions)))
    }
    c[r.SIZE], c[r.WAYS], c[r.MARKER_COUNT] = window.size, len(ways), len(travel.markers)
    numbers.put(r.STEPS, [near for d in travel.directions for near in window.steps[d]])
    numbers.put(r.BACK, [travel.directions.index(window.opposite[d]) for d in travel.directions])
    numbers.put(r.LOOSE, [int(cell in near_border) for cell in range(window.size + 1)])
    slots = {
        place.column.start + number: place.slot + number
        for place in arrangement.slots.places.values()
        for number in range(place.column.count)
    }
    numbers.put(r.MARKERS, [slots[column] for column in travel.markers])
    numbers.put(r.LEAVES, [sum(1 << way for way in ways if tile in travel.leaves[way]) for tile in tiles])
    numbers.put(r.ENTERS, [sum(1 << way for way in ways if tile in travel.enters[way]) for tile in tiles])
    c[r.LAY_KINDS] = numbers.words(sum(1 << n for kind, n in number_of.items() if kind in kinds) for kinds in travel.lays)
    c[r.LEAVE_KINDS] = numbers.words(sum(1 << n for kind, n in number_of.items() if kind in kinds) for kinds in travel.leaves)


def _fits(numbers: Numbers, found: dict[int, list[list[Look]]], size: int) -> None:
    """For each cell a record of layers, each some looks: (cell looked at, where its kinds by tile begin in `z`)."""
    kept: dict[tuple[int, ...], int] = {}
    records = []
    for cell in range(size):
        if cell not in found:
            records.append(-1)
            continue
        record = [len(found[cell])]
        for layer in found[cell]:
            record.append(len(layer))
            for look in layer:
                if look.kinds not in kept:
                    kept[look.kinds] = numbers.words(look.kinds)
                record += [look.cell, kept[look.kinds]]
        records.append(numbers.add(record))
    numbers.put(r.FITS, records)


def hashed_words(problem: Problem, analysis: Analysis, arrangement: Arrangement) -> list[SignedWord]:
    """Two random words for each place of the hash; zeros for what does not tell states apart."""
    rng = random.Random(1)
    words = [0] * (2 * arrangement.hashed)

    def draw(first: int, count: int) -> None:
        for at in range(2 * first, 2 * (first + count)):
            words[at] = _word(rng)

    draw(0, 1)
    if problem.engine.horizon is not None:
        draw(1, 1)
    kinds = len(arrangement.ground.game.tiles) + 1
    for name, place in arrangement.slots.places.items():
        column = place.column
        if name not in analysis.live or name in analysis.resources:
            continue
        if column.over_cells:
            assert isinstance(column.variable.index, Cell)
            draw(arrangement.header[place.entry], arrangement.ground.windows[column.variable.index.space].size + 1)
        elif column.variable.storage is Storage.PILE:
            draw(arrangement.header[place.entry], arrangement.slots.capacity * column.count)
        elif column.variable.storage is Storage.SET:
            draw(arrangement.header[place.entry + 1], kinds * column.count)
        else:
            draw(place.slot, column.count)
    return words


def _word(rng: random.Random) -> SignedWord:
    return rng.getrandbits(64) - (1 << 63)
