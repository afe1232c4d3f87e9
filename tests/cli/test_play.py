"""Playing over a pipe, saving and replaying."""

from __future__ import annotations

from pathlib import Path

SCRIPT = """\
help
why lay bay north
lay plain south   # the first action
2
undo 2
score
lay plain south
save voyage
quit
lay bay south
"""


def test_a_game_over_a_pipe(call, snapshot):
    done = call("play", "narrows", typed=SCRIPT)
    assert done.status == 0
    assert done.err == ""
    assert done.out == snapshot
    assert Path("voyage.play").read_text() == "play voyage:\n    from narrows\n\n    1: lay plain south = 5\n"


def test_the_end_of_the_input_ends_the_game(call):
    done = call("play", "narrows", typed="")
    assert done.status == 0
    assert done.out.endswith("score 4 so far  Deckhands\n")
    assert "> " not in done.out.replace("> player", "")


def test_mistakes_are_said_and_the_game_goes_on(call):
    typed = "lay bay north\nfly\n99\nundo\nsave no/where/game\nwhy fly\n1\n"
    done = call("play", "narrows", typed=typed)
    assert done.status == 0
    for said in ("is not legal here", "there is no action `fly`", "there is no action 99", "nothing to take back"):
        assert said in done.out
    assert "there is no folder" in done.out
    assert "score 5 so far" in done.out


def test_a_puzzle_ends_where_its_question_does_and_can_be_taken_back(call):
    done = call("play", "narrows", typed="lay plain south\nlay twins west\nlay bay south\n1\nundo\nlay plain east\n")
    assert "the game is over" in done.out
    assert "there is no action 1" in done.out
    assert done.status == 0


def test_a_game_from_its_set_up_is_the_same_for_a_seed(call):
    first = call("play", "shoals", "--players", "2", "--seed", "5", typed="1\n1\n")
    assert "> player 1" in first.out
    assert "> player 2" in first.out
    assert call("play", "shoals", "--players", "2", "--seed", "5", typed="1\n1\n") == first
    other = call("play", "shoals", "--players", "2", "--seed", "6", typed="1\n1\n")
    assert other.out != first.out


def test_a_hand_of_another_player_is_not_shown(call):
    done = call("show", "narrows")
    assert "twins" not in done.out
    assert "1 tile, owner only" in done.out


def test_saved_games_replay(call):
    call("play", "shoals", "--players", "2", "--seed", "5", typed="1\n1\n1\nsave one\n")
    assert "seed 5" in Path("one.play").read_text()
    done = call("replay", "one.play")
    assert done.status == 0
    assert "legal: 3 actions" in done.out
    call("play", "./narrows.puzzle", typed="1\nsave two.play\n")
    assert call("replay", "two.play", "--json").json["legal"] is True
    call("play", "narrows", typed="save three.play\n")
    assert call("replay", "three.play", "--json").json["actions"] == []


def test_play_with_json_stops_at_a_mistake(call):
    assert call("play", "narrows", "--json", typed="lay bay south\n").json["actions"] == [
        {"player": 1, "text": "lay bay south", "score": 6}
    ]
    done = call("play", "narrows", "--json", typed="lay bay north\n")
    assert done.status == 2
    assert done.json["errors"][0]["code"] == "RW352"


def test_an_illegal_game_says_where_and_why(call, snapshot):
    Path("bad.play").write_text("play bad:\n    from narrows\n\n    1: lay plain south\n    2: lay bay south\n")
    done = call("replay", "bad.play")
    assert done.status == 1
    assert done.out == "not legal: action 2\n"
    assert done.err == snapshot
    document = call("replay", "bad.play", "--json").json
    assert (document["legal"], document["action"]) == (False, 2)
    assert document["errors"][0]["line"] == 5


def test_an_interrupt_ends_the_game_with_its_score(call, monkeypatch):
    from rulewright.cli import play

    def typed(_):
        yield "lay plain south"
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "_lines_read", typed)
    done = call("play", "narrows")
    assert done.status == 130
    assert done.out.endswith("score 5 so far  Deckhands\n")
