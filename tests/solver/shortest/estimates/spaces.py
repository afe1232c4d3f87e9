"""Whole state spaces of small instances, made move by move with the engine: exact distances to the goal, backward from it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.shortest.estimates.distance_tables import DEAD, Distances, DistanceTables
from rulewright.solver.shortest.problem import ShortestPlanProblem
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.by_trying import estimate_of
from tests.solver.shortest.estimates.carriers import errands, lifts
from tests.solver.shortest.estimates.walks import WALKED, walked
from tests.solver.shortest.questions import asked

Instance = Callable[[random.Random], Position]


def finder(position: Position) -> DistanceTables:
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    given = problem.engine, problem.root, problem.until, problem.analysis, time.monotonic() + 60
    return DistanceTables(*given, merged=problem.region_markers.closures)


class TooManyStates(AssertionError):
    """An instance has more states than a test wants to look at."""


def graph(engine: Engine, root: State, most: int) -> dict[State, list[State]]:
    """Every state that play can reach, with those after its moves; raises `TooManyStates` beyond `most`."""
    found: dict[State, list[State]] = {}
    pending = [root]
    for here in pending:
        if here in found:
            continue
        found[here] = [] if engine.over(here) else [engine.apply(here, move) for move in engine.legal(here)]
        pending += found[here]
        if len(found) > most:
            raise TooManyStates(f"more than {most} states")
    return found


def exact(after: dict[State, list[State]], goals: set[State]) -> dict[State, int]:
    """The fewest moves to a goal, of the states from which there is a way."""
    before: dict[State, list[State]] = {}
    for here, others in after.items():
        for other in others:
            before.setdefault(other, []).append(here)
    found = dict.fromkeys(goals, 0)
    layer = list(goals)
    while layer:
        layer = list({one for here in layer for one in before.get(here, ()) if one not in found})
        found.update(dict.fromkeys(layer, 1 + max(found.values())))
    return found


def by_tables(position: Position, found: Distances) -> Callable[[State], int]:
    """What tables estimate."""
    return lambda state: estimate_of(found.tables, position.asked.layout, state)


def check(
    position: Position, estimate: Callable[[State], int], most: int = 30_000, is_consistent: bool = True
) -> tuple[int, int]:
    """Hold estimates against the exact distances of all states, and each move against what it may lower; gives the number of
    states, and the sum of all estimates."""
    engine, question = position.asked, position.question
    assert question is not None and question.until is not None
    after = graph(engine, position.state, most)
    distances = exact(after, {here for here in after if engine.value(question.until, here)})
    estimates = {here: estimate(here) for here in after}
    for here, others in after.items():
        left = distances.get(here)
        assert left is None or estimates[here] <= left, f"{estimates[here]} where {left} moves are left"
        if left != 0 and is_consistent:
            assert all(estimates[here] <= estimates[other] + 1 for other in others), "a move lowers it by more than 1"
    return len(after), sum(estimate for estimate in estimates.values() if estimate < DEAD)


# Instances ---------------------------------------------------------------------------------------
# Counters of moves are dropped: they would make each state many.

FRAME = """
module frame:
    extends classics.sliding_tiles

space board: square grid 3 x 2 of tiles

define width = 3

tiles numbers:
    one    x1    face (pip)
    two    x1    face (pip 2)
    three  x1    face (pip 3)
    four   x1    face (pip 4)
    five   x1    face (pip 5)

change slide:
    drop count_slide
"""


def sliding(rng: random.Random) -> Position:
    tiles = ["one", "two", "three", "four", "five", "."]
    rng.shuffle(tiles)
    board = f"\n    board:\n        {'  '.join(tiles[:3])}\n        {'  '.join(tiles[3:])}\n"
    return asked(linked(FRAME), "fewest moves until solved", board)


STEPS = """
module steps:
    extends classics.sokoban

change move:
    drop count_step

change push:
    drop count_step
"""
PUSHES = """
module pushes:
    extends classics.sokoban_pushes

change shove:
    drop count_step
"""


def room(rng: random.Random, module: str, number: int = 2, pillars: int = 1, width: int = 4) -> Position:
    """Crates in a room of three rows, with pillars or without."""
    floor = [(x, y) for x in range(1, width + 1) for y in range(1, 4)]
    stones = [rng.choice([*floor, None]) for _ in range(pillars)]
    free = [cell for cell in floor if cell not in stones]
    inner = [(x, y) for x, y in free if width == 4 or (y == 2 and 1 < x < width)]
    crates = rng.sample(inner, min(number, len(inner)))
    man = rng.choice([cell for cell in free if cell not in crates])
    words = {cell: "crate" if cell in crates else ".@1" if cell == man else "." for cell in free}
    rows = ("        " + "  ".join(words.get((x, y), "wall") for x in range(width + 2)) for y in range(5))
    goal = ", ".join(f"({x},{y})" for x, y in rng.sample(free, number))
    body = "\n    board:\n" + "\n".join(rows) + f"\n    origin 0,0\n\n    goal: {goal}\n"
    return asked(linked(module), "fewest moves until solved", body)


def steps(rng: random.Random) -> Position:
    return room(rng, STEPS)


def pushes(rng: random.Random) -> Position:
    return room(rng, PUSHES)


def blocked(rng: random.Random) -> Position:
    """Three crates, at first within the room, which hold each other and shut parts of it off."""
    return room(rng, rng.choice((STEPS, PUSHES)), 3, 2, 5)


LAMPS = """
module lamps:
    extends classics.lights_out

