"""Whether one move is legal, asked of the interpreter, against the list of legal moves that is compiled."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import Attempt
from rulewright.rules.play.why_illegal import why_not
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.playing import MODULES, engine_of, linked

GAMES = (
    ("beacon_patrol", 1),
    ("penguin_pirates", 3),
    ("castles_by_the_sea.solo", 1),
    ("classics.carcassonne", 1),
    ("classics.sokoban", 1),
    ("classics.noughts_and_crosses", 2),
    ("classics.connect_four", 2),
)


SMALL = sorted(path.stem for path in MODULES.glob("*.rules"))
"""Games of one construct each."""


def attempt_at(engine: Engine, move: Move) -> Attempt | None:
    return None if move == STOP else Attempt(list(engine.game.actions.values())[move[0]], tuple(move[1:]))


def moves_like(legal: list[Move], rng: random.Random) -> list[Move]:
    """Moves with arguments of several legal ones: some are legal, most are not."""
    mixed = []
    for _ in range(12):
        one = rng.choice(legal)
        alike = [move for move in legal if move[0] == one[0]]
        mixed.append((one[0], *(rng.choice(alike)[at] for at in range(1, len(one)))))
    return mixed


def judged(engine: Engine, rng: random.Random) -> dict[bool, int]:
    """Judge moves of random games both ways; how many are legal and how many are not."""
    seen = {True: 0, False: 0}
    for seed in range(4):
        state: State = engine.start(seed)
        played: list[Move] = []
        for _ in range(12):
            legal = [] if engine.over(state) else engine.legal(state)
            if not legal:
                break
            for move in {*rng.sample(legal, min(4, len(legal))), *moves_like(legal, rng), *played, STOP}:
                is_legal = not why_not(engine, state, attempt_at(engine, move))
                assert is_legal == (move in legal), move
                seen[is_legal] += 1
            played.append(rng.choice(legal))
            try:
                state = engine.apply(state, played[-1])
            except PlayError:
                break
    return seen


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_move_is_legal_where_it_is_listed(name: str, players: int) -> None:
    seen = judged(engine_of(players, name), random.Random(name))
    assert seen[True] > 0 and seen[False] > 0


@pytest.mark.parametrize("name", SMALL)
def test_so_it_is_with_every_construct(name: str) -> None:
    game = linked((MODULES / f"{name}.rules").read_text("utf-8"))
    assert judged(Engine.of(game, game.players.high), random.Random(name))[True] > 0
