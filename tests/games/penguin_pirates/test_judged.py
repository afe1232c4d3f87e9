"""Random games, move for move, under the eyes of the independent judge."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from tests.games.penguin_pirates.judge import Voyage, axial
from tests.games.penguin_pirates.sailing import engine, get

GAMES = 2_000
LOSSES = {"sunk", "caught", "too_late"}


def sailed(here: Engine, seed: int) -> tuple[str, int]:
    """How a random game ends, and after how many choices; the judge has to agree with all that it was."""
    dice, state = random.Random(seed), here.start(seed)
    voyage = Voyage.of(here, state)
    play = voyage.play()
    offer = next(play)
    choices = 0
    while not here.over(state):
        legal = {format_move(here, state, move): move for move in here.legal(state)}
        assert (here.player(state), set(legal)) == offer
        chosen = dice.choice(list(legal))
        state, choices = here.apply(state, legal[chosen]), choices + 1
        try:
            offer = play.send(chosen)
        except StopIteration:
            assert here.over(state)
        assert public(here, state) == told(voyage), (seed, choices, chosen)
    assert voyage.fate in LOSSES | {"safe"}
    return voyage.fate, choices


def public(here: Engine, state: State) -> dict[str, object]:
    """What of a state the judge has an opinion of."""
    names = ("sails", "speed", "water", "fish", "rescued")
    return {name: get(here, state, name) for name in names} | {
        "ship": hex_of(here, get(here, state, "ship")),
        "heading": here.instance.windows["sea"].directions[get(here, state, "heading")],
        "pirate": hex_of(here, get(here, state, "pirate")),
        "pirate_heading": here.instance.windows["sea"].directions[get(here, state, "pirate_heading")],
        "fate": here.game.enumerations["fate"][get(here, state, "fate")],
        "sea": {
            hex_of(here, cell): here.game.tiles[tile - 1].name
            for cell, tile in enumerate(state[here.layout.position("sea", None)])
            if tile
        },
    }


def told(voyage: Voyage) -> dict[str, object]:
    names = ("sails", "speed", "water", "fish", "rescued", "ship", "heading", "pirate", "pirate_heading", "fate")
    sea = {here: hex for place in voyage.open for here, hex in voyage.boards[place].items()}
    return {name: getattr(voyage, name) for name in names} | {"sea": sea}


def hex_of(here: Engine, cell: int) -> tuple[int, int] | None:
    window = here.instance.windows["sea"]
    return None if cell == window.nowhere else axial(*window.coordinates[cell])


@pytest.mark.parametrize("players", [3, 4])
def test_random_games(players: int) -> None:
    ends = Counter(sailed(engine(players), seed)[0] for seed in range(30))
    assert set(ends) == LOSSES  # nobody comes home by chance


@pytest.mark.campaign
@pytest.mark.parametrize("players", [3, 4])
def test_many_random_games(players: int) -> None:
    games = [sailed(engine(players), seed) for seed in range(GAMES)]
    print(players, Counter(end for end, _ in games), sum(choices for _, choices in games))
    assert {end for end, _ in games} >= LOSSES