drop space board
space board: square grid 3 x 3

change press:
    drop count_press
"""


def lamps(rng: random.Random) -> Position:
    lit = ", ".join(f"({cell % 3},{cell // 3})" for cell in rng.sample(range(9), rng.randint(1, 9)))
    return asked(linked(LAMPS), "fewest moves until dark", f"\n    lit: {lit}\n")


def tower(rng: random.Random) -> Position:
    discs = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
    body = "\n".join(f"    place {disc}: {rng.choice(('left', 'middle', 'right'))}" for disc in discs)
    return asked(shipped("classics.hanoi"), "fewest moves until solved", "\n" + body)


def river(rng: random.Random) -> Position:
    aim = rng.choice(("across", "faithful = 0", "hungry = 0 and is_near", "faithful + hungry = 3"))
    return asked(shipped("classics.missionaries"), f"fewest moves until {aim}")


def jam(rng: random.Random) -> Position:
    rows = [["."] * 6 for _ in range(6)]
    rows[2][0] = rows[2][1] = "red"
    column, at = rng.randint(2, 5), rng.randint(0, 3)
    for row in range(at, at + 3):
        rows[row][column] = "amber"
    row = rng.choice((0, 1, 3, 4, 5))
    place = next((x for x in range(5) if rows[row][x] == rows[row][x + 1] == "."), 0)
    rows[row][place] = rows[row][place + 1] = "blue"
    body = "\n    board:\n" + "\n".join("        " + "  ".join(words) for words in rows)
    return asked(shipped("classics.rush_hour"), "fewest moves until out", body)


BAG = """
module bag:
    "Stones come from a bag, are turned over, go on by one or two cells, and are taken where they lie thick."

space path: square grid 6 x 1 of tiles

tiles stones:
    black  x2
    white  x2

state:
    spare: set of tiles
    seen of path: truth
    turns of player: 0..3 = 3

action lay(tile in box, c in path where column(c) <= {last}):
    require vacant: not occupied(c)
    effect lay: put tile at c

action go(c in path where occupied(c), n in 1..2):
    require free: cell(column(c) + n, 0) in path and not occupied(cell(column(c) + n, 0))
    require right: n = 1 or at(c) = {leaper}
    effect see: if n = 2: seen of step(c, E) := {seen}
    effect go: slide c to cell(column(c) + n, 0)

action thin(c in path where at(c) = black):
    require thick: some n in around(c): at(n) = {near}
    effect take: for n in around(c) where at(n) = {near}: take n to spare
    effect note: turns of player -= 1
    effect mark: seen of c := not seen of c

flow:
    for player in players:
        repeat:
            turn:
                choose lay, go, thin

score none: 0
"""
BAG_AIMS = (
    "at(cell(5, 0)) = black",
    "(count c in path where at(c) = white) = 2 and at(cell(4, 0)) = white",
    "every c in path where occupied(c): column(c) > 3 and at(c) = white",
    "seen of cell(3, 0) and occupied(cell(5, 0))",
    "turns of 1 = 1 and at(cell(2, 0)) = black",
)


def bag(rng: random.Random) -> Position:
    text = BAG.format(
        last=rng.randint(0, 2),
        leaper=rng.choice(("black", "white")),
        near=rng.choice(("black", "white")),
        seen=rng.choice(("yes", "not seen of step(c, E)", "at(c) = white")),
    )
    text = text.replace(
        "turns of player -= 1", rng.choice(("turns of player -= 1", "turns of player := min(turns of player, 1)"))
    )
    text = text.replace("require thick:", "require left: turns of player > 0\n    require thick:")
    body = "\n    path:\n        black  .  white  .  .  .\n    box: black, white\n"
    return asked(linked(text), f"fewest moves until {rng.choice(BAG_AIMS)}", body)


PANS = """
module pans:
    "A pan of each size on a stack, the upper ones turned over as one."

space stack: square grid 5 x 1

state:
    size of stack: 1..5

define sorted = every c in stack: size of c = 1 + column(c)

action turn_over(last in stack where column(last) > 0):
    effect swap: for c in stack where 2 * column(c) < column(last):
        let above = size of c
        let below = size of cell(column(last) - column(c), 0)
        size of c := below
        size of cell(column(last) - column(c), 0) := above

flow:
    repeat until sorted:
        turn:
            choose turn_over

score none: 0
"""


def pans(rng: random.Random) -> Position:
    sizes = rng.sample(range(1, 6), 5)
    body = "\n".join(f"    size ({column},0): {size}" for column, size in enumerate(sizes))
    return asked(linked(PANS), "fewest moves until sorted", "\n" + body)


GATE = """
module gate:
    "A runner leaps as far as the gate lets it, on a path with a bar that may be lifted."

