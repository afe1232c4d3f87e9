"""Turned tiles: the search, CP-SAT and every line of play agree, and no bound is too low."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import linked
from tests.solver.asking import greatest_score, most
from tests.solver.cpsat.running import run, worth

ROADS = """
module roads:
    "Roads are joined; what is joined on all sides counts."

terrain grass, road

space land: {shape} of turned tiles

tiles roads:
    bend   x3    road N E
    spur   x2    road N
    fork   x2    road N E S

state:
    bag:  set of tiles
    line: pile of tiles

action lay(tile in bag, {cells}, q in 0..3):
    require vacant: not occupied(to)
    require beside: some n in around(to): occupied(n)
    require matching: every n in around(to) where occupied(n): side(n, n -> to) = side(tile, turn(to -> n, -q))
    effect place: put tile at to turned q
    effect next: deal 1 from line to bag

define closed(c) = occupied(c) and every d in {{N, E, S, W}} where side(c, d) = road: occupied(step(c, d))

flow:
    repeat: choose lay

score closed: sum (if at(c) = fork then 3 else 2) for c in land where closed(c)
"""
POSITION = """
puzzle here:
    rules roads
    land:
        {first}  .  .
        .        .  {second}
    bag: {bag}
    line: {line}
"""


def positions(shape: str) -> list[tuple[Game, Engine, State]]:
    cells = "to in land" if shape[-1].isdigit() else "near in land where occupied(near), to in around(near)"
    game, rng, found = linked(ROADS.format(shape=shape, cells=cells)), random.Random(5), []
    for _ in range(2):
        tiles = ["bend"] * 3 + ["spur"] * 2 + ["fork"] * 2
        rng.shuffle(tiles)
        first, second = f"{tiles[0]}/{rng.randrange(4)}", f"{tiles[1]}/{rng.randrange(4)}"
        text = POSITION.format(first=first, second=second, bag=", ".join(tiles[2:4]), line=tiles[4])
        position = set_up_position(parse_puzzle(text, "here"), game)
        found.append((game, position.engine, position.state))
    return found


def greatest(engine: Engine, state: State, known: dict[State, int]) -> int:
    """By every line of play."""
    if state not in known:
        moves = [] if engine.over(state) else engine.legal(state)
        following = [greatest(engine, engine.apply(state, move), known) for move in moves]
        known[state] = max(following) if following else engine.score(state)
    return known[state]


@pytest.mark.parametrize("shape", ["square grid 3 x 2", "square grid"])
def test_every_engine_finds_the_greatest(shape: str) -> None:
    for game, engine, state in positions(shape):
        best = greatest(engine, state, {})
        assert most(engine, state, game).score == best
        if shape == "square grid":
            continue
        question = greatest_score(game)
        found = run(ModelKind.UNROLLED, engine, state, question)
        assert (found.status, found.value) == ("optimal", best)
        assert found.plan is not None
        assert worth(engine, state, question, found.plan) == best
        last = run(ModelKind.FINAL_BOARD, engine, state, question)
        assert last.status == "unsupported" or (last.value is not None and last.value >= best)
