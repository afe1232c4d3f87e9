"""Playing over a pipe, saving and replaying."""

from __future__ import annotations

import json
from pathlib import Path

from attrs import evolve

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
    for said in ("is not a legal move here", "there is no action `fly`", "there is no action 99", "nothing to take back"):
        assert said in done.out
    assert "there is no folder" in done.out
    assert "score 5 so far" in done.out


def test_a_turn_of_several_actions_on_one_line(call):
    done = call("play", "kalah_chain", typed="sow (3,1), sow (2,1), 1\nsow (0,1), sow (0,1)\nbranches\n")
    assert "sow (0,1)` is not a legal move here" in done.out
    assert "3* sow (0,1)" in done.out and "\n4" not in done.out.rpartition("the start")[2]  # nothing of the line that failed
    gone = call("play", "classics.hex", typed="a1, b1\nbranches\n")
    assert "the turn is over before `b1`" in gone.out and "0* the start" in gone.out


def test_a_turn_written_as_one_move(call):
    done = call("play", "amazons_last", typed="e4-e10xb8\ne4-e10xb10\nbranches\n")
    assert "`xb8` is not a legal move here" in done.out
    gone = call("play", "amazons_last", typed="e4-e55\n").out  # `5` does not go on from e4-e5
    assert "`e55` is not a cell of board" in gone
    solved = call("solve", "amazons_last").out
    assert "1  player 1  e4-e10xb10\n" in solved


def test_a_puzzle_ends_where_its_question_does_and_can_be_taken_back(call):
    done = call("play", "narrows", typed="lay plain south\nlay twins west\nlay bay south\n1\nundo\nlay plain east\n")
    assert "the question is over, after 3 turns" in done.out
    assert "the game is over" not in done.out
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
    from rulewright.cli.commands import play

    def typed(_):
        yield "lay plain south"
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "_lines_read", typed)
    done = call("play", "narrows")
    assert done.status == 130
    assert done.out.endswith("score 5 so far  Deckhands\n")


def test_a_question_mark_lists_the_words_and_the_actions(call):
    done = call("play", "narrows", typed="?\n")
    told = done.out.partition("1 lay plain south")[2]
    for said in ("undo [NUMBER]", "why ACTION", "save FILE", "hint", "quit", "1 lay plain south"):
        assert said in told
    assert call("play", "narrows", typed="help\n") == done


def test_mistakes_point_to_the_question_mark(call):
    rows = call("play", "narrows", typed="fly\n99\nsave no/where/game\n").out.splitlines()
    assert [row for row in rows if row.endswith("type `?` for help")] == rows[-4:-1]


def hints(call, *typed: str) -> list[str]:
    """The lines that begin with `hint`, each with the number of an action and the action."""
    return [row for row in call("play", "narrows", typed="\n".join(typed)).out.splitlines() if row.startswith("hint  ")]


def test_hints_lead_to_the_optimum_one_action_at_a_time(call):
    typed: list[str] = []
    for _ in range(3):
        (hint,) = hints(call, *typed, "hint")
        assert "not proved" not in hint
        typed.append(hint.split()[1])
    done = call("play", "narrows", typed="\n".join([*typed, "hint"]))
    assert "is over, after 3 turns  `undo` takes back the last action" in done.out
    assert "score 8 at the end" in done.out


def test_a_hint_is_for_the_state_to_which_the_player_has_come(call):
    """Of the three actions left here only one scores."""
    assert hints(call, "1", "1", "hint", "undo", "hint") == ["hint  3 lay bay south", "hint  1 lay twins west"]


def test_a_hint_tells_when_it_knows_more_than_the_player(call):
    told = call("play", "narrows", typed="hint\n").out
    assert "the plan uses information that is hidden from the players" in told
    assert "twins" not in told
    assert "hidden" not in call("play", "towers_built", typed="hint\n").out


def test_a_hint_says_what_it_does_not_know(call, monkeypatch):
    from rulewright.solver.result import Result, Status
    from rulewright.studies import verified_plan

    found = verified_plan.answer
    monkeypatch.setattr(verified_plan, "answer", lambda *rest: evolve(found(*rest), status=Status.FEASIBLE))
    assert "(not proved to be best)" in call("play", "narrows", typed="hint\n").out
    monkeypatch.setattr(verified_plan, "answer", lambda *_: Result(Status.UNKNOWN, None, None, (), 0, 0.0))
    assert "no plan was found in time: take an action and ask again" in call("play", "narrows", typed="hint\n").out


def test_a_hint_that_is_interrupted_lets_the_game_go_on(call, monkeypatch):
    from rulewright.solver.answer import portfolio

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(portfolio, "_answer", interrupted)
    done = call("play", "narrows", typed="hint\n1\n")
    assert "no plan was found in time" in done.out and "so far" in done.out
    assert done.status == 0


def test_a_hint_where_nothing_can_be_reached_and_where_nothing_is_asked(call, folder):
    assert "the goal cannot be reached from here" in call("play", "too_far", typed="hint\n").out
    assert "hint  " in call("play", "mute", typed="hint\n").out
    (folder / "idle.rules").write_text(IDLE)
    assert "there is nothing to optimise" in call("play", "idle", typed="hint\n").out


IDLE = """\
module idle:

space field: square grid 2 x 2

state:
    gone: truth

action go:
    effect leave: gone := yes

flow:
    repeat until gone:
        turn:
            choose go
"""


HISTORY = """\
lay plain south
history hand
history nothing_such
history
history (0,1)
save voyage
"""


def test_what_wrote_a_value_is_asked_in_play_and_of_the_saved_game(call):
    done = call("play", "narrows", typed=HISTORY)
    assert done.status == 0
    for said in ("hand of 1", "loses 1", "lay.lay", ".rules:", "2 changes of `hand`", "write it as `history NAME`"):
        assert said in done.out
    assert "there is no variable, zone or cell `nothing_such`" in done.out
    replayed = call("replay", "voyage.play", "--history", "hand")
    assert replayed.status == 0 and "   1  player 1  lay plain south\n" in replayed.out
    assert "loses plain" in replayed.out, "a replay shows what a player in the middle of a game must not see"
    found = json.loads(call("replay", "voyage.play", "--history", "hand", "--json").out)
    assert found["history"] == "hand"
    change, _ = found["changes"]
    assert (change["ply"], change["player"], change["action"]) == (1, 1, "lay plain south")
    assert (change["value"], change["clause"]) == ("hand of 1", "lay.lay")
    text = Path(change["file"]).read_text().split("\n")[change["line"] - 1]
    assert text.strip().startswith("effect lay:")
    wrong = call("replay", "voyage.play", "--history", "hands")
    assert wrong.status == 2 and "did you mean `hand`?" in wrong.err
