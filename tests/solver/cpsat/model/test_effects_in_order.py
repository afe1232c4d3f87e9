"""What an effect reads is what those before it in the list have left: CP-SAT against every line of play."""

from __future__ import annotations

import random

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.process.job import ModelKind
from tests.rules.playing import linked
from tests.solver.cpsat.running import run, worth
from tests.solver.exhaustive import best_value

GAME = """
module sailing:
    "A boat in a bay, tiles in a pile, and a log of what was seen."

marker coin
players 1

space bay: square grid 3 x 3

tiles parcels:
    letter  x2
    crate   x2    coin
    chest   x1    coin, coin

state:
    wind:  direction of bay = east
    boat:  cell of bay = origin of bay
    log:   -999..999 = 0
    spare: -99..99 = 0
    draw:  pile of tiles
    hand:  set of tiles
    round: 0..9

procedure load:
    gather: move all box to draw
    mix:    shuffle draw
    first:  deal 1 from draw to hand

procedure tick:
AFTER
    note: round += 1

action sail(times in 1..2):
EFFECTS

flow:
    load
    repeat until round = ROUNDS:
        choose sail
        tick

score log: log + 2 * spare + (sum number(tile, coin) for tile in hand)
"""


def _agrees(effects: str, after: str = "", rounds: int = 2, seed: int = 0, *, may_refuse: bool = False) -> str:
    """What CP-SAT says of a game with such effects: it finds the best there is, or nothing where it may refuse."""
    text = GAME.replace("EFFECTS", _indented(effects)).replace("AFTER", _indented(after)).replace("ROUNDS", str(rounds))
    game = linked(text)
    engine = Engine.of(game, 1)
    state = engine.start(seed)
    question = Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))
    found = run(ModelKind.UNROLLED, engine, state, question)
    if not (may_refuse and found.status == "unsupported"):
        best = best_value(engine, state, question)
        assert (found.status, found.value, found.message) == ("optimal", best, ""), text
        assert found.plan is not None
        assert worth(engine, state, question, found.plan) == best
    return found.message


def _indented(lines: str) -> str:
    return "\n".join(f"    {line}" for line in lines.strip("\n").splitlines())


VALUES = {
    "a loop": """
effect turn:
    for before in {wind}:
        wind := turn(wind, times)
        log += if before = wind then 9 else row(boat)
effect go: boat := step(boat, S)
""",
    "an argument": """
effect turn: wind := turn(wind, times)
effect go: boat := step(boat, wind)
effect tell: log += 3 * row(boat) + column(boat)
""",
    "a condition": """
effect turn: wind := turn(wind, times)
effect go: if wind = south: boat := step(boat, S)
effect tell: log += row(boat)
""",
    "added to itself": """
effect more: spare += times
effect again: spare += spare
effect tell: log += spare * (1 + row(boat))
effect go: boat := step(boat, S)
""",
    "in part of a condition": """
effect more: spare += times
effect tell:
    if spare > 2 and row(boat) = 0: log += 5
    else: log += 1
effect go: boat := step(boat, S)
""",
    "a branch": """
effect more:
    if times = 1: spare := 7
    else: spare -= 1
effect go: boat := step(boat, if spare > 2 then S else E)
effect tell: log += column(boat) * spare
""",
}

ZONES = {
    "size": """
effect first: deal times from draw to hand
effect tell: log += size(hand) * (1 + row(boat))
effect go: boat := step(boat, S)
""",
    "elements": """
effect first: deal times from draw to hand
effect go: for tile in hand: boat := step(boat, if tile = crate then S else E)
effect tell: log += row(boat)
""",
    "a pile onto itself": """
effect wait: deal times from draw to bottom of draw
effect go: boat := step(boat, if top(draw) = crate then S else E)
effect tell: log += row(boat)
""",
    "one tile": """
require two: size(draw) > 1
effect take: move top(draw) to hand from draw
effect tell: log += number(top(draw), coin) * (1 + column(boat))
effect go: boat := step(boat, if times = 1 then E else S)
""",
    "all tiles": """
effect all: move all hand to draw
effect take: move bottom(draw) to hand from bottom of draw
effect go: boat := step(boat, if crate in hand then S else E)
effect tell: log += row(boat)
""",
}


