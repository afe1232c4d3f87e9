"""The data of the dual-bound kernels: tables of the problem, and an arena of records. Filled by bound_tables.py.

The covering program of a state has a term for each candidate (best/bounds/support_sets.py) that may still come to count, and
the cells that some term lacks. Relevant vacant cells are numbered for the state; those that a term lacks get a second number
within the program.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs
from rulewright.subset.records import In, Record, Ref, Run, Stride, inline

StateCells = Annotated[Run[int], In("state")]
KindSet = Annotated[Run[int], In("kind_sets")]
"""Sets of kinds of tile, as bits, by tile or by direction; or a single set."""

Room = Annotated[Run[int], In("arena")]
LongRoom = Annotated[Run[int], In("long_arena")]

Shares = Annotated[Run[int], In("duals")]
"""By cost share: the part of a term's worth that a cell bears."""

MOST = 1 << 30
"""The largest finite bound; a larger one counts as no bound."""

UNUSED = -1
"""Stands for no number."""


class BoundMode(IntEnum):
    """How states are bounded: not at all, by a constant, by dual costs and branch and bound, by a table, by value and gains."""

    UNBOUNDED, FIXED, DUAL_COSTS, TABLE, GAINS = range(5)


class CellState(IntEnum):
    """The decision of a branch on a cell of the program: open, stays vacant, gets a tile."""

    OPEN_CELL, EMPTY, FILLED = range(3)


class Supply(Record, memory="tables"):
    """A zone that tiles still come from; state slot `length` holds their number."""

    tiles: StateCells
    length: int


class Offset(Record, memory="tables"):
    """A state slot that a tabled bound depends on: its least value, and the stride of the table in its direction."""

    slot: int
    least: int
    stride: int


class WorthKinds(Record, memory="tables"):
    """A worth, and the set of the kinds of tile that yield it."""

    worth: int
    kinds: KindSet


class WorthOrder(Record, memory="tables"):
    """Worths by kind of tile, highest first."""

    count: int
    by_worth: Run[WorthKinds] = inline()


class Candidate(Record, memory="tables"):
    """A cell that may come to count, with the cells of its support set.

    `first_share` is the number of its first cost share.
    """

    cell: int
    need_count: int
    first_share: int
    worth_by_tile: Run[int]
    worths: WorthOrder
    needs: Run[int] = inline()


class PairConstraint(Record, memory="tables"):
    """A cell of the board and, by the tile on it, the kinds that may then be laid."""

    cell: int
    kinds: KindSet


class Layer(Record, memory="tables"):
    """A conjunction of constraints: intersects their sets of kinds. The next layer follows the last of them in memory."""

    constraint_count: int
    constraints: Run[PairConstraint] = inline()


class TileDomain(Record, memory="tables"):
    """The kinds of tile that fit a cell: the union over layers."""

    layer_count: int
    layers: Run[Layer] = inline()


class Need(Record, memory="arena"):
    """A vacant cell that a term lacks, by number in the program, and its index in the support set."""

    cell: int
    place: int


class Term(Record, memory="arena"):
    """A candidate that may come to count: the cells it lacks, its maximal and its minimal worth."""

    missing: Run[Need]
    missing_count: int
    candidate: Candidate
    most: int
    least: int


class RankedNeed(Record, memory="arena"):
    """A cell that a term lacks, with the price that the other terms give it."""

    price: int
    need: Need


class CapRecord(Record, memory="long_arena"):
    """How often a worth cap was tried, brought the bound down to the goal, and was skipped since."""

    tries: int
    successes: int
    skipped: int


class Node(Record, memory="arena"):
    """A program and a branch of it.

    `certain`: worth that counts; `active`: number of terms; `cells`: cells of the program; `undecided`: terms of unknown
    worth; `numbered`: vacant cells with a number; `favourite`: the worth cap that last brought the bound down. For the branch:
    the numbers of `completed` terms, `assigned` cells, `choices` and `tiles_left`, how many cells and terms were fixed since it
    was last bounded (`news`), and the most that the terms left are worth (`rest`). No more cells than tiles have a price above
    `threshold`.
    """

    certain: int
    active: int
    cells: int
    undecided: int
    numbered: int
    favourite: int
    completed: int
    assigned: int
    choices: int
    tiles_left: int
    news: int
    threshold: int
    rest: int


