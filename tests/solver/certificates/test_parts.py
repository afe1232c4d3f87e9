"""Certificates for every kind of question, checked by the program that knows only the core; what is wrong is noticed before."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.checker.rulewright_check import Refused
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.core.lower import lower
from rulewright.rules.core.to_json import asked_terms, json_of, question_of, start_of
from rulewright.rules.model.state import Move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.certificates.certificate import Certificate, certificate
from rulewright.solver.certificates.claims import Claim, Claimed, Uncertified
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof
from tests.checker.beside import finished
from tests.checker.certificates import checked_bytes
from tests.rules.playing import linked

HEAP = """
module heap:
    "In turn, players take one stone or two; whoever takes the last one is paid. A stone may bring luck."

terrain grass
players 2

state:
    heap:            0..6 = 6
    coins of player: 0..9
    luck:            1..3

action take(number in 1..2):
    require left: heap >= number
    effect less: heap -= number
    effect pay: if heap = 0: coins of player += 3 + number

action gamble:
    require left: heap > 0
    effect less: heap -= 1
    effect draw: draw luck from {1, 1, 3}
    effect pay: coins of player += luck - 1

flow:
    repeat until heap = 0:
        for player in players:
            turn:
                choose take{gamble}

score coins of player: coins of player
winner: most coins
"""

TAKE_1, TAKE_2, GAMBLE = (0, 1), (0, 2), (1,)
OPTIMAL = Claimed.OPTIMAL

Case = tuple[str, Claim, tuple[Move, ...]]

CASES: dict[str, Case] = {
    "maximise": ("maximise coins of 1 - coins of 2 until end", Claim(OPTIMAL, 5), (TAKE_2, TAKE_2, TAKE_2)),
    "minimise": ("minimise coins of 1 - coins of 2 until end", Claim(OPTIMAL, -5), (TAKE_2, TAKE_1, TAKE_1, TAKE_2)),
    "reached": ("reach coins of 2 >= 5 until end", Claim(Claimed.REACHED, None), (TAKE_2, TAKE_1, TAKE_1, TAKE_2)),
    "not reached": ("reach coins of 2 >= 6 until end", Claim(Claimed.NOT_REACHED, None), ()),
    "against": ("maximise coins of 1 - coins of 2 until end against best play", Claim(OPTIMAL, -4), ()),
    "minimise against": ("minimise coins of 1 until end against best play", Claim(OPTIMAL, 0), ()),
    "win": ("win for 2", Claim(OPTIMAL, 1), ()),
    "reached against": ("reach coins of 2 >= 4 until end against best play", Claim(Claimed.REACHED, None), ()),
    "not reached against": ("reach coins of 1 >= 1 until end against best play", Claim(Claimed.NOT_REACHED, None), ()),
    "moves": ("fewest moves until heap = 0", Claim(OPTIMAL, 3), (TAKE_2, TAKE_2, TAKE_2)),
    "turns": ("fewest turns until heap = 0", Claim(OPTIMAL, 3), (TAKE_2, TAKE_2, TAKE_2)),
    "no moves": ("fewest moves until heap = 6", Claim(OPTIMAL, 0), ()),
    "values": ("least 6 - heap until heap <= 3", Claim(OPTIMAL, 3), (TAKE_1, TAKE_2)),
    "impossible": ("fewest moves until heap = 1 and coins of 1 > 0", Claim(Claimed.IMPOSSIBLE, None), ()),
    "count": ("count best", Claim(OPTIMAL, 5, 5), (TAKE_2, TAKE_2, TAKE_2)),
    "count moves": ("count fewest moves until heap = 1", Claim(OPTIMAL, 3, 3), (TAKE_2, TAKE_2, TAKE_1)),
    "count no moves": ("count fewest moves until heap = 6", Claim(OPTIMAL, 0, 1), ()),
    "count turns": ("count fewest turns until heap = 1", Claim(OPTIMAL, 3, 3), (TAKE_2, TAKE_2, TAKE_1)),
    "count values": ("count least 6 - heap until heap <= 3", Claim(OPTIMAL, 3, 3), (TAKE_1, TAKE_2)),
}


def position_of(ask: str, gamble: bool = False) -> Position:
    game = linked(HEAP.replace("{gamble}", ", gamble" if gamble else ""))
    return set_up_position(
        parse_puzzle(f"puzzle p:\n    rules heap\n\n    heap: {4 if gamble else 6}\n    ask: {ask}\n", "p"), game
    )


def certified(position: Position, claim: Claim, plan: tuple[Move, ...] = (), most: int = 1 << 30) -> Certificate:
    engine, question = position.asked, position.question
    assert question is not None
    core = lower(engine.instance, engine.flow, engine.horizon, asked_terms(question))
    start = start_of(core, engine.layout, position.state)
    document = finished({**json_of(core), "start": start, "question": question_of(question, core)})
    return certificate(Proof(engine, position.root, question, claim, Room(most), document), "p", plan)


@pytest.mark.parametrize("name", CASES)
def test_a_question(name: str) -> None:
    ask, claim, plan = CASES[name]
    certificate = certified(position_of(ask), claim, plan)
    assert checked_bytes(certificate.content).states == certificate.states


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("step", [-1, 1])
def test_a_claim_that_is_wrong(name: str, step: int) -> None:
    ask, claim, plan = CASES[name]
    if not isinstance(claim.value, int) or name.endswith("no moves"):
        return
    with pytest.raises((AssertionError, Refused)):
        checked_bytes(certified(position_of(ask), evolve(claim, value=claim.value + step), plan).content)


@pytest.mark.parametrize(
    ("ask", "claim"),
    [
        ("reach coins of 2 >= 5 until end", Claim(Claimed.NOT_REACHED, None)),
        ("reach coins of 2 >= 4 until end against best play", Claim(Claimed.NOT_REACHED, None)),
        ("reach coins of 1 >= 1 until end against best play", Claim(Claimed.REACHED, None)),
        ("fewest moves until heap = 0", Claim(Claimed.IMPOSSIBLE, None)),
        ("count best", Claim(OPTIMAL, 5, 8)),
    ],
)
def test_an_answer_that_is_wrong(ask: str, claim: Claim) -> None:
    with pytest.raises(AssertionError):
        certified(position_of(ask), claim)


@pytest.mark.parametrize(
    "ask",
    [
        "maximise coins of 1 - coins of 2 until end in expectation",
        "minimise coins of 2 until end in expectation",
        "maximise coins of 1 - coins of 2 until end against best play in expectation",
        "reach coins of 1 >= 2 until end in expectation",
        "win for 1 in expectation",
    ],
)
def test_what_is_to_be_expected(ask: str) -> None:
    position = position_of(ask, gamble=True)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question)
    assert result.expectation is not None
    assert (
        str(result.expectation.value)
        in checked_bytes(certified(position, Claim(OPTIMAL, result.expectation.value)).content).claim
    )
    with pytest.raises(AssertionError):
        certified(position, Claim(OPTIMAL, result.expectation.value + 1))


def test_known_chance_belongs_to_the_state() -> None:
    position = position_of("maximise coins of 1 until end", gamble=True)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question)
    assert str(result.score) in checked_bytes(certified(position, Claim(OPTIMAL, result.score), result.plan).content).claim


def test_states_that_do_not_fit() -> None:
    with pytest.raises(Uncertified, match="do not fit"):
        certified(position_of("maximise coins of 1 until end"), Claim(OPTIMAL, 5), most=1000)


def test_play_that_comes_back() -> None:
    back = HEAP.replace("{gamble}", ", wait").replace(
        "action gamble:", "action wait:\n    effect none: luck := 1\n\naction gamble:"
    )
    game = linked(back)
    puzzle = parse_puzzle("puzzle p:\n    rules heap\n\n    ask: count best\n", "p")
    with pytest.raises(Uncertified, match="come back"):
        certified(set_up_position(puzzle, game), Claim(OPTIMAL, 5, 1))
