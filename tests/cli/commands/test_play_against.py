"""Playing against the computer: its moves are shown, and games with it are taken back, saved and replayed as any."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.api.start import best_question
from rulewright.cli.names import named
from rulewright.cli.playing.game_session import GameSession
from rulewright.cli.playing.opponents import Opponents
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.rules.play.engine import Engine
from tests.rules.playing import shipped
from tests.solver.best_play import best_play_value

NOUGHTS = ("play", "classics.noughts_and_crosses", "--seed", "1", "--against")


CORNER = """puzzle corner:
    rules classics.noughts_and_crosses
    players 2

    board:
        cross  cross   .
        .      nought  .
        .      .       .
    box: rest
    start: choice_1 of 2

    ask: win for 2
"""


def game_of(name: str) -> GameSession:
    return GameSession(named(name).start(2, 1))


@pytest.mark.parametrize("player", [1, 2])
def test_best_play_gives_nothing_away(player: int) -> None:
    game, rng = game_of("classics.noughts_and_crosses"), random.Random(player)
    for square in ("place (1,1)", "place (0,0)", "place (2,1)"):  # all draws still
        game.take(square)
    opponents = Opponents.named("best", game, player, 20, 1)
    engine, computer = game.engine, 3 - player
    question = best_question(engine, computer)
    value = engine.compile_value(question.values[0])
    before = best_play_value(engine, game.state, computer, value)
    assert before == 0
    while not engine.over(game.state):
        for reply in opponents.replies():
            assert reply.ply.player == computer
            assert reply.remark.endswith(", with best play")
            after = best_play_value(engine, reply.ply.state, computer, value)
            assert after is not None and after >= before
        if not engine.over(game.state):
            game.take(str(rng.randint(1, len(game.legal))))
            before = best_play_value(engine, game.state, computer, value)


def test_without_time_a_policy_plays_and_that_is_said() -> None:
    game = game_of("classics.connect_four")
    (reply,) = Opponents.named("best", game, 2, 0.0, 1).replies()
    assert reply.remark == "best play not found in 0 s: chosen by search(2)"


def test_what_is_played_for() -> None:
    assert best_question(Engine.of(shipped("classics.worker_placement"), 2), 2).goal is Goal.WIN
    cooperative = best_question(Engine.of(shipped("beacon_patrol"), 2), 2)
    assert (cooperative.goal, cooperative.others) == (Goal.MAXIMISE, Others.TOGETHER)


def test_the_moves_of_the_computer_are_shown_and_taken_back(call):
    done = call(*NOUGHTS, "greedy", typed="1\n1\nundo 0\nundo\nundo\nundo\nplace (2,2)\nsave one\n")
    assert done.status == 0
    assert done.out.count("player 2  place") == 3
    assert done.out.count("nothing to take back") == 2
    saved = Path("one.play").read_text()
    assert "1: place (2,2) = 0\n    2: place" in saved
    assert call("replay", "one.play").status == 0


def test_the_computer_begins_and_replies_alike_for_a_seed(call):
    def played():
        document = call(*NOUGHTS, "greedy", "--player", "2", "--json", typed="1\n1\n").json
        return [(action["player"], action["text"]) for action in document["actions"]]

    actions = played()
    assert [player for player, _ in actions] == [1, 2, 1, 2, 1]
    assert played() == actions


def test_a_hint_is_for_the_player_and_not_for_both(call):
    """The cross has two in a row: to stop it is the only move that does not lose."""
    Path("corner.puzzle").write_text(CORNER)
    done = call("play", "corner.puzzle", "--against", "best", "--player", "2", typed="hint\n")
    assert "place (2,0)" in done.out.partition("hint")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("classics.sokoban", "--against", "greedy"), "a game of one player has no opponents"),
        (("classics.noughts_and_crosses", "--against", "clever"), "there is no policy `clever`"),
        (("classics.noughts_and_crosses", "--against", "best", "--player", "3"), "there is no player 3"),
    ],
)
def test_games_that_cannot_begin(arguments, message, call):
    done = call("play", *arguments, typed="")
    assert done.status == 2
    assert message in done.err


def test_a_function_of_the_user_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots_that_play.py").write_text("def last(state):\n    return state.legal[-1]\n")
    monkeypatch.chdir(tmp_path)
    game = game_of("classics.noughts_and_crosses")
    opponents = Opponents.named("bots_that_play:last", game, 1, 20, 1)
    game.take("place (0,0)")
    assert [reply.ply.text for reply in opponents.replies()] == ["place (2,2)"]
