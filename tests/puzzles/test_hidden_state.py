"""Hidden state: six small games of known values, refused where players may not act on what is hidden, told elsewhere."""

from __future__ import annotations

import pytest
from attrs import frozen

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from tests.rules.playing import linked


@frozen
class Secret:
    """A game with hidden state, a question, and what it comes to with open cards; `hidden` is what some player may not see."""

    rules: str
    asked: str
    value: int
    hidden: str
    settings: str = ""
    players: int = 2


IN_TURN = """
flow:
    for player in players:
        turn:
            choose {}
"""

PENNIES = """
module pennies:
    "The second player wins if both show the same side."

players 2
enum side: heads, tails

state:
    shown of player: side, owner only

action show(one in side):
    effect lay: shown of player := one

score wins of player: if (shown of 1 = shown of 2 and player = 2) or (shown of 1 != shown of 2 and player = 1) then 1 else 0

winner: most wins
""" + IN_TURN.format("show")

POKER = """
module poker:
    "Each player has one of two cards and has laid one coin. The first may bet another; the second calls it or folds."

players 2
enum rank: king, ace

state:
    dealt of player: rank, owner only
    bets:  truth
    folds: truth

action bet:
    require first: player = 1
    effect more: bets := yes

action check:
    require first: player = 1

action call:
    require second: player = 2

action fold:
    require second: player = 2 and bets
    effect away: folds := yes

define ahead = if dealt of 1 = dealt of 2 then 0 else if dealt of 1 = ace then 1 else -1
score won: if folds then 1 else if bets then 2 * ahead else ahead
""" + IN_TURN.format("bet, check, call, fold")

GOOFSPIEL = """
module goofspiel:
    "Two prizes, and two cards each to bid for them."

players 2

state:
    laid of player:          0..2, owner only
    gone of player:          0..2
    prize:                   1..3 = 1
    won of player:           0..3

action bid(card in 1..2):
    require left: gone of player != card
    effect lay: laid of player := card

procedure compare:
    more:  for p in players where laid of p > laid of (if p = 1 then 2 else 1): won of p += prize
    spend: for p in players: gone of p := laid of p
    next:  prize += 1

flow:
    repeat until prize = 3:
        for player in players:
            turn:
                choose bid
        compare

score lead: won of 1 - won of 2
"""

AUCTION = """
module auction:
    "Both bid blindly for what is worth four to the first and three to the second. The first wins a tie."

players 2

state:
    offer of player: 0..3, owner only

action bid(coins in 0..3):
    effect write: offer of player := coins

score gain: if offer of 1 >= offer of 2 then 4 - offer of 1 else 0
""" + IN_TURN.format("bid")

TRICKS = """
module tricks:
    "The first leads twice, the second follows; the higher card wins."

players 2
terrain plain
tiles cards:
    two   x1
    three x1
    four  x1
    five  x1

state:
    hand of player: set of tiles, owner only
    led: tile
    out: set of tiles
    tricks: 0..2

define rank(t) = if t = two then 2 else if t = three then 3 else if t = four then 4 else 5

action play_card(tile in hand of player):
    effect score: if player = 2 and rank(led) > rank(tile): tricks += 1
    effect lead:  led := tile
    effect away:  move tile to out

flow:
    repeat until empty(hand of 2):
        for player in players:
            turn:
                choose play_card

score taken: tricks
"""

DEALT = "    hand 1: two, five\n    hand 2: three, four\n    box: none\n"

FOG = """
module fog:
    "Dig in one of three places, where the fog hides what lies there."

players 1
enum place: creek, dune, reef

state:
    buried of place: 0..9, face down
    found: 0..9

action dig(here in place):
    effect lift: found := buried of here

flow:
    turn:
        choose dig

score loot: found
"""

SECRETS = {
    "pennies": Secret(PENNIES, "win for 1", -1, "shown"),
    "pennies, the second": Secret(PENNIES, "win for 2", 1, "shown"),
    "poker": Secret(POKER, "maximise won until end against best play", -1, "dealt", "    dealt 2: ace\n"),
    "goofspiel": Secret(GOOFSPIEL, "maximise lead until end against best play", 0, "laid"),
    "auction": Secret(AUCTION, "maximise gain until end against best play", 1, "offer"),
    "tricks": Secret(
        TRICKS,
        "maximise taken until end against best play",
        1,
        "hand",
        "    hand 1: two, five\n    hand 2: three, four\n    box: none\n",
    ),
    "fog": Secret(FOG, "maximise loot until end in expectation", 7, "buried", "    buried dune: 7\n    buried reef: 3\n", 1),
}


def asked(secret: Secret, question: str) -> Position:
    text = f"puzzle a:\n    rules b\n    players {secret.players}\n{secret.settings}\n    ask: {question}\n"
    return set_up_position(parse_puzzle(text, "a puzzle"), linked(secret.rules))


def answered(position: Position) -> Result:
    assert position.question is not None
    return answer(position.asked, position.root, position.question, Limits(20.0, workers=1))


@pytest.mark.parametrize("name", SECRETS)
def test_an_answer_that_needs_what_is_hidden_is_refused(name: str) -> None:
    secret = SECRETS[name]
    with pytest.raises(RulesError) as caught:
        asked(secret, secret.asked)
    (found,) = caught.value.diagnostics
    assert found.code == "RW387"
    assert f"`{secret.hidden}`" in found.message
    assert "with open cards" in found.help


@pytest.mark.parametrize("name", SECRETS)
def test_with_open_cards_it_is_answered_and_says_so(name: str) -> None:
    secret = SECRETS[name]
    result = answered(asked(secret, f"{secret.asked} with open cards"))
    assert result.status is Status.OPTIMAL
    assert result.value == secret.value
    assert f"with open cards: all players see `{secret.hidden}`" in result.remarks


@pytest.mark.parametrize("name", ["pennies", "goofspiel", "fog"])
def test_who_plays_together_is_told(name: str) -> None:
    result = answered(asked(SECRETS[name], "maximise score until end"))
    assert f"with open cards: all players see `{SECRETS[name].hidden}`" in result.remarks
