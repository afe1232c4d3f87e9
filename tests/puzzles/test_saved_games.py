"""Saved games: read, written, replayed."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.base.spans import NO_SPAN
from rulewright.puzzles.plan_replay import PlanError, replay
from rulewright.puzzles.saved_games import (
    SavedGame,
    begin_saved_game,
    parse_saved_game,
    recorded_actions,
    replay_saved_game,
    write_saved_game,
)
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from tests.puzzles.positions import CATALOGUE, PROJECT, SEA
from tests.rules.playing import linked

HEAD = "play first_voyage:\n    rules beacon_patrol\n    players 1\n    seed 7\n\n"


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_whole_games_are_saved_and_verified(players: int) -> None:
    rng = random.Random(players)
    engine = Engine.of(PROJECT.load(SEA), players)
    start = state = engine.start(11)
    actions = []
    while not engine.over(state):
        move = rng.choice(engine.legal(state))
        actions.append(format_move(engine, state, move))
        state = engine.apply(state, move)
    steps = replay(engine, start, actions)
    play = SavedGame("again", ((SEA, NO_SPAN),), players, 11, actions=recorded_actions(steps), text="A voyage.")
    text = write_saved_game(play)
    again = parse_saved_game(text, "again.play")
    assert again == play and write_saved_game(again) == text
    assert replay_saved_game(again, *begin_saved_game(again, CATALOGUE))[-1].state == state
    assert any(action.score is not None for action in again.actions)


RICHES = """
module riches:
    "Numbers of many digits."

players 1
state:
    n: 1..99

flow:
    for player in players: repeat: choose more

action more:
    require room: n < 99 else "enough"
    effect grow: n += 1

define square(a) = a * a
score money: 0 - square(square(square(square(square(n)))))
"""


def test_scores_of_any_length_are_saved_and_verified() -> None:
    engine = Engine.of(linked(RICHES), 1)
    steps = replay(engine, engine.start(0), ["more"] * 98)
    assert steps[-1].score == -(99**32)
    play = SavedGame("again", (("riches", NO_SPAN),), 1, 0, actions=recorded_actions(steps))
    again = parse_saved_game(write_saved_game(play), "again.play")
    assert again == play
    assert replay_saved_game(again, engine, engine.start(0)) == steps


def test_a_game_goes_on_from_a_puzzle() -> None:
    play = parse_saved_game(
        "play on:\n    from begin_k06_s1   # a puzzle\n\n    1: place open north = 0\n    1: stop\n", "on.play"
    )
    assert play.begun == "begin_k06_s1" and [action.score for action in play.actions] == [0, None]
    assert len(replay_saved_game(play, *begin_saved_game(play, CATALOGUE))) == 2
    assert parse_saved_game(write_saved_game(play), "on.play") == play


@pytest.mark.parametrize(
    ("code", "text", "place"),
    [
        ("RW340", "", (1, 1)),
        ("RW340", "# nothing\n", (1, 1)),
        ("RW340", "\nrules beacon_patrol\n", (2, 1)),
        ("RW341", HEAD + "    stop\n", (6, 5)),
        ("RW341", HEAD + "    1: stop\n    rules beacon_patrol\n", (7, 5)),
        ("RW341", HEAD + "1: stop\n", (6, 1)),
        ("RW341", HEAD + "    1: stop = much\n", (6, 5)),
        ("RW342", "play x:\n    players 1\n", (1, 1)),
        ("RW342", "play x:\n    rules beacon_patrol\n", (1, 1)),
        ("RW343", HEAD + "    seed 8\n", (6, 5)),
        ("RW343", "play x:\n    from here\n    seed 8\n", (3, 5)),
        ("RW001", HEAD + "\t1: stop\n", (6, 1)),
    ],
)
def test_flaw_of_the_text(code: str, text: str, place: tuple[int, int]) -> None:
    with pytest.raises(RulesError) as caught:
        parse_saved_game(text, "x.play")
    found = caught.value.diagnostics[0]
    assert (found.code, found.span and (found.span.line, found.span.column)) == (code, place)
    assert found.help


@pytest.mark.parametrize(
    ("code", "action", "index"),
    [
        ("RW344", "2: stop", 0),
        ("RW345", "1: stop = 12", 0),
        ("RW335", "1: stop\n    1: sail north", 1),
        ("RW350", "1: stop\n    1: dive", 1),
    ],
)
def test_flaw_of_the_record(code: str, action: str, index: int) -> None:
    play = parse_saved_game(HEAD + f"    {action}\n", "x.play")
    with pytest.raises(PlanError) as caught:
        replay_saved_game(play, *begin_saved_game(play, CATALOGUE))
    found = caught.value.diagnostics[0]
    assert (caught.value.index, found.code) == (index, code)
    assert found.span is not None and found.span.line == 6 + index


def test_a_puzzle_that_is_not_there() -> None:
    play = parse_saved_game("play on:\n    from begin_k06\n", "on.play")
    with pytest.raises(RulesError) as caught:
        begin_saved_game(play, CATALOGUE)
    assert caught.value.diagnostics[0].code == "RW346"
    assert caught.value.diagnostics[0].span is not None