space path: square grid 8 x 1 of tiles

tiles things:
    runner  x1
    bar     x1

state:
    open:  truth
    width: 0..3 = 1
    door:  cell of path

action run(c in path where at(c) = runner):
    require near: column(c) < 7
    require free: not occupied(step(c, E)) and not occupied(cell(min(7, column(c) + 2), 0))
    {run}

action turn:
    effect turn: open := not open
    effect door: door := cell(column(door) + {by}, 0)

action lift(c in path where at(c) = bar):
    require at_door: {lift}
    effect lift: take c to box

flow:
    repeat until at(cell({home}, 0)) = runner:
        turn:
            choose run, turn, lift

score none: 0
"""
RUNS = (
    """effect run:
        if open: slide c to cell(column(c) + 1, 0)
        else: slide c to cell(min(7, column(c) + 2), 0)""",
    """effect run:
        if open: slide c to cell(min(7, column(c) + 2), 0)
        else: width := 3""",
    """effect look:
        if open: width := 1
        else: width := 2
    effect run: slide c to cell(min(7, column(c) + width), 0)""",
    """effect run: for d in path where d = door and open and not occupied(d): slide c to d
    effect rest: width := 0""",
)


def gate(rng: random.Random) -> Position:
    home = rng.randint(4, 7)
    text = GATE.format(run=rng.choice(RUNS), by=rng.choice((-1, 1)), lift=rng.choice(("door = c", "open")), home=home)
    aim = rng.choice((f"at(cell({home}, 0)) = runner", f"at(cell({home}, 0)) = runner and door = cell(3, 0)"))
    body = f"\n    path:\n        runner  .  .  bar  .  .  .  .\n    door: ({rng.randint(3, 4)},0)\n"
    text = text.replace("at_door: door = c", "at_door: door = c and not open")
    text = text.replace(
        "effect door:", "require room: cell(column(door) + 1, 0) in path and column(door) > 0\n    effect door:"
    )
    return asked(linked(text), f"fewest moves until {aim}", body)


HERD = """
module herd:
    "Sheep and a goat go over a field to places of their own; where there is a gap in the fence, they may leave it."

space field: square grid 4 x 2 of tiles

tiles animals:
    sheep  x3
    goat   x1

state:
    fold of field: truth
    barn of field: truth
    gap of field:  truth

action go(c in field where occupied(c), to in around(c)):
    require free: not occupied(to)
    require way: {way}
    effect go: slide c to to

action follow(c in field where at(c) = sheep):
    require room: cell(column(c) + 2, row(c)) in field and not occupied(cell(column(c) + 2, row(c)))
    require before: occupied(step(c, E))
    effect lead: slide step(c, E) to cell(column(c) + 2, row(c))
    effect follow: slide c to step(c, E)

action leave(c in field where gap of c and occupied(c)):
    effect leave: take c to box

flow:
    repeat:
        turn:
            choose go, {more}

score none: 0
"""
HERD_AIMS = (
    "every c in field where occupied(c): fold of c",
    "every c in field where at(c) = sheep: fold of c",
    "every c in field where occupied(c): (at(c) = sheep and fold of c) or (at(c) = goat and barn of c)",
    "every c in field where occupied(c): (at(c) = sheep and fold of c) or at(c) = goat",
)


def herd(rng: random.Random) -> Position:
    way = rng.choice(("yes", "column(to) >= column(c)", "row(to) = row(c) or at(c) = goat"))
    text = HERD.format(way=way, more=rng.choice(("leave", "follow", "leave, follow")))
    cells = [(x, y) for x in range(4) for y in range(2)]
    held = dict(zip(rng.sample(cells, 4), ("sheep", "sheep", rng.choice(("sheep", ".")), "goat"), strict=True))
    rows = ("        " + "  ".join(held.get((x, y), ".") for x in range(4)) for y in range(2))
    marks = "".join(
        f"    {name}: {', '.join(f'({x},{y})' for x, y in rng.sample(cells, count))}\n"
        for name, count in (("fold", rng.randint(2, 4)), ("barn", 2), ("gap", 1))
    )
    body = "\n    field:\n" + "\n".join(rows) + "\n" + marks
    return asked(linked(text), f"fewest moves until {rng.choice(HERD_AIMS)}", body)


INSTANCES: tuple[Instance, ...] = (
    sliding,
    steps,
    pushes,
    blocked,
    lamps,
    tower,
    river,
    jam,
    bag,
    pans,
    gate,
    herd,
    errands,
    lifts,
)


def instances(seeds: range) -> Iterator[tuple[str, Position]]:
    """Some of each of twenty games, by their names; of those with many states a sixth."""
    makes = {make.__name__: make for make in INSTANCES} | {name: partial(walked, name) for name in WALKED}
    for name, make in makes.items():
        for seed in seeds:
            if name in ("jam", "tower") and seed % 6:
                continue
            yield f"{name} {seed}", make(random.Random(f"{name} {seed}"))
