"""Automorphisms that are found map plays to plays; answers with states taken once for each orbit are those of plain search."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.base.records import define
from rulewright.puzzles.position import Position
from rulewright.rules.analysis import state_symmetries
from rulewright.rules.analysis.space_maps import Automorphism
from rulewright.rules.analysis.state_symmetries import Equivariance, automorphisms_of
from rulewright.rules.model.state import POINT, STOP
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.kernel import orbits, run
from rulewright.solver.kernel.packed_states import is_same_orbit, keep, pack
from rulewright.solver.result import Limits
from rulewright.solver.shortest import boosters
from rulewright.solver.shortest.game import CostGame
from rulewright.solver.shortest.problem import ShortestPlanProblem, UniformCostSearch
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.program import as_python
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.spaces import INSTANCES, Instance, lamps
from tests.solver.shortest.questions import asked, search_of

CRABS = """
module crabs:
    "Crabs on a beach of three by three cells go sideways, push each other, and dig where they stand."

space beach: square grid {size} of tiles

tiles animals:
    crab   x3
    shell  x2

state:
    dug of beach: truth
    scout: cell of beach
    home: cell of beach
    steps: 0..99

define near(c) = some n in around(c): {near}

action go(c in beach where at(c) = crab, d in directions(beach)):
    require free: step(c, d) in beach and not occupied(step(c, d))
    require right: {right}
    effect go: slide c to step(c, d)
    effect scout: {scout}

action dig(c in beach where occupied(c) and not dug of c):
    require near: near(c)
    effect dig: dug of c := yes
    effect spread: for n in {spread}: dug of n := {dug}
    effect count_steps: steps += {worth}

flow:
    repeat until {until}:
        turn:
            choose go, dig

