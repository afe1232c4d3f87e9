"""Mixed strategies: values that are published or solved otherwise, and what players may not see."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from rulewright.rules.play.visibility import told_apart
from rulewright.solver.result import Limits, Status
from rulewright.solver.versus import sequence_form
from tests.puzzles.test_hidden_state import AUCTION, GOOFSPIEL, IN_TURN, PENNIES
from tests.solver.versus.mixed_values import MIXED, answered, position, value

ROCK = """
module rock:
    "Rock, paper, scissors."

players 2
enum shape: rock, paper, scissors

state:
    shown of player: shape, owner only

action show(one in shape):
    effect lay: shown of player := one

define beats(a, b) = (a = rock and b = scissors) or (a = paper and b = rock) or (a = scissors and b = paper)
score won: if beats(shown of 1, shown of 2) then 1 else if beats(shown of 2, shown of 1) then -1 else 0
""" + IN_TURN.format("show")

DICE = """
module dice:
    "Liar's dice with a die of {faces} sides each, the last one wild: raise the claim, or doubt it."

players 2

state:
    die of player: 1..{faces}, owner only
    claim:         0..{claims}
    bidder:        player
    doubted:       truth

procedure set_up:
    roll: for p in players: draw die of p from 1..{faces}

define showing(f) = size(those p in players where die of p = f or die of p = {faces})
define face = (claim - 1) mod {faces} + 1
define holds = showing(face) >= (claim - 1) div {faces} + 1

action bid(new in 1..{claims}):
    require higher: new > claim
    effect raise: claim := new
    effect who:   bidder := player

action doubt:
    require begun: claim > 0
    effect say:  doubted := yes
    effect over: end game

flow:
    set_up
    repeat until doubted:
        for player in players:
            turn:
                choose bid, doubt

score won of player: if holds = (bidder = player) then 1 else -1
"""


GAMES = {
    "pennies": (PENNIES, "maximise wins of 1 - wins of 2", Fraction(0)),
    "pennies, a point for one": (PENNIES, "maximise wins of 2", Fraction(1, 2)),
    "rock, paper, scissors": (ROCK, "maximise won", Fraction(0)),
    "kuhn poker": ("classics.kuhn_poker", "maximise won of 1", Fraction(-1, 18)),
    "kuhn poker, second": ("classics.kuhn_poker", "maximise won of 2", Fraction(1, 18)),
    "goofspiel of two cards": (GOOFSPIEL, "maximise lead", Fraction(0)),
    "goofspiel of four cards": ("goofspiel", "maximise won of 1 - won of 2", Fraction(0)),
    "auction": (AUCTION, "maximise gain", Fraction(1)),
    "auction, who pays most": (AUCTION, "minimise gain", Fraction(1)),
}


@pytest.mark.parametrize("name", GAMES)
def test_values(name: str) -> None:
    rules, ask, expected = GAMES[name]
    assert value(rules, ask) == expected


@pytest.mark.campaign
def test_liars_dice() -> None:
    """-7/258, as OpenSpiel's linear program finds: -0.0271."""
    assert value(DICE.format(faces=6, claims=12), "maximise won of 1") == Fraction(-7, 258)


def test_the_strategies_of_kuhn() -> None:
    """What Kuhn proved of every optimal strategy: the second player bluffs with a third of the jacks, and calls with a third of
    the queens; the first bets a king thrice as often as a jack."""
    asked = position("classics.kuhn_poker", f"maximise won of 1 {MIXED}")
    result = answered(asked)
    shares = {}
    for player in (1, 2):
        own = [choice for choice in result.choices if choice.player == player]
        for choice, sees in zip(own, told_apart(asked.asked, player, [choice.state for choice in own]), strict=True):
            shares[player, ", ".join(sees)] = choice.moves[1][1]
    assert shares[2, "hand: jack"] == shares[2, "hand: queen, laid of 1: 2"] == Fraction(1, 3)
    assert shares[2, "hand: king"] == 1 and shares[2, "hand: jack, laid of 1: 2"] == 0
    assert shares[1, "hand: king"] == 3 * shares[1, "hand: jack"]


