"""States as text and back, through whole games."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.play.engine import Engine
from tests.puzzles.positions import PROJECT, SEA, game_of, read_state, without_chance, written

CHANCY = """\
module here:
    "A deck that is shuffled in every turn, with every kind of variable."

players 2..3
enum colour: red, green, blue
space board: square grid 4 x 3 of tiles
space track: ring 5

tiles deck:
    ace  x13
    king x2

state:
    deck:              pile of tiles, face down
    hand of player:    set of tiles
    heap of colour:    pile of tiles
    lit of board:      truth
    dark of board:     truth = yes
    height of board:   0..7
    seen of board:     colour
    marker of player:  cell of board
    walker:            cell of track
    facing:            direction of board
    trump:             colour
    shown:             tile
    leader:            player
    count_down:        -9..9 = 9

action draw(tile in deck, c in board where not occupied(c)):
    effect mix: shuffle deck
    effect lay: put tile at c
    effect mark: lit of c := yes
    effect shade: dark of c := no
    effect raise: height of c := 5
    effect see: seen of c := blue
    effect stand: marker of player := c
    effect point: facing := south
    effect choose: trump := green
    effect show: shown := tile
    effect lead: leader := player
    effect fall: count_down := count_down - 1

procedure set_up:
    fill: move all box to deck
    give: for p in players: deal 1 from deck to hand of p
    put_by: deal 1 from deck to heap of green

flow:
    set_up
    for round in {1, 2}:
        for player in players:
            turn:
                choose draw, or stop
                choose draw, or stop
        choose draw

score lights: count c in board where lit of c
"""


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_games_at_sea(players: int) -> None:
    rng = random.Random(players)
    engine = Engine.of(PROJECT.load(SEA), players)
    for seed in range(3):
        state = engine.start(seed)
        for turn in range(400):
            if turn % 9 == 0 or engine.over(state):
                text = written(engine, state)
                assert read_state(engine, text, "again") == without_chance(state)
                again = set_up_position(parse_puzzle(text, "again"), engine.game)
                assert written(again.engine, again.state) == text
            if engine.over(state):
                break
            state = engine.apply(state, rng.choice(engine.legal(state)))
        assert engine.over(state)


@pytest.mark.parametrize("players", [2, 3])
def test_every_kind_of_variable_and_the_state_of_chance(players: int) -> None:
    rng = random.Random(players)
    engine = Engine.of(game_of(CHANCY), players)
    starts = set()
    for seed in range(12):
        state = engine.start(seed)
        while True:
            text = written(engine, state)
            assert read_state(engine, text, "again") == state
            starts.add(text[text.index("start: ") :])
            if engine.over(state):
                break
            state = engine.apply(state, rng.choice(engine.legal(state)))
    for start in ("turn of 2", "turn_2 of 1", "choice_3 of", "over of"):
        assert any(line.startswith(f"start: {start}") for line in starts)


def test_a_long_list_is_continued() -> None:
    engine = Engine.of(PROJECT.load(SEA), 1)
    text = written(engine, engine.start(3))
    assert max(map(len, text.splitlines())) <= 120
    assert "\n            " in text or "\n        " in text


def test_what_has_its_usual_value_is_left_out() -> None:
    engine = Engine.of(PROJECT.load(SEA), 1)
    text = written(engine, engine.start(3))
    assert not any(name in text for name in ("swapped", "dealt", "kept", "discarded", "box", "seed", "origin"))
