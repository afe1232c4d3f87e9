"""Instances in which something carries others: parcels in a town (`deliveries`), people in a lift (`lifts`)."""

from __future__ import annotations

from itertools import permutations
from random import Random

from planning_task import Task, domain_of, drawn, problem_of, puzzle_of

WIDTH = 6
WALLS = 6
PARCELS = ("ant", "bee", "cow", "dog", "elk")

PEOPLE = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "jim", "kay", "lea")
LEVELS = ("cellar", "hall", "first", "second", "third", "fourth", "fifth", "sixth", "attic", "roof")

Cell = tuple[int, int]


def deliveries(rng: Random, name: str) -> Task:
    """Five parcels, each on a random floor cell with its home on another, on six by six cells with six walls; two hands."""
    cells = [(x, y) for y in range(WIDTH) for x in range(WIDTH)]
    while True:
        floor = sorted(set(cells) - set(rng.sample(cells, WALLS)))
        near = [(one, other) for one in floor for other in floor if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1]
        if len(_reached(floor[0], near)) == len(floor):
            break
    start = rng.choice(floor)
    spots = {parcel: rng.choice(floor) for parcel in PARCELS}
    homes = {parcel: rng.choice([cell for cell in floor if cell != spots[parcel]]) for parcel in PARCELS}
    rows = [["." if (x, y) in floor else "wall" for x in range(WIDTH)] for y in range(WIDTH)]
    entries = [*drawn("town", rows), f"    carrier: ({start[0]},{start[1]})"]
    for word, places in (("spot", spots), ("home", homes)):
        entries += [f"    {word} {parcel}: ({x},{y})" for parcel, (x, y) in places.items()]
    problem = problem_of(
        "deliveries",
        f"{' '.join(map(_word, floor))} - cell {' '.join(PARCELS)} - parcel n0 n1 n2 - amount",
        (
            *(f"(at {_word(start)})", "(load n0)", "(after n0 n1)", "(after n1 n2)"),
            *(f"(spot {parcel} {_word(cell)})" for parcel, cell in spots.items()),
            *(f"(near {_word(one)} {_word(other)})" for one, other in near),
        ),
        (f"(spot {parcel} {_word(cell)})" for parcel, cell in homes.items()),
    )
    facts = [
        f"start({_word(start)}).",
        *(f"parcel({parcel}). start_spot({parcel},{_word(cell)})." for parcel, cell in spots.items()),
        *(f"goal({parcel},{_word(cell)})." for parcel, cell in homes.items()),
        *(f"near({_word(one)},{_word(other)})." for one, other in near),
    ]
    puzzle = puzzle_of("deliveries", entries, "delivered")
    return Task("deliveries", name, puzzle, domain_of("deliveries"), problem, " ".join(facts))


def _reached(start: Cell, near: list[tuple[Cell, Cell]]) -> set[Cell]:
    found, pending = {start}, [start]
    for here in pending:
        there = {other for one, other in near if one == here} - found
        found |= there
        pending += sorted(there)
    return found


def _word(cell: Cell) -> str:
    return f"c{cell[0]}_{cell[1]}"


def lifts(rng: Random, name: str) -> Task:
    """Twelve people on ten levels, each with another level as aim."""
    start = rng.choice(LEVELS)
    ways = {person: rng.sample(LEVELS, 2) for person in PEOPLE}
    entries = [f"    lift: {start}"]
    for person, (entry, aim) in ways.items():
        entries += [f"    entry {person}: {entry}", f"    aim {person}: {aim}"]
    problem = problem_of(
        "lifts",
        f"{' '.join(PEOPLE)} - person {' '.join(LEVELS)} - level",
        (
            f"(at {start})",
            *(f"(entry {person} {entry}) (aim {person} {aim})" for person, (entry, aim) in ways.items()),
            *(f"(other {one} {other})" for one, other in permutations(LEVELS, 2)),
        ),
        (f"(served {person})" for person in PEOPLE),
    )
    facts = [
        f"start({start}).",
        *(f"level({level})." for level in LEVELS),
        *(f"person({person}). entry({person},{entry}). aim({person},{aim})." for person, (entry, aim) in ways.items()),
    ]
    return Task("lifts", name, puzzle_of("lifts", entries, "all_served"), domain_of("lifts"), problem, " ".join(facts))
