"""Small games with two exceptions on random conditions, and all their states in which both hold."""

from __future__ import annotations

import random
from itertools import product

from attrs import frozen

from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.test_explanations import game_of

RULES = """
module plain:
    "Numbers to compare."

players 1..1

state:
    a: 0..3
    b: 0..3
    t: truth

define w:
    = 0
    x: 1 when {x}
    y: 2 when {y}

action up:
    require room: a < 3
    effect more: a += 1

action over:
    require room: b < 3 and a > 0
    effect less: a -= 1
    effect more: b += 1

action turn:
    effect flip: t := not t

flow:
    repeat: choose up, over, turn, or stop

score worth: w
"""


@frozen
class Clashing:
    """A game, the places of its three variables, and their values where both hold; all states can be reached, in few moves."""

    game: Game
    places: tuple[int, ...]
    clashing: frozenset[tuple[int, ...]]

    def clashes_in(self, state: State) -> bool:
        return tuple(state[place] for place in self.places) in self.clashing


def clashing_game(seed: int) -> Clashing:
    """The game of a seed, held against all of its states."""
    rng = random.Random(seed)
    game = game_of([RULES.format(x=conditions(rng), y=conditions(rng))])
    engine = Engine.of(game, 1)
    places = tuple(engine.layout.position(name, None) for name in "abt")
    clashing = set()
    for values in product(range(4), range(4), range(2)):
        state = list(engine.start())
        for place, value in zip(places, values, strict=True):
            state[place] = value
        try:
            engine.score(tuple(state))
        except PlayError:
            clashing.add(values)
    return Clashing(game, places, frozenset(clashing))


def conditions(rng: random.Random, depth: int = 2) -> str:
    """A random condition on the two numbers and the truth value."""
    if depth and rng.random() < 0.6:
        joined = f" {rng.choice(['and', 'or'])} ".join(conditions(rng, depth - 1) for _ in range(2))
        return f"(not ({joined}))" if rng.random() < 0.3 else f"({joined})"
    number = rng.choice(["a", "b", "a + b", "a * 2", "b mod 2", "max(a, b)"])
    return rng.choice(["t", "not t", f"{number} {rng.choice(['=', '<', '>=', '!='])} {rng.randrange(4)}"])