score none: 0
"""
NEAR = ("occupied(n)", "at(n) = crab", "column(n) = column(c)", "at(n) = shell and row(n) < row(c)", "not dug of n")
RIGHT = (
    "not (scout in beach) or not dug of scout",
    "distance(c, scout) > 0",
    "d = N or d = S",
    "row(step(c, d)) = row(c) or dug of c",
    "column(c) + row(c) != 1",
    "some n in beach where column(n) = column(c) or row(n) = row(c): at(n) = shell",
    "c != home",
    "opposite(d) != d and turn(d, 4) = d",
    "turn(d, 1) != N",
    "c != cell(1, 1)",
    "c != cell(0, 1)",
)
SCOUT = ("scout := c", "scout := step(c, d)", "scout := step(step(c, d), E)", "scout := home", "if dug of c: scout := c")
SPREAD = ("around(c)", "beach where at(n) = crab", "beach where column(n) = 1 and row(n) = 1")
DUG = ("not dug of n", "yes", "occupied(n)", "dug of c", "dug of step(n, N)", "n != home")
UNTIL = (
    "every c in beach: dug of c",
    "(count c in beach where dug of c) >= 4",
    "dug of cell(1, 1) and not dug of home",
    "dug of cell(0, 0)",
    "some c in beach where at(c) = crab: column(c) = row(c) and dug of c",
)


def crabs(rng: random.Random, **fixed: str) -> Position:
    """Rules put together at random, of which some tell the cells apart, and others do not."""

    def one_of(name: str, *options: str) -> str:
        return fixed.get(name) or (options[0] if rng.random() < 0.6 else rng.choice(options))

    text = CRABS.format(
        size=one_of("size", "3 x 3", "3 x 3, 8 neighbours", "3 x 2", "4 x 2"),
        near=one_of("near", *NEAR),
        right=one_of("right", *RIGHT),
        scout=one_of("scout", *SCOUT),
        spread=one_of("spread", *SPREAD),
        dug=one_of("dug", *DUG),
        worth=one_of("worth", "1", "column(c)", "if c = home then 2 else 1"),
        until=one_of("until", *UNTIL),
    )
    cells = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    crab, other, shell, home = rng.sample(cells, 4)
    words = {crab: "crab", other: "crab", shell: "shell"}
    wide = 4 if "4 x 2" in text else 3
    rows = ["  ".join(words.get((x, y), ".") for x in range(wide)) for y in range(3 if "3 x 3" in text else 2)]
    home = rng.choice(((1, 1), (1, 1), home))
    body = (
        "\n    beach:\n"
        + "\n".join(f"        {row}" for row in rows)
        + f"\n    origin 0,0\n\n    home: ({home[0]},{home[1]})\n"
    )
    until = text.partition("repeat until ")[2].partition(":\n")[0]
    return asked(linked(text), f"fewest moves until {until}", body)


def found_in(position: Position) -> list[Automorphism]:
    question = position.question
    assert question is not None
    terms = (*question.values, *((question.until,) if question.until is not None else ()))
    analysis = DataflowAnalysis(position.asked, terms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state_symmetries, "SECONDS", 60.0)
        return list(automorphisms_of(position.asked, position.root, analysis, terms, time.monotonic() + 60))


UNCHANGED = ("home", "target")


def mapped(engine: Engine, state: State, automorphism: Automorphism) -> State:
    """The image of a state, variable by variable; what never changes is not mapped."""
    instance, result = engine.instance, list(state)
    for column in (column for name, column in engine.layout.columns.items() if name not in UNCHANGED):
        index, kind = column.variable.index, column.variable.type
        if column.over_cells:
            held = state[column.start]
            after = list(held)
            for at, value in enumerate(held):
                after[automorphism.image(instance, index, at)] = automorphism.image(instance, kind, value)
            result[column.start] = bytes(after) if column.as_bytes else tuple(after)
        elif automorphism.moves(kind) or automorphism.moves(index):
            for at in range(column.count):
                to = at if index is None else automorphism.image(instance, index, at + column.offset) - column.offset
                result[column.start + to] = automorphism.image(instance, kind, state[column.start + at])
    return tuple(result)


def check_plays(position: Position, number: int, rng: random.Random) -> int:
    """Hold states of random play against their images: what may be done, and what is asked for. Gives how many were."""
    engine, question = position.asked, position.question
    assert question is not None
    live = DataflowAnalysis(engine, (*question.values, *((question.until,) if question.until else ()))).live_variables
    columns = [engine.layout.columns[name] for name in sorted(live)]
    kept = [POINT, *(at for column in columns for at in range(column.start, column.start + column.count))]

    def seen(state: State) -> tuple[object, ...]:
        return tuple(state[at] for at in kept)

    automorphisms, checked, state = found_in(position), 0, position.root
    for _ in range(number if automorphisms else 0):
        moves = [] if engine.over(state) else [move for move in engine.legal(state) if move != STOP]
        if not moves:
            state = position.root
            continue
        for automorphism in automorphisms:
            image = mapped(engine, state, automorphism)
            after = {seen(mapped(engine, engine.apply(state, move), automorphism)) for move in moves}
            others = {seen(engine.apply(image, move)) for move in engine.legal(image) if move != STOP}
            assert after == others, "other moves"
            asked_for = [*question.values, *((question.until,) if question.until is not None else ())]
            assert [engine.value(term, state) for term in asked_for] == [engine.value(term, image) for term in asked_for]
            checked += 1
        state = engine.apply(state, rng.choice(moves))
    return checked


@pytest.mark.parametrize(
    ("module", "ask", "number"),
    [
        ("classics.lights_out", "fewest moves until dark", 7),
        ("classics.bishops", "maximise score until end", 1),
        ("classics.peg_solitaire", "maximise score until end", 7),
        ("classics.fifteen", "fewest moves until solved", 0),
        ("classics.hanoi", "fewest moves until solved", 1),
        ("classics.breakthrough", "win for 1 against best play", 1),
    ],
)
def test_shipped_rules(module: str, ask: str, number: int) -> None:
    position = asked(shipped(module), ask)
    assert len(found_in(position)) == number
    assert not number or check_plays(position, 1, random.Random(module))


def test_queens_on_four_by_four() -> None:
    """They attack by rows, columns and diagonals, which are told by coordinates."""
    board = "drop space board\nspace board: square grid 4 x 4 of tiles, 8 neighbours\n"
    position = asked(linked(f"module four:\n    extends classics.queens\n\n{board}"), "maximise score until end")
    assert len(found_in(position)) == 7
    assert check_plays(position, 3, random.Random(4)) == 21


def test_roads_are_not_turned() -> None:
    """A road from north to south reads the board: where nothing lies yet, all directions look alike."""
    beside = "some d in directions(field): number(region(c, d), mill) > 0 and occupied(step(c, d))"
    roads = f"""
