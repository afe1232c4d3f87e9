"""Random endgames of several games, in which best play by search is held against plain enumeration."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

from rulewright.base.records import frozen
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.result import Limits
from rulewright.solver.versus.best_play import BestPlaySearch
from rulewright.solver.versus.kernel_search import KernelSearch
from rulewright.solver.versus.plain_search import PlainSearch
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.proof_search import ProofSearch
from tests.solver.best_play import best_play_value

AUCTION = """module auction:
    "Three players take coins from a purse in turn; who takes the last one pays."

players 2..3

state:
    purse:           0..20 = 9
    coins of player: 0..20
    debts of player: 0..9

action take(n in 1..3):
    require enough: purse >= n else "there are not so many"
    effect take: purse -= n
    effect gain: coins of player += n
    effect pay: if purse = 0: debts of player += 2

flow:
    repeat until purse = 0:
        for player in players where purse > 0: turn: choose take

score savings of player: coins of player - 2 * debts of player

winner: most savings, then least debts of player
"""

WALK = """module walk:
    "A piece goes to and fro until somebody stops."

players 2

space road: ring 4

state:
    piece: cell of road = origin of road
    prize of player: 0..9

action go(to in around(piece)):
    effect go: piece := to

action grab:
    require far: distance(piece, origin of road) = 2 else "it is near"
    effect gain: prize of player += 1
    effect end: end game

flow:
    repeat:
        for player in players: turn: choose go, grab

score prizes of player: prize of player
"""

GOOSE = """module goose:
    "Whoever walks goes one field; whoever throws goes as far as the die says, and back from beyond the end."

players 2

state:
    field of player: 0..12
    die:             1..3
    throws:          0..9 = 5

action walk:
    effect go: field of player := min(field of player + 1, 12)
    effect tire: throws -= 1

action throw:
    effect roll: roll die
    effect go: field of player := if field of player + die > 6 then 3 else field of player + die
    effect tire: throws -= 1

flow:
    repeat until throws = 0:
        for player in players where throws > 0: turn: choose walk, throw

score way of player: field of player

winner: most way
"""

OWN = {"auction": AUCTION, "walk": WALK, "goose": GOOSE}

GAMES = {
    "noughts_and_crosses": ("win for {}", "maximise rows of {} until end against best play"),
    "connect_four": ("win for {}",),
    "worker_placement": (
        "maximise wealth of {} - wealth of 2 until end against best play",
        "minimise wealth of {} until end against best play",
        "win for {}",
    ),
    "auction": ("maximise savings of {} until end against best play", "win for {}"),
    "walk": ("maximise prizes of {} - prizes of 2 for 7 turns against best play",),
    "goose": ("maximise way of {} - 2 * way of 1 until end against best play", "win for {}"),
}
PLAYERS = {"auction": 3}

FROM_THE_BEGINNING = {"walk", "goose"}
"""Games so small that they are enumerated from anywhere."""


@cache
def game(name: str) -> Game:
    text = OWN[name] if name in OWN else (SHIPPED / "classics" / f"{name}.rules").read_text("utf-8")
    module = parse_module(text, name)
    return link({module.header.name: module}, [module.header.name])


@cache
def engine_of(name: str) -> Engine:
    return Engine.of(game(name), PLAYERS.get(name, 2))


def question(name: str, text: str) -> Question:
    ask = parse_puzzle(f"puzzle asked:\n    rules asked\n    ask: {text}\n", "asked").ask
    assert ask is not None
    return question_of(game(name), ask, PLAYERS.get(name, 2))


def endgame(name: str, rng: random.Random, most: int) -> State:
    """A position from a random game from which play comes to few others."""
    engine = engine_of(name)
    if name == "walk":
        return engine.start(rng.randrange(100))
    while True:
        state, line = engine.start(rng.randrange(100)), []
        while not engine.over(state):
            line.append(state)
            state = engine.apply(state, rng.choice(engine.legal(state)))
        begun = line[max(0, len(line) - rng.randint(1, 7)) :][0]
        if best_play_value(engine, begun, 1, lambda state: 0, most) is not None:
            return begun


@frozen
class Searches:
    """What is held against the enumeration: the classes as they are, or with a fault."""

    problem: Any = MinimaxProblem
    plain: Any = PlainSearch
    kernel: Any = KernelSearch
    proofs: Any = ProofSearch
    best_play: Any = BestPlaySearch
    seconds: float = 60


def compare(name: str, state: State, asked: Question, searches: Searches = Searches()) -> int:  # noqa: B008
    """All searches give the value of the enumeration, with a line of play that has it; gives the states by null windows."""
    engine = engine_of(name).with_horizon(asked.horizon)
    truth = MinimaxProblem(engine, state, asked)
    expected = best_play_value(engine, state, truth.player, truth.value)
    problem, deadline = searches.problem(engine, state, asked), time.monotonic() + searches.seconds
    for judge in (kind(problem, deadline, Limits()) for kind in (searches.plain, searches.proofs, searches.kernel)):
        found = searches.best_play(problem, judge).run()
        assert (found.lower, found.upper) == (expected, expected)
        assert found.plan is not None
        at = state
        for move in found.plan:
            assert move in engine.legal(at)
            at = engine.apply(at, move)
            assert best_play_value(engine, at, truth.player, truth.value) == expected
        assert engine.over(at)
        assert truth.value(at) == expected
    return int(judge.states)


def random_endgames(number: int, seed: int) -> Iterator[tuple[str, State, Question]]:
    """So many of each game."""
    rng = random.Random(seed)
    questions = {
        name: [question(name, ask.format(player)) for ask in asks for player in range(1, PLAYERS.get(name, 2) + 1)]
        for name, asks in GAMES.items()
    }
    for _ in range(number):
        for name, asked in questions.items():
            yield name, endgame(name, rng, 400), rng.choice(asked)