@pytest.mark.parametrize("form", VALUES)
def test_values(form: str) -> None:
    _agrees(VALUES[form])


@pytest.mark.parametrize("form", ZONES)
def test_zones(form: str) -> None:
    for seed in range(2):
        _agrees(ZONES[form], seed=seed)


def test_a_procedure() -> None:
    _agrees(
        "effect more: spare += times",
        "turn: wind := turn(wind, spare)\ngo: boat := step(boat, wind)\ntell: log += column(boat)",
    )


def test_a_condition_that_is_known_at_the_root() -> None:
    """The model knows where the boat is, the abstract state graph does not."""
    _agrees("effect tell:\n    if row(boat) = 0: log += 1\n    else: log += 9")


def test_a_procedure_that_decides_by_what_is_forgotten() -> None:
    """It changes nothing but what the graph knows."""
    _agrees("effect go: boat := step(boat, S)", "tell:\n    if row(boat) = 0: log += 9\n    else: log += 1")


NAMED = """
effect tell:
    for before in {wind}:
        if step(boat, before) = origin of bay: log += 9
effect go: boat := step(boat, S)
effect turn: wind := turn(wind, times)
"""


def test_a_condition_on_what_has_a_name() -> None:
    """The graph knows the wind, the model only that it is one of several."""
    _agrees(NAMED, rounds=3)


def test_a_pile_read_after_it_was_shuffled_is_refused() -> None:
    said = _agrees("effect mix: shuffle draw\neffect tell: if top(draw) = crate: log += row(boat)", may_refuse=True)
    assert said == "`draw`, which is read after it was shuffled in the same effects, in `sail.mix`, line 34 of text 1"


NUMBERS = [
    "times",
    "spare",
    "row(boat)",
    "column(boat)",
    "size(hand)",
    "number(top(draw), coin)",
    "2",
    "(if wind = south then 3 else 1)",
]
CONDITIONS = ["wind = east", "row(boat) = 0", "column(boat) > 0", "spare > 2", "size(hand) > 2", "crate in hand", "times = 1"]


def _effect(rng: random.Random, depth: int) -> list[str]:
    """An effect, in lines."""
    number, condition = rng.choice(NUMBERS), rng.choice(CONDITIONS)
    inner = [f"    {line}" for line in _effect(rng, depth - 1)] if depth else []
    forms = [
        ["wind := turn(wind, times)"],
        [f"boat := step(boat, if {condition} then S else wind)"],
        [f"log += {number} * {rng.choice(NUMBERS)}"],
        [f"if {condition}: spare += {number}"],
        [f"spare := {number}"],
        ["deal times from draw to hand"],
        ["deal 1 from bottom of draw to draw"],
        ["move all hand to draw"],
        ["if not empty(draw): move top(draw) to hand from draw"],
    ]
    if inner:
        forms += [
            [f"if {condition}:", *inner],
            [f"if {condition}:", *inner, "else:", *inner],
            ["for before in {wind}:", *inner, f"    log += if before = wind then {number} else 0"],
            ["for many in {spare}:", *inner, "    log += many - spare"],
            [f"for tile in hand where {condition}:", *inner],
            ["for tile in parcels where tile in hand:", "    if number(tile, coin) > row(boat): log += 3", *inner],
        ]
    return rng.choice(forms)


def _list(rng: random.Random, word: str) -> str:
    named = ((f"{word}step_{number}:", _effect(rng, 2)) for number in range(rng.randrange(2, 4)))
    return "\n".join(line for name, lines in named for line in (name, *(f"    {line}" for line in lines)))


def _at_random(seed: int) -> str:
    rng = random.Random(seed)
    return _agrees(_list(rng, "effect "), _list(rng, "").replace("times", "2"), 2, seed, may_refuse=True)


def test_effects_at_random() -> None:
    said = [_at_random(seed) for seed in range(6)]
    assert said.count("") >= 4


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 400))
def test_effects_at_random_at_length(seed: int) -> None:
    _at_random(seed)