module roads:
    "Roads that go north and south."

players 1
terrain road
marker mill
space field: square grid 3 x 3 of tiles
tiles pieces:
    straight  x9    road N S (mill)

action lay(piece in box, to in field where not occupied(to)):
    effect put: put piece at to from box

flow:
    repeat until every c in field: occupied(c): choose lay

score mills: count c in field where ({beside})
"""
    assert not found_in(asked(linked(roads), "maximise score until end"))


def crab_positions(seeds: range) -> list[Position]:
    return [crabs(random.Random(f"crabs {seed}")) for seed in seeds]


def test_rules_put_together_at_random() -> None:
    positions = crab_positions(range(24))
    counts = [len(found_in(position)) for position in positions]
    assert {0, 1, 7} <= set(counts)
    checked = [check_plays(position, 8, random.Random(1)) for position in positions]
    assert sum(map(bool, checked)) > 10


@define(eq=False)
class LateOrbits:
    """Orbits from so many states on."""

    begin: int

    def boost(self, search: ShortestSearch) -> bool:
        return search.work >= self.begin and boosters.Orbits().boost(search)


def answered(position: Position, begin: int, share: float = 0.0, is_informed: bool = True) -> tuple[int | None, int, int]:
    """With orbits told apart from so many states on, and estimates or none: the cost, the states, and the automorphisms."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "BASELINE", 7)
        patch.setattr(boosters, "LEAST_PASSED", share)
        patch.setattr(boosters, "FEW_SLICES", 0)
        search = search_of(problem, is_optimised=False)
        search.boosters = [LateOrbits(begin), *([boosters.Distances()] if is_informed else [])]
        found = search.answer()
    if found.plan:
        verified_steps(position.asked, position.state, position.question, found)
    return found.score, found.states, found.automorphisms


def agree(position: Position, begin: int) -> int:
    """Held against uniform-cost search over immutable states; gives the number of automorphisms."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    if problem.reached(problem.root) or position.asked.over(position.state):
        return 0
    expected = UniformCostSearch(problem, time.monotonic() + 60, Limits()).run()
    score, _, automorphisms = answered(position, begin)
    assert score == expected.score, (score, expected.score)
    return automorphisms


TIMETABLE = """
module timetable:
    "A walker goes by a timetable, whose keys are numbers, and may stay twice."

players 1
space field: square grid 5 x 5

table ways by number:
    number: ahead
    0:      E
    1:      N
    2:      E

state:
    here: cell of field
    time: 0..3
    left: 0..2

procedure begin:
    middle: here := (2,2)
    fresh: left := 2

action go(steps in 0..1):
    require able: steps <= left
    effect walk: if steps = 1: here := step(here, ways.ahead(time))
    effect tire: left -= steps
    effect tick: time += 1

flow:
    begin
    repeat until time = 3: choose go
