"""Puzzles that start before chance has its say: their value is the mean of the values of what it may bring."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import SHIPPED
from rulewright.solver.answer.portfolio import KNOWN_CHANCE, answer
from rulewright.solver.result import Limits, Result
from tests.puzzles.positions import drawn

RACE = """module race:
players 1..2

enum die: first, second

tiles cards:
    low   x2
    high  x1

state:
    deck:         pile of tiles, face down
    drawn:        set of tiles
    shown of die: 1..3
    left:         0..9 = 9
    luck:         0..3

procedure set_up:
    gather: move all box to deck
    mix:    shuffle deck

procedure throw:
    one: roll shown of first
    two: roll shown of second
    more: deal 1 from deck to drawn

action move(by in die):
    require room: shown of by <= left
    effect go: left -= shown of by

action keep:
    effect lucky: luck := if high in drawn then 3 else shown of first

action stay:
    effect unlucky: luck := 0

flow:
    set_up
    repeat until left = 0:
        for player in players:
            turn:
                throw
                if shown of first = shown of second:
                    if left > 0: choose keep, stay
                else:
                    if left > 1: choose move
                left_over:
                    if some d in die: shown of d <= left: choose move or stop

score gone: 9 - left + luck
"""


def answered(settings: str) -> Result:
    position = drawn(RACE, f"players 1\n{settings}")
    assert position.question is not None
    return answer(position.asked, position.root, position.question, Limits(seconds=20, workers=1))


@pytest.mark.parametrize(("ask", "left"), [("maximise score for 1 turn", 4), ("reach left <= 1 for 2 turns", 1)])
def test_the_value_before_a_throw_is_the_mean_over_throws(ask: str, left: int) -> None:
    """One of three choices may come first after the throw; where none does, the turn is over at once."""
    pile = "deck: rest, seed 7"
    before = answered(f"left: {left}\n{pile}\nstart: before turn of 1\nask: {ask} in expectation")
    assert before.expectation is not None and not before.plan and not before.expectation.first
    total = Fraction(0)
    for first, second, card in product((1, 2, 3), (1, 2, 3), ("low", "low", "high")):
        thrown = f"left: {left}\nshown first: {first}\nshown second: {second}\ndrawn: {card}\n{pile}"
        point = "turn" if first == second else "turn_2" if left > 1 else "left_over"
        after = answered(f"{thrown}\nstart: {point} of 1\nask: {ask} in expectation")
        assert after.expectation is not None
        total += after.expectation.value
    assert before.expectation.value == total / 27


def test_a_question_that_knows_what_comes_begins_behind_the_throw() -> None:
    shown_pairs = set()
    for seed in range(8):
        position = drawn(RACE, f"players 1\nseed: {seed}\nstart: before turn of 1\nask: maximise score for 1 turn")
        assert position.question is not None and not position.question.unrolled
        first, second = (position.state[position.engine.layout.position("shown", at)] for at in range(2))
        result = answer(position.asked, position.root, position.question, Limits(seconds=20, workers=1))
        assert KNOWN_CHANCE in result.remarks
        shown_pairs.add((first, second))
        assert result.score in ((2 * first, 3 + first) if first == second else (2 * max(first, second),))
    assert len(shown_pairs) > 3


DEALT_IN_THE_FLOW = """flow:
    set_up
    hand_dealt:
        hand_out
        repeat until settled:
            for player in players:
                turn:
                    choose pass, bet

"""


def test_cards_dealt_in_a_turn_are_dealt_before_it_in_secret() -> None:
    """Kuhn's poker, its cards dealt in the turn: the first player loses an eighteenth of a coin."""
    text = (SHIPPED / "classics" / "kuhn_poker.rules").read_text("utf-8")
    text = text.replace("    give:   for p", "\nprocedure hand_out:\n    give:   for p")
    text = text[: text.index("flow:")] + DEALT_IN_THE_FLOW + text[text.index("score won") :]
    asked = "maximise won of 1 until end against best play in expectation"
    position = drawn(text, f"players 2\nstart: before hand_dealt of 1\nask: {asked}")
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=20, workers=1))
    assert result.expectation is not None and result.expectation.value == Fraction(-1, 18)


SHORT = RACE[: RACE.index("flow:")] + "flow:\n    turn:\n        throw\n        choose stay\n\nscore gone: luck\n"


@pytest.mark.parametrize(
    ("rules", "start", "words"),
    [(RACE, "turn_2", "a choice inside a point"), (SHORT, "turn", "begins with the set-up"), (RACE, "tern", "no point")],
)
def test_where_play_cannot_come_to_is_refused(rules: str, start: str, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        drawn(rules, f"players 1\nstart: before {start} of 1\nask: maximise gone for 1 turn")
