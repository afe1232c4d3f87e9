"""Small handwritten solvers for the classes of bench/planning.py: `python bench/planning_by_hand.py FILE` prints the least
cost.

FILE has the facts that clingo reads (`planning_tasks.py`). Each solver is what somebody who knows the puzzle writes in half an
hour: states as tuples, A* (Hart, Nilsson and Raphael 1968) with the textbook estimate; Lights Out is linear algebra.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import pairwise, product
from pathlib import Path
from typing import Any

Facts = Mapping[str, list[tuple[Any, ...]]]
Successors = Callable[[Any], Iterable[Hashable]]
FAR = 1 << 20


def facts_of(text: str) -> Facts:
    """The facts of a program by their predicates; numbers are converted."""
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for name, listed in re.findall(r"(\w+)\(([^()]*)\)\.", text.partition("\n")[0]):
        found[name].append(tuple(int(part) if part.isdigit() else part for part in listed.split(",")))
    return found


def least(start: Hashable, successors: Successors, estimate: Callable[[Any], int]) -> int:
    """The least number of moves to a state whose estimate is 0: estimates are consistent, and 0 only at goals."""
    costs, queue = {start: 0}, [(estimate(start), 0, 0, start)]
    pushed = 0
    while queue:
        promised, below, _, here = heappop(queue)
        cost = -below
        if promised == cost:
            return cost
        if costs[here] < cost:
            continue
        for there in successors(here):
            if costs.get(there, FAR) > cost + 1:
                left = estimate(there)
                if left < FAR:
                    costs[there] = cost + 1
                    pushed += 1
                    heappush(queue, (cost + 1 + left, -cost - 1, pushed, there))
    raise SystemExit("no plan")


def distances(goals: Iterable[Hashable], before: Successors) -> dict[Any, int]:
    """The steps from each cell to the nearest goal."""
    found = dict.fromkeys(goals, 0)
    for here in (pending := list(found)):
        for there in before(here):
            if there not in found:
                found[there] = found[here] + 1
                pending.append(there)
    return found


def sliding(facts: Facts) -> int:
    """The sum of Manhattan distances; a state is the tile on each cell, 0 for the gap."""
    cells = sorted({cell for cell, _ in facts["near"]})
    place, near = {cell: number for number, cell in enumerate(cells)}, defaultdict(list)
    for one, other in facts["near"]:
        near[place[one]].append(place[other])
    far = {goal: distances([place[goal]], near.__getitem__) for _, goal in facts["goal"]}
    lacks = {tile + 1: far[goal] for tile, goal in facts["goal"]}
    start = [0] * len(cells)
    for tile, cell in facts["start"]:
        start[place[cell]] = tile + 1

    def slides(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        gap = state.index(0)
        for there in near[gap]:
            after = list(state)
            after[gap], after[there] = after[there], 0
            yield tuple(after)

    return least(tuple(start), slides, lambda state: sum(lacks[tile][at] for at, tile in enumerate(state) if tile))


def rush_hour(facts: Facts) -> int:
    """Breadth-first search but for an estimate of one move until the red car is at the exit; a state is the place of each
    car."""
    cars = [car for (car,) in facts["car"]]
    lanes = {car: {} for car in cars}
    for car, at, cell in facts["lane"]:
        lanes[car][at] = cell
    length, last, ((red, exit),) = dict(facts["length"]), dict(facts["last"]), facts["goal"]

    def drives(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        filled = {lanes[car][at + part] for car, at in zip(cars, state, strict=True) for part in range(length[car])}
        for number, (car, at) in enumerate(zip(cars, state, strict=True)):
            for way, edge in ((-1, 0), (1, length[car] - 1)):
                to = at + way
                while 0 <= to <= last[car] and lanes[car][to + edge] not in filled:
                    yield (*state[:number], to, *state[number + 1 :])
                    to += way

    start = dict(facts["start"])
    return least(tuple(start[car] for car in cars), drives, lambda state: int(state[cars.index(red)] != exit))


def lights_out(facts: Facts) -> int:
    """Gaussian elimination over GF(2), then the fewest presses of all solutions."""
    cells = [cell for (cell,) in facts["cell"]]
    number, lit = {cell: at for at, cell in enumerate(cells)}, {cell for (cell,) in facts["lit"]}
    rows = [int(cell in lit) << len(cells) for cell in cells]
    for one, other in facts["touches"]:
        rows[number[other]] |= 1 << number[one]
    pivots: list[int] = []
    for column in range(len(cells)):
        at = next((at for at in range(len(pivots), len(rows)) if rows[at] >> column & 1), None)
        if at is not None:
            own = len(pivots)
            rows[own], rows[at] = rows[at], rows[own]
            rows = [row ^ rows[own] if other != own and row >> column & 1 else row for other, row in enumerate(rows)]
            pivots.append(column)
    free = [column for column in range(len(cells)) if column not in pivots]
    best = FAR
    for chosen in product((0, 1), repeat=len(free)):
        pressed = sum(press << column for press, column in zip(chosen, free, strict=True)) | 1 << len(cells)
        best = min(best, sum(chosen) + sum((rows[at] & pressed).bit_count() & 1 for at in range(len(pivots))))
    return best


def pancakes(facts: Facts) -> int:
    """The gap heuristic (Helmert 2010): the neighbours that are not of consecutive sizes."""
    start = tuple(size for size, _ in sorted(facts["start"], key=lambda fact: fact[1]))
    plate = len(start) + 1

    def flips(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        return (state[:upper][::-1] + state[upper:] for upper in range(2, plate))

    def gaps(state: tuple[int, ...]) -> int:
        return sum(abs(one - other) != 1 for one, other in pairwise((*state, plate)))

    return least(start, flips, gaps)


def sokoban(facts: Facts) -> int:
    """The pushes of each crate to its nearest goal, by pulling backward from the goals; a cell without a distance is dead."""
    after: dict[str, dict[int, str]] = defaultdict(dict)
    for one, other, way in facts["next"]:
        after[one][way] = other

    def pulls(cell: str) -> Iterator[str]:
        return (there for way, there in after[cell].items() if way in after[there])

    pushes = distances((cell for (cell,) in facts["goal"]), pulls)
    ((man,),) = facts["start_man"]

    def moves(state: tuple[str, frozenset[str]]) -> Iterator[tuple[str, frozenset[str]]]:
        at, crates = state
        for way, there in after[at].items():
            if there not in crates:
                yield there, crates
            elif (behind := after[there].get(way)) is not None and behind not in crates:
                yield there, crates - {there} | {behind}

    crates = frozenset(cell for (cell,) in facts["start_crate"])
    return least((man, crates), moves, lambda state: min(FAR, sum(pushes.get(cell, FAR) for cell in state[1])))


def hanoi(facts: Facts) -> int:
    """Breadth first; a state is the peg of each disc, the smallest first."""
    pegs = [peg for (peg,) in facts["peg"]]
    start = tuple(peg for _, peg in sorted(facts["start"]))

    def carries(state: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        tops = {peg: state.index(peg) if peg in state else len(state) for peg in pegs}
        for peg, disc in tops.items():
            yield from ((*state[:disc], to, *state[disc + 1 :]) for to in pegs if disc < tops[to] and to != peg)

    return least(start, carries, lambda state: int(any(peg != "right" for peg in state)))


def workshop(facts: Facts) -> int:
    """Dynamic programming over turns: the most coins for each stock."""
    given = {name: values[0][0] for name, values in facts.items()}
    board, chair, saw = (given[f"{thing}_price"] for thing in ("board", "chair", "saw"))
    richest = {(given["start_wood"], given["start_boards"], given["start_chairs"], given["start_saws"]): given["start_coins"]}
    for _ in range(given["turns"]):
        after = dict(richest)
        for (wood, boards, chairs, saws), coins in richest.items():
            ways = (
                (wood <= 4, (wood + 2, boards, chairs, saws), coins),
                (wood >= 1 and boards + saws <= 5, (wood - 1, boards + 1 + saws, chairs, saws), coins),
                (boards >= 3 and chairs <= 5, (wood, boards - 3, chairs + 1, saws), coins),
                (boards >= 1, (wood, boards - 1, chairs, saws), coins + board),
                (chairs >= 1, (wood, boards, 0, saws), coins + chair * chairs),
                (saws <= 1 and coins >= saw, (wood, boards, chairs, saws + 1), coins - saw),
            )
            for is_legal, stock, purse in ways:
                if is_legal and after.get(stock, -1) < purse:
                    after[stock] = purse
        richest = after
    return given["turns"] * 6 * chair + given["start_coins"] - max(richest.values())


def deliveries(facts: Facts) -> int:
    """Each parcel is taken up and put down, and the farthest way is walked; a state is the carrier's cell and each parcel's,
    empty if it is held."""
    near = defaultdict(list)
    for one, other in facts["near"]:
        near[one].append(other)
    far = {cell: distances([cell], near.__getitem__) for cell in near}
    parcels = [parcel for (parcel,) in facts["parcel"]]
    homes, spots, ((start,),) = dict(facts["goal"]), dict(facts["start_spot"]), facts["start"]

    def moves(state: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        at, *parts = state
        yield from ((there, *parts) for there in near[at])
        for number, spot in enumerate(parts):
            if not spot:
                yield (at, *parts[:number], at, *parts[number + 1 :])
            elif spot == at and parts.count("") < 2:
                yield (at, *parts[:number], "", *parts[number + 1 :])

    def left(state: tuple[str, ...]) -> int:
        at, *parts = state
        handled = walked = 0
        for parcel, spot in zip(parcels, parts, strict=True):
            home = homes[parcel]
            if spot != home:
                handled += 2 if spot else 1
                walked = max(walked, far[at][spot] + far[spot][home] if spot else far[at][home])
        return handled + walked

    return least((start, *(spots[parcel] for parcel in parcels)), moves, left)


def lifts(facts: Facts) -> int:
    """Each person who waits moves twice, and the lift rides to every level where it is needed; a state is the lift's level,
    and of each person whether it waits, is aboard or is served: 2, 1, 0."""
    levels, people = [level for (level,) in facts["level"]], [person for (person,) in facts["person"]]
    entries, aims, ((start,),) = dict(facts["entry"]), dict(facts["aim"]), facts["start"]

    def moves(state: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        at, *parts = state
        yield from ((level, *parts) for level in levels if level != at)
        for number, (person, phase) in enumerate(zip(people, parts, strict=True)):
            if phase and at == (entries if phase == 2 else aims)[person]:
                yield (at, *parts[:number], phase - 1, *parts[number + 1 :])

    def left(state: tuple[Any, ...]) -> int:
        at, *parts = state
        needed = {entries[person] for person, phase in zip(people, parts, strict=True) if phase == 2}
        needed |= {aims[person] for person, phase in zip(people, parts, strict=True) if phase}
        return sum(parts) + len(needed - {at})

    return least((start, *(2 for _ in people)), moves, left)


PROGRAMS = {
    "start_spot": deliveries,
    "entry": lifts,
    "start_gap": sliding,
    "lane": rush_hour,
    "touches": lights_out,
    "start_man": sokoban,
    "chair_price": workshop,
    "peg": hanoi,
    "start": pancakes,
}
"""The solvers by a predicate unique to the tasks of a class; pancakes have none of the others."""

if __name__ == "__main__":
    given = facts_of(Path(sys.argv[1]).read_text("utf-8"))
    print(next(solve for name, solve in PROGRAMS.items() if name in given)(given))