def test_nobody_acts_on_what_they_may_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all were seen, whoever shows second would always win."""
    monkeypatch.setattr(sequence_form, "sight", lambda engine, player: lambda state: state)
    assert value(PENNIES, "maximise wins of 1 - wins of 2") == -1


def test_what_was_seen_is_remembered() -> None:
    """The second player sees a card for a moment, and guesses it later; the first would rather that they failed."""
    rules = """
module glimpse:
    "A card is laid open, turned over, and guessed."

players 2

state:
    card of player: 0..2, owner only
    open:  0..2
    right: truth

action lay(one in 1..2):
    require first: card of 1 = 0
    effect put:  card of 1 := one
    effect show: open := one

action turn_over:
    require laid: open > 0
    effect hide: open := 0

action guess(one in 1..2):
    effect say: right := card of 1 = one

flow:
    for player in players:
        turn:
            choose lay, turn_over
    for player in players:
        last:
            choose guess

score found: if right then 1 else 0
"""
    assert value(rules, "minimise found") == 1


def test_one_player_may_be_in_the_dark_too() -> None:
    rules = """
module cups:
    "A ball is under one of three cups. Lift one; an empty one may be lifted first, for half the prize."

state:
    ball:  0..3, face down
    seen:  0..3
    prize: 0..6 = 6

procedure set_up:
    hide: draw ball from 1..3

action peek(cup in 1..3):
    require once: seen = 0
    require empty: cup != ball else "the ball is there"
    effect see: seen := cup
    effect pay: prize := 3

action lift(cup in 1..3):
    effect got:  if cup != ball: prize := 0
    effect over: end game

flow:
    set_up
    repeat:
        turn:
            choose peek, lift

score prize: prize
"""
    result = answered(position(rules, "maximise prize until end in expectation", 1))
    assert result.expectation is not None
    assert result.expectation.value == 6  # which cup may be peeked under tells where the ball is: everyone sees what is legal


def test_a_tree_that_is_too_large_is_refused_with_its_size() -> None:
    result = answered(position("goofspiel", f"maximise won of 1 {MIXED}"), Limits(0.0))
    assert result.status is Status.UNKNOWN
    result = answered(position("goofspiel", f"maximise won of 1 {MIXED}"), Limits(60.0, memory_mib=289))
    assert result.status is Status.UNKNOWN
    assert any("simulate" in remark for remark in result.remarks)


def test_without_a_linear_solver_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.linear_solver", None)
    result = answered(position(PENNIES, f"maximise wins of 2 {MIXED}"))
    assert result.status is Status.UNKNOWN and any("OR-Tools" in remark for remark in result.remarks)


LEGAL = """
module legal:
    "What the second player may do at first tells them the coin, which they guess later."

players 2

state:
    coin:  0..2, face down
    right: truth

procedure set_up:
    toss: draw coin from 1..2

action look:
    effect nothing: right := no

action knock:
    "Whoever knocks has lost, but need not."
    require lucky: coin = 1 and player = 2
    effect over: end game

action guess(one in 1..2):
    effect say: right := one = coin

flow:
    set_up
    for player in players:
        turn:
            choose look{knock}
    for player in players:
        last:
            choose guess

score found: if right then 1 else 0
"""


@pytest.mark.parametrize(("knock", "expected"), [(", knock", Fraction(1)), ("", Fraction(1, 2))])
def test_what_was_legal_is_remembered(knock: str, expected: Fraction) -> None:
    """Also where there was no choice: who could not knock knows why. The second player guesses last."""
    assert value(LEGAL.replace("{knock}", knock), "minimise found") == expected


def test_nobody_looks_into_the_box() -> None:
    """What is left there would tell which card the other has drawn from it."""
    rules = """
module from_box:
    "The first player gets one of two cards from the box, and the second guesses which."

players 2
tiles cards:
    one x1
    two x1

state:
    card: tile, face down
    hand of player: set of tiles, owner only
    right: truth

procedure set_up:
    draw_it: draw card from box
    give:    move card to hand of 1 from box
    forget:  card := nothing

action wait:
    require first: player = 1
    effect nothing: right := no

action guess(card in tiles):
    require second: player = 2
    effect say: right := card in hand of 1

flow:
    set_up
    for player in players:
        turn:
            choose wait, guess

score found: if right then 1 else 0
"""
    assert value(rules, "minimise found") == Fraction(1, 2)
