"""The classics parse, link, and are played to the end in both readings; every rule says in a sentence what it is."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree import modules
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.games.classics.tables import NAMES, table

FILES = sorted((SHIPPED / "classics").glob("*.rules"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_games_end_and_both_readings_agree(name: str, seed: int) -> None:
    engine = table(name).engine
    reference, rng = ReferenceEngine(engine), random.Random(seed)
    state = engine.start(seed)
    assert state == reference.start(seed)
    for number in range(2_000):
        moves = engine.legal(state)
        if number < 60:
            assert moves == reference.legal(state)
            assert engine.score(state) == reference.score(state)
            assert not table(name).holds(state)
        if engine.over(state):
            break
        move = rng.choice(moves)
        if number < 60:
            assert reference.apply(state, move) == engine.apply(state, move)
        state = engine.apply(state, move)
    assert engine.over(state)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read(name: str) -> None:
    engine, rng = table(name).engine, random.Random(1)
    state = engine.start()
    for _ in range(10):
        if engine.over(state):
            break
        moves = engine.legal(state)
        texts = [format_move(engine, state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        assert [parse_move(engine, state, text) for text in texts] == moves
        state = engine.apply(state, rng.choice(moves))


def test_notations() -> None:
    shown = {}
    for name in NAMES:
        engine = table(name).engine
        state = engine.start()
        shown[name] = [format_move(engine, state, move) for move in engine.legal(state)]
    assert shown["peg_solitaire"] == ["jump (3,1) south", "jump (1,3) east", "jump (5,3) west", "jump (3,5) north"]
    assert shown["triangle_solitaire"] == ["jump (1,2) north_east", "jump (3,2) north_west"]
    assert shown["sokoban"] == ["move north", "move east", "move south"]
    assert shown["sliding"] == shown["fifteen"] == ["slide north", "slide west"]
    assert shown["lights_out"][:6] == [*(f"press ({x},0)" for x in range(5)), "press (0,1)"]
    assert len(shown["lights_out"]) == 25


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_rule_has_a_sentence(path: object) -> None:
    module = parse_module(path.read_text(encoding="utf-8"), "text")  # type: ignore[attr-defined]
    assert module.header.text.endswith(".")
    for item in module.items:
        if isinstance(item, modules.Define | modules.Action | modules.Procedure):
            assert item.text.endswith((".", "?")), item.name
        if isinstance(item, modules.Action):
            assert all(requirement.message for requirement in item.requirements), item.name


CORNERS = """
module corners:
    "A parameter with a condition that reads the board, then one that ranges over directions."
space board: square grid 3 x 3 of tiles
tiles pieces:
    man x2
procedure set_up:
    lay: for c in board where row(c) = 0 and column(c) < 2: put man at c from box
action walk(man_at in board where at(man_at) = man, way in directions(board)):
    require free: step(man_at, way) in board and not occupied(step(man_at, way))
    effect go: slide man_at to step(man_at, way)
flow:
    set_up
    turn: choose walk
score men: 0
"""


def test_a_condition_on_the_outer_of_two_independent_parameters() -> None:
    engine = Engine.of(link({"corners": parse_module(CORNERS, "text")}, ["corners"]), 1)
    state = engine.start()
    assert engine.legal(state) == ReferenceEngine(engine).legal(state) == [(0, 0, 2), (0, 1, 1), (0, 1, 2)]
