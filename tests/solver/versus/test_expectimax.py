"""What is to be expected, held against plain enumeration; what cannot be asked so, and what is said of known chance."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import explanation
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import COUNTED, Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import KNOWN_CHANCE, answer
from rulewright.solver.result import Limits, Status
from tests.rules.playing import linked, own_module, shipped
from tests.solver.expectation import Enumeration, TooMany

GAMES = {
    "pig": (lambda: shipped("classics.pig"), "turn", ["score", "turn_total - saved"]),
    "doubling": (lambda: shipped("classics.doubling"), "turn", ["score", "sum number of c for c in board where row(c) = 0"]),
    "lots": (lambda: own_module("lots"), "round", ["score", "won of 1 - won of 2", "size(bag) * 3 + score"]),
    "farkle": (lambda: own_module("farkle"), "turn", ["score", "total - 2 * throws"]),
}


def endgame(name: str, rng: random.Random, turns: int) -> tuple[Engine, State, Question] | None:
    """A random position of a game and a question about it."""
    make, point, values = GAMES[name]
    game = make()
    horizon = Horizon(point, rng.randrange(turns) + 1)
    engine = Engine.of(game, game.players.low).with_horizon(horizon)
    free, state = engine.with_horizon(None), engine.with_horizon(None).start(rng.randrange(10**9))
    for _ in range(rng.randrange(30 if name == "doubling" else 12)):  # there, until the board is nearly full
        moves = free.legal(state)
        if not moves:
            return None
        state = free.apply(state, rng.choice(moves))
    if free.over(state):
        return None
    if name == "pig":  # near the end of the sheet
        columns = list(state)
        columns[engine.layout.position("saved", None)] = rng.randrange(86, 94)
        columns[engine.layout.position("turn_total", None)] = 0
        state = tuple(columns)
    written = rng.choice(values)
    term = resolve_question(game, parsed_value(written))
    goal = rng.choice([Goal.MAXIMISE, Goal.MINIMISE, Goal.REACH])
    threshold = engine.value(term, state) + rng.randrange(-2, 9)
    return (
        engine,
        (*state[:COUNTED], 0, *state[COUNTED + 1 :]),
        Question(goal, (term,), threshold, horizon, in_expectation=True),
    )


def parsed_value(written: str):  # type: ignore[no-untyped-def]
    ask = parse_puzzle(f"puzzle a:\n    rules b\n\n    ask: maximise {written} until end\n", "a puzzle").ask
    assert ask is not None
    return ask.value


def agrees(name: str, seed: int, turns: int, most: int) -> bool:
    """Whether a random endgame was small enough to be enumerated; then the answers are the same."""
    found = endgame(name, random.Random(f"{name} {seed}"), turns)
    if found is None:
        return False
    engine, state, question = found
    enumeration = Enumeration(engine, question, most)
    try:
        first = {move: enumeration.after(state, move) for move in engine.legal(state)}
    except TooMany:
        return False
    result = answer(engine, state, question, Limits(60))
    assert result.status is Status.OPTIMAL and result.expectation is not None
    least = question.goal is Goal.MINIMISE
    if question.is_against:
        least ^= engine.player(state) != question.player
    assert result.expectation.value == (min if least else max)(first.values())
    assert dict(result.expectation.first) == first
    assert first[result.plan[0]] == result.expectation.value
    return True


@pytest.mark.parametrize("name", GAMES)
def test_random_endgames(name: str) -> None:
    turns = 1 if name == "doubling" else 2
    done = seed = 0
    while done < 25:
        seed += 1
        done += agrees(name, seed, turns, 1_000)


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_many_random_endgames(name: str) -> None:
    done = seed = 0
    while done < 300:
        seed += 1
        done += agrees(name, seed + 1000, 2 if name == "doubling" else 3, 4_000)


# What is asked, and what is refused ----------------------------------------------------------------


def asked(game: Game, question: str, settings: str = "") -> Position:
    text = f"puzzle a:\n    rules b\n    players {game.players.low}\n{settings}\n    ask: {question}\n"
    return set_up_position(parse_puzzle(text, "a puzzle"), game)


def answered(game: Game, question: str, settings: str = "") -> Fraction | int | None:
    position = asked(game, question, settings)
    assert position.question is not None
    return answer(position.asked, position.state, position.question, Limits(30)).value


URN = """
module urn:
    "Take lots."

