"""Generates instances of classic puzzles by seed: a puzzle for us, PDDL for Fast Downward, facts for clingo.

The rules are those of the library except for `planning/*.rules`; the peers' encodings are what their users would write by hand
(`planning/*.pddl`, `planning/*.lp`). Every instance is solvable: most come from random moves backward from a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from planning_carriers import deliveries, lifts
from planning_task import Task, domain_of, drawn, problem_of, puzzle_of
from planning_workshop import workshop

WAYS = ((0, -1), (1, 0), (0, 1), (-1, 0))
Cell = tuple[int, int]


def _cells(width: int, height: int) -> list[Cell]:
    return [(x, y) for y in range(height) for x in range(width)]


def _near(cell: Cell, cells: Iterable[Cell]) -> list[Cell]:
    return [there for way in WAYS if (there := (cell[0] + way[0], cell[1] + way[1])) in cells]


def _word(cell: Cell) -> str:
    return f"c{cell[0]}_{cell[1]}"


# Sliding tiles -----------------------------------------------------------------------------------

NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)


def eight(rng: Random, name: str) -> Task:
    """A random walk long enough to reach any state."""
    return _sliding(rng, name, "eight", "classics.sliding", 3, 500 + rng.randrange(2))


def fifteen(rng: Random, name: str) -> Task:
    """A random walk of 30 to 50 slides, none of which undoes the one before."""
    return _sliding(rng, name, "fifteen", "classics.fifteen", 4, rng.randint(30, 50))


def _sliding(rng: Random, name: str, kind: str, rules: str, width: int, steps: int) -> Task:
    cells = _cells(width, width)
    held = {cell: number for number, cell in enumerate(cells[:-1])}
    gap = before = cells[-1]
    for _ in range(steps):
        there = rng.choice([cell for cell in _near(gap, cells) if cell != before])
        held[gap] = held.pop(there)
        gap, before = there, gap
    return sliding_task(kind, name, rules, width, held)


def sliding_task(kind: str, name: str, rules: str, width: int, held: dict[Cell, int]) -> Task:
    """The tiles by cells, each numbered like its home; the gap is at home in the last cell."""
    cells = _cells(width, width)
    (gap,) = set(cells) - held.keys()
    rows = [[NUMBERS[held[x, y]] if (x, y) in held else "." for x in range(width)] for y in range(width)]
    near = [(one, other) for one in cells for other in _near(one, cells)]
    goal = {cell: number for number, cell in enumerate(cells[:-1])}
    tiles = " ".join(f"t{number}" for number in goal.values())
    problem = problem_of(
        "sliding",
        f"{tiles} - tile {' '.join(map(_word, cells))} - cell",
        (
            *(f"(at t{number} {_word(cell)})" for cell, number in held.items()),
            f"(gap {_word(gap)})",
            *(f"(near {_word(one)} {_word(other)})" for one, other in near),
        ),
        (f"(at t{number} {_word(cell)})" for cell, number in goal.items()),
    )
    facts = [
        *(f"start({number},{_word(cell)})." for cell, number in held.items()),
        *(f"goal({number},{_word(cell)})." for cell, number in goal.items()),
        f"start_gap({_word(gap)}).",
        *(f"near({_word(one)},{_word(other)})." for one, other in near),
    ]
    return Task(kind, name, puzzle_of(rules, drawn("board", rows), "solved"), domain_of("sliding"), problem, " ".join(facts))


# Rush Hour ---------------------------------------------------------------------------------------

CARS = ("red", "aqua", "blue", "brown", "cream", "green", "grey", "indigo", "khaki", "lime", "orange", "pink")
TRUCKS = ("amber", "purple", "teal", "white")
Lane = tuple[Cell, ...]


LEAST_MOVES = 8


def rush_hour(rng: Random, name: str) -> Task:
    """A random jam of at least LEAST_MOVES: the red car starts at the exit, then random moves lead away from it."""
    while True:
        fleet = _jam(rng)
        if fleet["red"][2] < 4 and _moves_out(fleet) >= LEAST_MOVES:
            return rush_hour_task(name, fleet)


def _moves_out(fleet: dict[str, tuple[Lane, int, int]]) -> int:
    """The fewest moves, by breadth-first search; a solution exists."""
    cars = [(lane, length) for lane, length, _ in fleet.values()]
    layer = {tuple(at for _, _, at in fleet.values())}
    seen, moves = set(layer), 0
    while all(places[0] < 4 for places in layer):
        layer = {after for places in layer for after in _driven(cars, places)} - seen
        seen |= layer
        moves += 1
    return moves


def _driven(cars: Sequence[tuple[Lane, int]], places: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    filled = {cell for (lane, length), at in zip(cars, places, strict=True) for cell in lane[at : at + length]}
    for number, (lane, length) in enumerate(cars):
        at = places[number]
        for ahead, way in ((range(at + length, 6), 1), (range(at - 1, -1, -1), -1)):
            for cells, place in enumerate(ahead, 1):
                if lane[place] in filled:
                    break
                yield (*places[:number], at + way * cells, *places[number + 1 :])


def _jam(rng: Random) -> dict[str, tuple[Lane, int, int]]:
    """Cars by name, each with its lane, its length and the place of its first cell."""
    row = tuple((x, 2) for x in range(6))
    fleet: dict[str, tuple[Lane, int, int]] = {"red": (row, 2, 4)}
    filled = {(4, 2), (5, 2)}
    for car in rng.choices((*CARS[1:], *TRUCKS), k=60):
        length = 3 if car in TRUCKS else 2
        number, is_row = rng.randrange(6), rng.random() < 0.5
        lane = tuple((place, number) if is_row else (number, place) for place in range(6))
        at = rng.randrange(7 - length)
        own = set(lane[at : at + length])
        if car not in fleet and not own & filled and not (is_row and number == 2):
            fleet[car] = (lane, length, at)
            filled |= own
    for _ in range(600):
        car = rng.choice(list(fleet))
        lane, length, at = fleet[car]
        to = rng.randrange(7 - length)
        others = {cell for name, (way, long, place) in fleet.items() if name != car for cell in way[place : place + long]}
        if not others & set(lane[min(at, to) : max(at, to) + length]):
            fleet[car] = (lane, length, to)
    return fleet


def rush_hour_task(name: str, fleet: dict[str, tuple[Lane, int, int]]) -> Task:
    """Cars by name, each with its lane, its length and the place of its first cell."""
    held = {cell: car for car, (lane, length, at) in fleet.items() for cell in lane[at : at + length]}
    rows = [[held.get((x, y), ".") for x in range(6)] for y in range(6)]
    actions = []
    for car, (lane, length, _) in fleet.items():
        for at in range(7 - length):
            for to in range(7 - length):
                if at != to:
                    actions.append(_drive(car, lane, length, at, to))
    words = [_word(cell) for cell in _cells(6, 6)]
    domain = (
        "(define (domain rush_hour) (:requirements :strips :typing) (:types car place cell)\n"
        f"  (:constants {' '.join(fleet)} - car p0 p1 p2 p3 p4 - place {' '.join(words)} - cell)\n"
        "  (:predicates (at ?v - car ?p - place) (free ?c - cell))\n" + "\n".join(actions) + ")\n"
    )
    init = [*(f"(at {car} p{at})" for car, (_, _, at) in fleet.items())]
    init += [f"(free {_word(cell)})" for cell in _cells(6, 6) if cell not in held]
    problem = problem_of("rush_hour", "", init, ("(at red p4)",))
    facts = ["goal(red,4)."]
    for car, (lane, length, at) in fleet.items():
        facts += [f"car({car}). length({car},{length}). last({car},{6 - length}). start({car},{at})."]
        facts += [f"lane({car},{place},{_word(cell)})." for place, cell in enumerate(lane)]
    puzzle = puzzle_of("classics.rush_hour", drawn("board", rows), "out").replace("    players 1\n", "")
    return Task("rush_hour", name, puzzle, domain, problem, " ".join(facts))


def _drive(car: str, lane: Lane, length: int, at: int, to: int) -> str:
    old, new = set(lane[at : at + length]), set(lane[to : to + length])
    swept = set(lane[min(at, to) : max(at, to) + length]) - old
    needs = " ".join(f"(free {_word(cell)})" for cell in sorted(swept))
    leaves = " ".join(f"(free {_word(cell)})" for cell in sorted(old - new))
    fills = " ".join(f"(not (free {_word(cell)}))" for cell in sorted(new - old))
    return (
        f"  (:action {car}_{at}_{to} :parameters () :precondition (and (at {car} p{at}) {needs})\n"
        f"    :effect (and (not (at {car} p{at})) (at {car} p{to}) {leaves} {fills}))"
    )


# Lights Out --------------------------------------------------------------------------------------


def lights_out(rng: Random, name: str) -> Task:
    """Five by five lights after 3 to 15 random presses."""
    cells = _cells(5, 5)
    lit: set[Cell] = set()
    while not lit:
        for button in rng.sample(cells, rng.randint(3, 15)):
            lit ^= {button, *_near(button, cells)}
    actions = [
        f"  (:action press_{_word(button)} :parameters () :precondition () :effect (and "
        + " ".join(
            f"(when (lit {_word(cell)}) (not (lit {_word(cell)}))) (when (not (lit {_word(cell)})) (lit {_word(cell)}))"
            for cell in (button, *_near(button, cells))
        )
        + "))"
        for button in cells
    ]
    domain = (
        "(define (domain lights_out) (:requirements :adl)\n"
        f"  (:constants {' '.join(map(_word, cells))})\n  (:predicates (lit ?c))\n" + "\n".join(actions) + ")\n"
    )
    goal = (f"(not (lit {_word(cell)}))" for cell in cells)
    problem = problem_of("lights_out", "", (f"(lit {_word(cell)})" for cell in sorted(lit)), goal)
    facts = [f"cell({_word(cell)})." for cell in cells] + [f"lit({_word(cell)})." for cell in sorted(lit)]
    facts += [f"touches({_word(one)},{_word(other)})." for one in cells for other in (one, *_near(one, cells))]
    listed = ", ".join(f"({x},{y})" for x, y in sorted(lit))
    puzzle = puzzle_of("classics.lights_out", [f"    lit: {listed}"], "dark")
    return Task("lights_out", name, puzzle, domain, problem, " ".join(facts))


# Pancakes ----------------------------------------------------------------------------------------

PANCAKES = 9


def pancakes(rng: Random, name: str) -> Task:
    """A random stack of nine."""
    sizes = rng.sample(range(1, PANCAKES + 1), PANCAKES)
    entries = [f"    size ({column},0): {size}" for column, size in enumerate(sizes)]
    words = " ".join(f"s{size}" for size in range(1, PANCAKES + 1))
    places = " ".join(f"p{place}" for place in range(1, PANCAKES + 1))
    actions = [
        f"  (:action flip_{last} :parameters () :precondition () :effect (forall (?s - pancake) (and "
        + " ".join(
            f"(when (at ?s p{place}) (and (not (at ?s p{place})) (at ?s p{last + 1 - place})))"
            for place in range(1, last + 1)
            if 2 * place != last + 1
        )
        + ")))"
        for last in range(2, PANCAKES + 1)
    ]
    domain = (
        "(define (domain pancakes) (:requirements :adl :typing) (:types pancake place)\n"
        f"  (:constants {words} - pancake {places} - place)\n  (:predicates (at ?s - pancake ?p - place))\n"
        + "\n".join(actions) + ")\n"
    )  # fmt: skip
    init = (f"(at s{size} p{place})" for place, size in enumerate(sizes, 1))
    problem = problem_of("pancakes", "", init, (f"(at s{size} p{size})" for size in range(1, PANCAKES + 1)))
    facts = [f"#const n={PANCAKES}.", *(f"start({size},{place})." for place, size in enumerate(sizes, 1))]
    return Task("pancakes", name, puzzle_of("pancakes", entries, "sorted"), domain, problem, " ".join(facts))


# Sokoban -----------------------------------------------------------------------------------------


def sokoban(rng: Random, name: str) -> Task:
    """A random room with three crates, pulled away from their goals by random play backward."""
    while True:
        floor = {cell for cell in _cells(9, 8) if 0 < cell[0] < 8 and 0 < cell[1] < 7 and rng.random() < 0.8}
        if len(floor) < 20:
            continue
        goals = set(rng.sample(sorted(floor), 3))
        crates, man = set(goals), rng.choice(sorted(floor - goals))
        for _ in range(400):
            way = rng.choice(WAYS)
            there = (man[0] + way[0], man[1] + way[1])
            if there not in floor or there in crates:
                continue
            behind = (man[0] - way[0], man[1] - way[1])
            if behind in crates and rng.random() < 0.7:
                crates = crates - {behind} | {man}
            man = there
        if not crates & goals:
            return _sokoban_task(name, floor, goals, crates, man)


def _sokoban_task(name: str, floor: set[Cell], goals: set[Cell], crates: set[Cell], man: Cell) -> Task:
    rows = [
        [("crate" if cell in crates else "." if cell in floor else "wall") + ("@1" if cell == man else "") for cell in row]
        for row in ([(x, y) for x in range(9)] for y in range(8))
    ]
    listed = ", ".join(f"({x},{y})" for x, y in sorted(goals))
    entries = [*drawn("board", rows), "    origin 0,0", "", f"    goal: {listed}"]
    joined = _joined(floor)
    problem = sokoban_problem("sokoban", floor, goals, crates, man)
    facts = [
        f"start_man({_word(man)}).",
        *(f"start_crate({_word(cell)})." for cell in sorted(crates)),
        *(f"goal({_word(cell)})." for cell in sorted(goals)),
        *(f"next({_word(one)},{_word(other)},{way})." for one, other, way in joined),
    ]
    return Task(
        "sokoban", name, puzzle_of("classics.sokoban", entries, "solved"), domain_of("sokoban"), problem, " ".join(facts)
    )


def _joined(floor: set[Cell]) -> list[tuple[Cell, Cell, int]]:
    """Cells side by side, with the number of the direction."""
    return [
        (cell, there, number)
        for cell in sorted(floor)
        for number, way in enumerate(WAYS)
        if (there := (cell[0] + way[0], cell[1] + way[1])) in floor
    ]


def sokoban_problem(domain: str, floor: set[Cell], goals: set[Cell], crates: set[Cell], man: Cell) -> str:
    return problem_of(
        domain,
        f"{' '.join(map(_word, sorted(floor)))} - cell w0 w1 w2 w3 - way",
        (
            f"(man {_word(man)})",
            *(f"(crate {_word(cell)})" for cell in sorted(crates)),
            *(f"(free {_word(cell)})" for cell in sorted(floor - crates)),
            *(f"(next {_word(one)} {_word(other)} w{way})" for one, other, way in _joined(floor)),
        ),
        (f"(crate {_word(cell)})" for cell in sorted(goals)),
    )


# Hanoi -------------------------------------------------------------------------------------------

DISCS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
PEGS = ("left", "middle", "right")


def hanoi(rng: Random, name: str) -> Task:
    """Seven discs on random pegs."""
    places = [rng.choice(PEGS) for _ in DISCS]
    entries = [f"    place {disc}: {peg}" for disc, peg in zip(DISCS, places, strict=True)]
    init, tops = [], {peg: peg for peg in PEGS}
    for number in reversed(range(len(DISCS))):
        init.append(f"(on d{number} {tops[places[number]]})")
        tops[places[number]] = f"d{number}"
    init += [f"(clear {top})" for top in tops.values()]
    things = [f"d{number}" for number in range(len(DISCS))]
    init += [f"(smaller {disc} {peg})" for disc in things for peg in PEGS]
    init += [f"(smaller {one} {other})" for at, other in enumerate(things) for one in things[:at]]
    goal = [f"(on {one} {other})" for one, other in zip(things, (*things[1:], "right"), strict=True)]
    problem = problem_of("hanoi", " ".join((*things, *PEGS)), init, goal)
    facts = [f"peg({peg})." for peg in PEGS]
    facts += [f"disc({number}). start({number},{peg})." for number, peg in enumerate(places, 1)]
    return Task("hanoi", name, puzzle_of("classics.hanoi", entries, "solved"), domain_of("hanoi"), problem, " ".join(facts))


KINDS: dict[str, Callable[[Random, str], Task]] = {
    one.__name__: one for one in (eight, fifteen, rush_hour, lights_out, pancakes, sokoban, hanoi, workshop, deliveries, lifts)
}


def task(kind: str, number: int) -> Task:
    """The instance of a class by its number."""
    name = f"{kind}_s{number}"
    return KINDS[kind](Random(f"planning {name}"), name)


def start_task(number: int) -> Task:
    """A question for the fewest moves that needs none: the tower of Hanoi in its goal position. Each number is a new text."""
    entries = [f"    place {disc}: right" for disc in (*DISCS[number:], *DISCS[:number])]
    return Task("start", f"start_{number}", puzzle_of("classics.hanoi", entries, "solved"), "", "", "")
