"""Kernels with records of every kind, for test_records.py."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs, Shared, wrap
from rulewright.subset.records import In, Record, Ref, Run, Stride, index_of, inline, size_of

WIDTH = 3
TRIPLES = (3, 1, 2)
NONE = -1


class State(IntEnum):
    OPEN, EMPTY, FILLED = range(3)


class Need(Record, memory="arena"):
    cell: int
    place: int


class Term(Record, memory="arena"):
    missing: Run[Need]
    missing_count: int
    worth: int
    next: Term


class Candidate(Record, memory="tables"):
    worth_by_tile: Run[int]
    first: int
    second: int
    kinds: Annotated[Run[int], In("kind_sets")]
    term: Term
    need_count: int
    needs: Run[int] = inline()


class Node(Record, memory="arena"):
    tiles_left: int
    is_closed: bool


class Frame(Record, memory="stack"):
    word: int
    next: int


class Zone(Bundle):
    base: int
    length: int


class Game(Bundle):
    state: Ints
    point: int = entry("state")


class Bound(Bundle):
    state: Ints
    tables: Ints
    arena: Ints
    kind_sets: Longs
    size: int = entry("tables")
    cell_state: Annotated[Run[int], In("arena")] = entry("tables")
    kind_of: Run[int] = entry("tables")
    active: Run[Term] = entry("tables")
    sources: Run[Ref[Term]] = entry("tables")
    candidates: Run[Ref[Candidate]] = entry("tables")
    node: Node = entry("tables")
    steps: Annotated[Run[Run[int]], Stride("size", plus=1)] = entry("tables")
    laid: Annotated[Run[int], In("state")] = entry("tables")
    moves: Annotated[Run[Run[int]], In("arena"), Stride("WIDTH", plus=1)] = entry("tables")
    needs: Run[Need] = entry("tables")


class Searched(Bound):
    deepest: int = entry("tables")


class Search(Bundle, same={"bound.state": "game.state"}):
    game: Game
    bound: Searched
    stack: Longs
    shared: Shared
    seen: int = entry("stack")
    frames: Run[Frame] = start_of("stack")
    best: int = entry("shared")
    nodes: int = entry("shared")


class Board(Bundle):
    state: Ints
    tables: Ints
    count: int = entry("tables")
    cells: Annotated[Run[int], In("state")] = entry("tables")
    extra: Run[int] = start_of("tables")


class Match(Bundle, same={"board.state": "game.state"}):
    game: Game
    board: Board


Words = Annotated[Run[int], Longs]
Cells = Annotated[Run[int], In("arena")]


def vacant(bound: Bound, term: Term) -> int:
    """Fields of a record parameter, a run taken to a local name, a loop through records, members of an IntEnum."""
    state = bound.cell_state
    count = 0
    for need in term.missing[: term.missing_count]:
        if state[need.cell] == State.OPEN:
            count += 1
    return count


def reduce(bound: Bound, active: int) -> int:
    """Records by index, copied, references written and read, truth as a result."""
    remaining = 0
    for number in range(active):
        term = bound.active[number]
        bound.sources[number] = term
        if is_hopeless(bound, term):
            continue
        to = bound.active[remaining]
        if index_of(to) != index_of(term):
            to.copy(term)
        bound.sources[number] = to
        bound.node.tiles_left -= 1
        remaining += 1
    last = bound.sources[active - 1]
    return 1000 * remaining + last.worth


def is_hopeless(bound: Bound, term: Term) -> bool:
    return vacant(bound, term) > 2 or not term.worth > 3


def swap(bound: Bound, term: Term) -> None:
    """Runs as values: swapped and moved on."""
    first = term.missing
    second = first[1:]
    if term.missing_count > 1:
        cell = first[0].cell
        first[0].cell = second[0].cell
        second[0].cell = cell
        term.missing = second
        term.missing_count -= 1


def shorten(bound: Bound, number: int) -> int:
    swap(bound, bound.active[number])
    return index_of(bound.active[number].missing) - index_of(bound.active)


def look(bound: Bound, number: int, tile: int) -> int:
    """References in tables, inline runs, a run in another array, a table of two dimensions."""
    candidate = bound.candidates[number]
    total = candidate.worth_by_tile[tile] + 10 * candidate.first + 100 * candidate.second
    for cell in candidate.needs[: candidate.need_count]:
        total += bound.steps[tile][cell]
    if candidate.kinds[tile] & 1 and index_of(candidate.term) == index_of(bound.active[1]):
        total = wrap(total * 31) + candidate.kinds[0]
    candidate.second = total & 1023
    total += TRIPLES[tile]
    return total + bound.state[0] + bound.laid[tile] + size_of(Candidate) + bound.kind_of[tile]


def write_moves(bound: Bound, number: int) -> None:
    """A stride that is a constant."""
    for place in range(WIDTH):
        bound.moves[number][place] = number + place


def largest(run: Run[int], count: int) -> int:
    """A run with its array, of any bundle."""
    most = run[0]
    for value in run[1:count]:
        most = max(most, value)
    return most


def largest_word(run: Words, count: int) -> int:
    return largest_of(run[1:], count - 1) if count > 1 else run[0]


def largest_of(run: Words, count: int) -> int:
    most = run[0]
    for at in range(1, count):
        most = max(most, run[at])
    return most


def largest_everywhere(bound: Bound, count: int) -> int:
    return largest(bound.cell_state, count) + largest(bound.laid, count) + largest_of(bound.candidates[0].kinds, count)


def sum_of(game: Game, zone: Zone) -> int:
    total = 0
    for at in range(zone.length):
        total += game.state[zone.base + at]
    return total


def zones(game: Game, base: int, length: int) -> int:
    """Bundles of integers, in an argument and under a name; arguments by name."""
    half = Zone(base, length // 2)
    rest = Zone(length=length - half.length, base=base + half.length)
    both = sum_of(game, Zone(base, length))
    return 10000 * both + 100 * sum_of(game, zone=half) + sum_of(game, rest)


def first_open(bound: Bound, active: int) -> int:
    """An index as a result."""
    for term in bound.active[:active]:
        if vacant(bound, term) > 0:
            return index_of(term)
    return index_of(bound.active[0])


def search(search: Search, depth: int) -> int:
    """Rows of a stack behind an entry, a nested bundle under a name and passed on, shared words, an index by hand."""
    bound = search.bound
    frames = search.frames
    for level in range(depth):
        frame = frames[level]
        frame.word = wrap(frame.word * 7 + level)
        frame.next = index_of(frames[level + 1])
        search.nodes += 1
    frame = Frame(search, frames[0].next)
    search.seen = frame.word
    chosen = Term(bound, first_open(bound, active=2))
    search.best = max(search.best, chosen.worth)
    node = bound.node
    node.is_closed = search.best > 5
    arena = bound.arena
    total = sum_of(search.game, Zone(1, 2)) + arena[index_of(node)] + bound.deepest
    return total if node.is_closed else -total


def lay(board: Board, cell: int) -> int:
    board.cells[cell] += 1
    board.count += board.extra[0]
    return board.state[cell] + board.count


def lay_in_match(match: Match, cell: int) -> int:
    """An array that two bundles share, and bundles made of arrays for a call."""
    board = match.board
    found = lay(board, cell) + lay(match.board, cell)
    found += lay(Board(match.game.state, board.tables), cell) + match.game.point
    board.cells[cell] -= 1
    return found
