"""States of the library: immutable, comparable, with reasons, in step with the engine."""

from __future__ import annotations

import pickle
import random
from copy import deepcopy

import pytest

import rulewright as rw
from rulewright.puzzles.plan_replay import replay


def test_play_is_that_of_the_engine() -> None:
    dice, state, texts = random.Random(3), rw.load_game("penguin_pirates", seed=5).start, list[str]()
    start = state
    while not state.is_over and len(texts) < 40:
        action = dice.choice(state.legal)
        texts.append(str(action))
        assert action.player == state.player
        state = state.play(action)
    plies = replay(start.engine, start.columns, texts)
    assert plies[-1].state == state.columns
    assert plies[-1].score == state.score
    assert state == _played(start, texts)


def _played(state: rw.State, texts: list[str]) -> rw.State:
    for text in texts:
        state = state.play(text)
    return state


def test_states_are_equal_however_they_were_reached() -> None:
    start = rw.load_game("classics.noughts_and_crosses").start
    one = _played(start, ["place (0,0)", "place (1,1)", "place (2,2)"])
    other = _played(start, ["place (2,2)", "place (1,1)", "place (0,0)"])
    assert one == other and hash(one) == hash(other) and one is not other
    assert one != start and len({one, other, start}) == 2
    assert one != rw.load_game("classics.noughts_and_crosses").start  # another game, if of the same rules
    assert deepcopy(one) is one


def test_an_action_of_an_equal_state_is_the_same() -> None:
    start = rw.load_game("classics.noughts_and_crosses").start
    action = start.legal[4]
    assert str(action) == "place (1,1)" and action.name == "place" and action.arguments == {"square": "(1,1)"}
    later = start.play("place (0,0)")
    assert action in later.legal and later.play(action) == later.play("place (1,1)")
    with pytest.raises(rw.RulesError, match="the square is marked already"):
        start.play(action).play(action)


@pytest.mark.parametrize(("text", "code"), [("place (0,0)", "RW352"), ("plaice (0,1)", "RW350"), ("place nowhere", "RW351")])
def test_what_is_not_legal_says_why(text: str, code: str) -> None:
    state = rw.load_game("classics.noughts_and_crosses").start.play("place (0,0)")
    with pytest.raises(rw.RulesError) as caught:
        state.play(text)
    assert caught.value.diagnostics[0].code == code
    assert code in str(caught.value)


def test_a_refusal_has_the_clause_and_the_things() -> None:
    refusal = rw.load_puzzle("overboard").start.why_not("sail north")
    assert refusal is not None and refusal.action == "sail north"
    assert [reason.cite for reason in refusal.reasons] == ["bp.move.adjacent", "bp.move.by_water"]
    assert "(3,0)" in str(refusal)


def test_hidden_things_stay_hidden() -> None:
    state = rw.load_game("penguin_pirates", seed=5).start
    (seen, *others) = (state.values["card"][str(player)] for player in (state.player, *_others(state)))
    assert isinstance(seen, list) and all(list(other) == ["hidden"] for other in others)


def _others(state: rw.State) -> list[int]:
    return [player for player in range(1, state.players + 1) if player != state.player]


def test_who_wins() -> None:
    start = rw.load_game("classics.noughts_and_crosses").start
    state = _played(start, ["place (0,0)", "place (1,1)", "place (0,1)", "place (2,2)", "place (0,2)"])
    assert (state.is_over, state.winners, state.outcomes, state.scores, state.player) == (True, (1,), (1, -1), (1, 0), 0)
    assert state.legal == ()
    refusal = state.why_not("place (2,0)")
    assert refusal is not None and "the game is over" in str(refusal)


def test_chance_to_come_can_be_another() -> None:
    state = rw.load_game("classics.pig").start
    assert len({str(state.reseeded(seed).play("throw")) for seed in range(30)}) > 3
    assert state.reseeded(4).play("throw") == state.reseeded(4).play("throw")


def test_a_picture_and_a_text() -> None:
    state = rw.load_puzzle("overboard").start
    assert state.svg().startswith("<svg") and "prefers-color-scheme" in state.svg()
    assert "prefers-color-scheme" not in state.svg(dark=True)
    assert state._repr_svg_() == state.svg()
    assert rw.load_puzzle(text=str(state)).start.values == state.values


def test_what_a_name_of_the_library_prints() -> None:
    puzzle = rw.load_puzzle("overboard")
    assert repr(puzzle) == "<Puzzle overboard: maximise score until end>"
    assert repr(puzzle.start) == "<State of overboard: player 1 to move>"
    assert repr(puzzle.start.legal[0]) == f"<Action {puzzle.start.legal[0]}>"
    assert repr(rw.load_game("classics.go")) == "<Game classics.go for 2>"


def test_errors_survive_a_pickle() -> None:
    with pytest.raises(rw.RulesError) as caught:
        rw.load_game("clasics.go")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert "did you mean `classics.go`?" in str(caught.value)
