"""Sets assigned whole, given to procedures and kept under names: the garden, held against plain Python sets."""

from __future__ import annotations

from functools import cache

from attrs import evolve, frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.play.engine import Engine
from tests.perft import perft
from tests.rules.playing import own_module, play_in_step
from tests.solver.asking import searched

BED = frozenset((x, y) for x in range(3) for y in range(3))
HERBS = (0, 1, 2)
MINT = 0


@frozen
class Garden:
    """`known` and `tended` by gardener."""

    mover: int = 0
    alive: frozenset = frozenset({(0, 1), (1, 1), (2, 1), (1, 2)})
    tended: tuple = (frozenset(), frozenset())
    known: tuple = (frozenset({0, 1}), frozenset({2}))
    leader: int = 0


def around(cell: tuple) -> frozenset:
    x, y = cell
    return frozenset((a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if (a, b) != cell) & BED


def grown(alive: frozenset, part: frozenset) -> frozenset:
    counts = {cell: len(around(cell) & alive) for cell in part}
    return (alive - part) | {c for c, n in counts.items() if n == 3 or (n == 2 and c in alive)}


def put(whole: tuple, at: int, new: object) -> tuple:
    return (*whole[:at], new, *whole[at + 1 :])


def following(here: Garden) -> list[Garden]:
    me, you = here.mover, 1 - here.mover
    found = []
    for cell in BED - here.alive:
        alive = grown(here.alive | {cell}, around(cell) | {cell})
        found.append(evolve(here, alive=alive, tended=put(here.tended, me, (here.tended[me] | around(cell)) - alive)))
    for cell in here.alive:
        alive = grown(here.alive - {cell}, here.alive)
        found.append(evolve(here, alive=alive, tended=put(here.tended, me, here.alive - alive)))
    if here.known[me] != here.known[you]:
        found.append(evolve(here, known=here.known[::-1], leader=me))
    richest = 0 if len(here.known[0]) >= len(here.known[1]) else 1
    for herb in HERBS:
        knows = here.known[richest]
        found.append(evolve(here, known=put(here.known, richest, frozenset() if herb in knows else knows | {herb})))
    return [evolve(after, mover=you) for after in found]


@cache
def lines(here: Garden, depth: int) -> int:
    return 1 if depth == 0 else sum(lines(after, depth - 1) for after in following(here))


@cache
def best(here: Garden, depth: int) -> int:
    if depth:
        return max(best(after, depth - 1) for after in following(here))
    tended = sum(len(beds) * (2 if MINT in known else 1) for beds, known in zip(here.tended, here.known, strict=True))
    return 10 * len(here.alive) + tended + 3 * len(here.known[0]) + 5 * (here.leader == 1)


def test_the_lines_of_play_are_those_of_the_model() -> None:
    engine = Engine.of(own_module("gardens"), 2)
    assert [perft(engine, engine.start(0), depth) for depth in range(4)] == [lines(Garden(), depth) for depth in range(4)]


def test_the_best_line_is_that_of_the_model() -> None:
    text = "puzzle p:\n    rules gardens\n    players 2\n    ask: maximise score for 3 turns\n"
    position = set_up_position(parse_puzzle(text, "p"), own_module("gardens"))
    assert position.question is not None
    assert searched(position.asked, position.state, position.question).score == best(Garden(), 3)


def test_every_reading_plays_alike() -> None:
    engine = Engine.of(own_module("gardens"), 2)
    for seed in range(8):
        assert len(list(play_in_step(engine, seed))) == 5