"""


def test_directions_in_a_table_are_not_turned() -> None:
    assert agree(asked(linked(TIMETABLE), "fewest moves until size(around(here)) < 4"), 0) == 0


@pytest.mark.campaign
@pytest.mark.parametrize("make", [crabs, *INSTANCES], ids=lambda make: make.__name__)
def test_answers_are_those_of_plain_search(make: Instance) -> None:
    used = [agree(make(random.Random(f"{make.__name__} {seed}")), (0, 5, 40)[seed % 3]) for seed in range(60)]
    print(make.__name__, sum(map(bool, used)), "with automorphisms")


def test_some_answers_are_those_of_plain_search() -> None:
    for seed in range(6):
        agree(lamps(random.Random(f"lamps {seed}")), (0, 5)[seed % 2])
    used = [agree(position, 3) for position in crab_positions(range(5))]
    assert any(used)


def test_fewer_states_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    position = lamps(random.Random("lamps 5"))
    plain, fewer = (answered(position, begin, is_informed=False) for begin in (1 << 30, 0))
    assert plain[0] == fewer[0] and 1.5 * fewer[1] < plain[1], (plain, fewer)
    assert (plain[2], fewer[2]) == (0, 7)
    assert answered(position, 4, 0.9)[2] == 0  # that is not worth it


def check_hashes(position: Position, number: int, rng: random.Random) -> int:
    """Hold the hashes of orbits against the images of states; gives how many orbits there were."""
    assert position.question is not None
    engine = position.asked
    problem = ShortestPlanProblem(engine, position.state, position.question)
    kernel = CostGame(problem)
    machine = kernel.compiled.machine(kernel.compiled.program(as_python))
    own, state = kernel.orbits(kernel.automorphisms), position.root
    pool, mapping, kept = kernel.layout.states(1), 0, frozenset[object]()
    by_hash: dict[tuple[int, int], object] = {}
    for _ in range(number):
        images = frozenset(problem.key(one) for one in (state, *(mapped(engine, state, a) for a in kernel.automorphisms)))
        for one in (state, *(mapped(engine, state, automorphism) for automorphism in kernel.automorphisms)):
            machine.load(one)
            orbits.identify(own, machine.memory)
            known = by_hash.setdefault((own.hash, own.other_hash), images)
            assert known == images, "not the orbit"
            if kept:
                is_same = is_same_orbit(own, machine.memory, pool, 0, mapping)
                assert is_same == (kept == images), "not compared as orbits"
            if not kept or rng.random() < 0.1:
                pack(pool, machine.memory)
                keep(pool, 0)
                kept, mapping = images, own.mapping
        moves = [] if engine.over(state) else engine.legal(state)
        state = engine.apply(state, rng.choice(moves)) if moves else position.root
    assert len(set(by_hash.values())) == len(by_hash), "an orbit has several hashes"
    return len(by_hash)


MOVING = {"until": UNTIL[0], "right": RIGHT[0], "dug": DUG[0], "spread": SPREAD[0], "worth": "1", "near": NEAR[0]}
"""Rules that respect all symmetries of the board."""


def test_images_have_the_hashes_of_their_orbits() -> None:
    position = crabs(random.Random(1), **MOVING, size="3 x 3", scout=SCOUT[1])
    assert check_hashes(position, 20, random.Random(1)) > 5


MAPPED_SLOTS = orbits._mapped_slots
FAULTS: dict[str, tuple[object, str, Callable[..., object], dict[str, str]]] = {
    "constants are not looked at": (Equivariance, "_is_constant_alike", lambda self, name: True, {"right": "c != home"}),
    "cells with names are not": (Equivariance, "_image", lambda self, type, value: value, {"right": "c != cell(0, 1)"}),
    "coordinates may say anything": (Equivariance, "_by_table", lambda self, term: True, {"right": "column(c) > 0"}),
    "a loop may come in any order": (
        Equivariance,
        "_is_in_any_order",
        lambda self, binder, body: True,
        {"spread": "beach", "dug": "some m in around(n): dug of m"},
    ),
    "only some names are tried": (
        state_symmetries,
        "product",
        lambda *domains: zip(*domains, strict=False),
        {"right": "every m in around(c): column(m) >= column(c) or dug of m"},
    ),
    "slots go elsewhere": (
        orbits,
        "_mapped_slots",
        lambda *given: {slot: (target ^ 1, images) for slot, (target, images) in MAPPED_SLOTS(*given).items()},
        {},
    ),
    "values stay": (
        orbits,
        "_mapped_slots",
        lambda *given: {slot: (target, ()) for slot, (target, _) in MAPPED_SLOTS(*given).items()},
        {},
    ),
    "orbits are too large": (orbits, "wrap", lambda word: word & 15, {}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty, fixed = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises(AssertionError):
        for seed in range(4):
            position = crabs(random.Random(f"fault {seed}"), **{**MOVING, "size": "3 x 3", "scout": SCOUT[0], **fixed})
            check_plays(position, 20, random.Random(seed))
            check_hashes(position, 20, random.Random(seed))


def test_edges_are_not_turned_while_the_dots_stay() -> None:
    """The table of edges by dot and direction is one by numbers: nothing but its cells would be mapped."""
    assert not found_in(asked(shipped("classics.dots_and_boxes"), "fewest moves until closed((0,0))"))
