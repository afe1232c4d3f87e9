"""Distances read off the rules: never too large, never lowered by more than one in a move, and worth having."""

from __future__ import annotations

import random
import time

import pytest
from attrs import evolve

from rulewright.solver.shortest.estimates import (
    abstract_moves,
    contention,
    distance_tables,
    guessing,
    partial_state,
    stuck_tiles,
)
from rulewright.solver.shortest.estimates.distance_tables import DEAD, DistanceTables, OutOfTime
from rulewright.solver.shortest.estimates.partial_state import Slot, Thing, values_in
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.by_trying import estimate_of
from tests.solver.shortest.estimates.carriers import errands
from tests.solver.shortest.estimates.spaces import (
    INSTANCES,
    Instance,
    blocked,
    by_tables,
    check,
    finder,
    gate,
    graph,
    herd,
    instances,
    jam,
    lamps,
    pushes,
    sliding,
    steps,
    tower,
)
from tests.solver.shortest.questions import asked


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_estimates_are_admissible_and_consistent(make: Instance) -> None:
    for seed in (9, 10) if make is sliding else range(1 if make in (jam, tower) else 2):  # of the first ones none can be solved
        position = make(random.Random(f"{make.__name__} {seed}"))
        states, _ = check(position, by_tables(position, finder(position).find()))
        assert states > 1


@pytest.mark.parametrize("make", INSTANCES, ids=lambda make: make.__name__)
def test_values_stay_in_their_ranges(make: Instance) -> None:
    position = make(random.Random(f"{make.__name__} 0"))
    search = finder(position)
    ranges = search.ranges(search.find().tables)
    for state in graph(position.asked, position.state, 30_000):
        for name in {slot[0] for slot in ranges}:
            values = values_in(position.asked.layout, state, name)
            assert all(value in ranges[slot] for slot, value in values.items())


@pytest.mark.campaign
def test_estimates_of_a_hundred_thousand_states() -> None:
    counts = [check(position, by_tables(position, finder(position).find())) for _, position in instances(range(2, 40))]
    states = sum(states for states, _ in counts)
    print(f"{len(counts)} instances, {states} states, the sum of estimates {sum(total for _, total in counts)}")
    assert states > 100_000