terrain grass
tiles lots:
    red   x2
    white x3

state:
    {pile}
    lot:   tile
    won:   0..9
    taken: 0..9

action take:
    require left: taken < {most}
    {effects}
    effect count_it: {count}

procedure set_up:
    move all box to bag

flow:
    set_up
    repeat:
        turn:
            choose take, or stop

score won: won
"""
DRAWN = """effect one:  draw lot from bag
    effect gone: move lot to box from bag
    effect win:  if lot = red: won += 1"""
DEALT = """effect one:  move top(bag) to box from bag
    effect mix:  shuffle bag
    effect win:  if top(bag) = red: won += 1"""


def urn(pile: str, effects: str, most: int = 5, count: str = "taken += 1") -> Game:
    return linked(URN.format(pile=pile, effects=effects, most=most, count=count))


def test_a_set_is_drawn_from_without_replacement() -> None:
    game = urn("bag: set of tiles", DRAWN)
    assert answered(game, "maximise score until end in expectation") == 2
    assert answered(game, "maximise score for 3 turns in expectation") == Fraction(6, 5)
    assert answered(game, "reach score >= 2 for 3 turns in expectation") == Fraction(3, 10)
    assert answered(game, "minimise score for 3 turns in expectation") == 0


def test_a_pile_that_everybody_sees_is_shuffled() -> None:
    game = urn("bag: pile of tiles", DEALT, most=2)
    # Who sees the order stops where the next tile on top cannot win; of four lots each is as likely on top.
    assert answered(game, "maximise score for 1 turn in expectation", "    bag: red, white x2, red\n") == Fraction(1, 3)


@pytest.mark.parametrize("visibility", ["face down", "owner only"])
def test_a_pile_that_nobody_sees_is_refused(visibility: str) -> None:
    game = urn(f"bag: pile of tiles, {visibility}", DEALT)
    with pytest.raises(RulesError, match="RW383"):
        answered(game, "maximise score for 1 turn in expectation")
    hidden = urn("bag: pile of tiles, face down", DEALT.replace("shuffle bag", "taken += 0"))
    assert answered(hidden, "maximise score for 1 turn in expectation", "    bag: white, red x2, white\n") == 1
    with pytest.raises(RulesError, match="RW383"):
        asked(hidden, "maximise score for 1 turn in expectation", "    bag: rest, seed 3\n")
    asked(hidden, "maximise score for 1 turn", "    bag: rest, seed 3\n")


@pytest.mark.parametrize("question", ["fewest moves until won = 2", "least won until won = 2", "count best"])
def test_what_has_no_expectation(question: str) -> None:
    with pytest.raises(RulesError, match="RW382"):
        asked(urn("bag: set of tiles", DRAWN), f"{question} in expectation")


def test_too_many_outcomes() -> None:
    many = "\n    ".join(f"effect more_{number}: draw won from 1..9" for number in range(5))
    with pytest.raises(RulesError, match="RW384"):
        answered(urn("bag: set of tiles", many), "maximise score for 1 turn in expectation")


def test_play_that_comes_back() -> None:
    game = urn("bag: set of tiles", "effect again: draw won from 1..3", count="taken := 0")
    with pytest.raises(RulesError, match="RW385"):
        answered(game, "maximise score until end in expectation")
    assert answered(game, "maximise score for 1 turn in expectation") == 2


def test_limits_are_kept() -> None:
    position = asked(shipped("classics.pig"), "reach score >= 60 for 9 turns in expectation")
    assert position.question is not None
    result = answer(position.asked, position.state, position.question, Limits(0.5))
    assert result.status is Status.UNKNOWN and result.value is None and result.remarks
    assert result.seconds < 20


def test_known_chance_is_said() -> None:
    position = asked(shipped("classics.pig"), "maximise score for 1 turn")
    assert position.question is not None
    assert KNOWN_CHANCE in answer(position.asked, position.state, position.question, Limits(20)).remarks
    calm = asked(shipped("classics.lights_out"), "maximise score for 1 turn")
    assert calm.question is not None
    assert KNOWN_CHANCE not in answer(calm.asked, calm.state, calm.question, Limits(20)).remarks


@pytest.mark.parametrize("code", ["RW382", "RW383", "RW384", "RW385"])
def test_the_codes_have_pages(code: str) -> None:
    assert len(explanation(code).page) > 100