class SavedNode(Record, memory="arena"):
    """The terms of a branch, for backtracking."""

    term_count: int
    completed: int
    terms: Run[Term] = inline()


class ProblemTables(Bundle):
    """A state and the tables of its problem.

    Candidates are in the order of their cells; the first of each is in `first_candidate`. `distances`, by cell: its distance
    from the support set of each candidate, 0 if unknown. `distance_at_root`: the least distance of a tile laid at the root.
    """

    state: Ints
    tables: Ints
    mode: int = entry("tables")
    constant: int = entry("tables")
    sign: int = entry("tables")
    parts: Run[Offset] = entry("tables")
    part_count: int = entry("tables")
    board: StateCells = entry("tables")
    lying_slot: int = entry("tables")
    lying: StateCells = entry("tables")
    lying_at_root: int = entry("tables")
    supplies: Run[Supply] = entry("tables")
    supply_count: int = entry("tables")
    kind_count: int = entry("tables")
    kind_of: Run[int] = entry("tables")
    kind_worth: Run[int] = entry("tables")
    tile_of_kind: Run[int] = entry("tables")
    candidates: Run[Ref[Candidate]] = entry("tables")
    candidate_count: int = entry("tables")
    first_candidate: Run[int] = entry("tables")
    distances: Annotated[Run[Run[int]], Stride("candidate_count")] = entry("tables")
    distance_at_root: Run[int] = entry("tables")
    share_count: int = entry("tables")
    domains: Run[Ref[TileDomain]] = entry("tables")
    is_pairwise: bool = entry("tables")
    caps: Run[int] = entry("tables")
    cap_count: int = entry("tables")
    board_size: int = entry("tables")
    direction_count: int = entry("tables")
    steps: Annotated[Run[Run[int]], Stride("board_size", plus=1)] = entry("tables")
    opposite: Run[int] = entry("tables")
    is_near_border: Run[int] = entry("tables")
    marker_slots: Run[int] = entry("tables")
    marker_count: int = entry("tables")
    leaves: Run[int] = entry("tables")
    enters: Run[int] = entry("tables")


class Bound(ProblemTables):
    """Adds sets of kinds, the arena, and the cost shares of the last state, which warm-start the dual bound.

    By candidate: `distance`, the least of a laid tile. By number of a vacant cell: `cell_of_number`, `travel` (tiles needed to
    reach it), `number_in_program`, `kinds_there` (kinds that may be laid), `kinds_brought` (kinds that markers may bring). By
    number in the program: `board_cell`, `cell_state`, `kinds_fitting`, `prices` (dual prices). An
    assignment is twice a cell, plus 1 for a choice.
    """

    kind_sets: Longs
    arena: Ints
    long_arena: Longs
    duals: Ints
    lay_kinds: KindSet = entry("tables")
    leave_kinds: KindSet = entry("tables")
    coming: Room = entry("tables")
    number_of_cell: Room = entry("tables")
    cell_of_number: Room = entry("tables")
    travel: Room = entry("tables")
    distance: Room = entry("tables")
    active: Run[Term] = entry("tables")
    needs: Run[Need] = entry("tables")
    number_in_program: Room = entry("tables")
    board_cell: Room = entry("tables")
    node: Node = entry("tables")
    prices: Room = entry("tables")
    weights: Room = entry("tables")
    ranked: Run[RankedNeed] = entry("tables")
    most_missing: int = entry("tables")
    cheapest: Room = entry("tables")
    unmatched: Room = entry("tables")
    marks: Room = entry("tables")
    queues: Annotated[Run[Run[int]], In("arena"), Stride("board_size", plus=1)] = entry("tables")
    queue_ends: Room = entry("tables")
    cell_state: Room = entry("tables")
    saved: Annotated[Run[SavedNode], Stride("saved_size")] = entry("tables")
    completed: Run[Term] = entry("tables")
    assignments: Room = entry("tables")
    failure_rate: Room = entry("tables")
    trial_cells: Room = entry("tables")
    arena_size: int = entry("tables")
    saved_size: int = entry("tables")
    kinds_fitting: LongRoom = entry("tables")
    kinds_brought: LongRoom = entry("tables")
    cap_records: Run[CapRecord] = entry("tables")
    long_size: int = entry("tables")
    kinds_there: Run[int] = start_of("long_arena")
    shares: Annotated[Run[Run[int]], In("duals"), Stride("share_count")] = start_of("duals")