def test_sliding_tiles_go_round_by_rows_and_columns() -> None:
    """The Manhattan distance of each tile from its place."""
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    (table,) = finder(position).find().tables
    assert (table.variable, table.most, len(table.distances)) == ("board", 1, 72)
    for ((_, cell), kind), distance in table.distances.items():
        home = kind - 1
        assert distance == abs(cell % 3 - home % 3) + abs(cell // 3 - home // 3)


ROOM = """
    board:
        wall  wall  wall   wall   wall  wall
        wall  .@1   .      .      .     wall
        wall  .     crate  crate  .     wall
        wall  .     .      .      .     wall
        wall  .     .      .      .     wall
        wall  wall  wall   wall   wall  wall
    origin 0,0

    goal: (1,3), (2,1)
"""


def test_what_is_pushed_into_a_corner_is_dead() -> None:
    """And along a wall on which there is no goal; walls stand still, and the pusher never leaves the room."""
    for rules in ("classics.sokoban", "classics.sokoban_pushes"):
        search = finder(asked(shipped(rules), "fewest moves until solved", ROOM))
        (table,) = search.find().tables
        dead = {(cell % 16, cell // 16) for ((_, cell), _), distance in table.distances.items() if distance == DEAD}
        corners = {(1, 1), (1, 4), (4, 1), (4, 4)}
        assert corners < dead and {(4, 2), (4, 3), (2, 4), (3, 4)} < dead and not {(1, 2), (1, 3), (2, 1), (2, 2)} & dead
        assert table.most == 1 and len(search.frame.constant) > 36
        assert {slot for slot, values in search.ranges([table]).items() if len(values) > 1} == {
            (table.variable, x + 16 * y) for x in range(1, 5) for y in range(1, 5)
        }
        (cells,) = search.frame.reached.values()
        room = {(x, y) for x in range(1, 5) for y in range(1, 5)}
        assert room - corners < {(cell % 16, cell // 16) for cell in cells} <= room  # by pushes alone nobody comes to a corner


def test_the_estimate_sums_what_one_move_changes_alone() -> None:
    """Five lights of one press: a fifth of the lights, rounded up."""
    lit = ", ".join(f"({x},{y})" for x, y in ((0, 0), (1, 0), (2, 0), (3, 3), (4, 4), (0, 4)))
    position = asked(shipped("classics.lights_out"), "fewest moves until dark", f"\n    lit: {lit}\n")
    found = finder(position).find()
    assert [table.most for table in found.tables] == [5]
    assert estimate_of(found.tables, position.asked.layout, position.state) == 2


def test_distances_hold_for_other_roots_of_the_same_kind() -> None:
    """Of the same tiles with the same walls; a wall elsewhere is another room."""
    rng = random.Random(5)
    one, other = sliding(rng), sliding(rng)
    assert finder(one).inputs == finder(other).inputs and finder(other).hold(finder(one).find())
    bare = "wall  .     .      .      .     wall"
    walled = ROOM.replace(bare, "wall  .     wall   .      .     wall", 1)
    moved = ROOM.replace("crate  crate", ".      crate").replace(bare, "wall  .     .      crate  .     wall", 1)
    rooms = [asked(shipped("classics.sokoban"), "fewest moves until solved", text) for text in (ROOM, walled, moved)]
    found = finder(rooms[0]).find()
    assert not finder(rooms[1]).hold(found) and finder(rooms[1]).inputs != finder(rooms[0]).inputs
    assert finder(rooms[2]).hold(found)
    lights = [asked(shipped("classics.lights_out"), "fewest moves until dark", f"\n    lit: ({x},0)\n") for x in (1, 2)]
    assert finder(lights[1]).hold(finder(lights[0]).find())


HOURS = """
module hours:
    "Sand runs between the moves."

state:
    sand: 0..5 = 5
    work: 0..5

action dig:
    require left: work < 5
    effect dig: work += 1

procedure run:
    trickle: sand -= 1

flow:
    repeat until sand = 0:
        turn: choose dig
        run

score none: 0
"""


def test_what_the_flow_changes_is_left_out() -> None:
    search = finder(asked(linked(HOURS), "fewest moves until sand <= 1 and work >= 3"))
    assert search.variables == {"work"}
    assert estimate_of(search.find().tables, search.engine.layout, search.root) == 3


def test_time_is_kept() -> None:
    position = asked(shipped("classics.fifteen"), "fewest moves until solved")
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    late = DistanceTables(problem.engine, problem.root, problem.until, problem.analysis, time.monotonic() - 1)
    with pytest.raises(OutOfTime):
        late.find()


DISTANCE_TABLE = distance_tables.DistanceTable
FOUND = contention.Paths.distances


def nearest_only(paths: contention.Paths, place: Thing, step: int) -> dict[Thing, int]:
    """Its own place and none other, of a tile that has several at the same distance."""
    return {thing: distance for thing, distance in FOUND(paths, place, step).items() if distance == 0 or thing[0][1] % 2}


def none_move(tiles: stuck_tiles.StuckTiles, moved: object, thing: Thing) -> frozenset[Thing]:
    """Each tile bars the ways of all others."""
    board, cells = thing[0][0], tiles.moves.frame.layout.columns[thing[0][0]]
    return frozenset(((board, cell), kind) for cell in range(64) for kind in (1, 2) if cells and cell != thing[0][1])


FAULTS = {
    "one branch only": (gate, abstract_moves.AbstractStore, "_either", lambda store, then, otherwise: then()),
    "what one branch knows": (gate, partial_state.PartialState, "join", lambda state, other: None),
    "a move changes one slot": (
        lamps,
        distance_tables,
        "DistanceTable",
        lambda variable, most, *found: DISTANCE_TABLE(variable, 1, *found),
    ),
    "some places are forgotten": (herd, contention.Paths, "distances", nearest_only),
    "each tile bars all others": (blocked, stuck_tiles.StuckTiles, "_bars", none_move),
    "a marker stays where it is": (blocked, contention.Regions, "around", lambda regions, thing, cell: frozenset((cell,))),
    "a marker is walled in by floor": (blocked, contention.Regions, "_following", lambda *_: frozenset[int]()),
    "what moves is not followed": (steps, abstract_moves.AbstractMoves, "cells_after", lambda *_: set[int]()),
    "markers stay": (gate, distance_tables, "_values_from", lambda *found: frozenset(found[-1:])),
    "guesses are equated where they need not be": (errands, guessing, "may_be", lambda value, number: value.low == number),
    "a guess is never taken back": (sliding, guessing.Guesses, "advance", lambda guesses: False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, place, name, faulty = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises(AssertionError, match=r"moves are left|lowers it"):
        for seed in range(20):
            position = make(random.Random(f"{make.__name__} {seed}"))
            check(position, by_tables(position, finder(position).find()))


@pytest.mark.parametrize("make", [errands, pushes], ids=lambda make: make.__name__)
def test_what_markers_reach_is_not_derived_again_with_ancestors(make: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    found = finder(make(random.Random(1))).with_ancestors()
    assert found.base is not None
    known = found.base.frame.reached
    anew = evolve(found, base=None).frame.reached
    assert known and known.items() <= anew.items()
    asked: list[Slot] = []
    derive = distance_tables._values_from
    monkeypatch.setattr(distance_tables, "_values_from", lambda *given: asked.append(given[2]) or derive(*given))
    assert found.frame.reached == anew
    assert not known.keys() & set(asked)
