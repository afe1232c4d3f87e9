"""Whole random games; at every choice the state as text and back, and the view of every player.

python -m tests.games.penguin_pirates.voyages PLAYERS [FIRST [GAMES]]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import visible_values
from tests.campaigns.random_play import again, comparable, tiles
from tests.games.penguin_pirates.sailing import GAME, engine, get, random_game
from tests.games.penguin_pirates.test_secrets import scrambled

ENDS = {"safe", "sunk", "caught", "too_late"}


def check_views(here: Engine, state: State, dice: random.Random) -> int:
    """Nothing that anybody sees or may do depends on what is hidden from them; in how many views there was something hidden."""
    hidden = 0
    for viewer in (None, *range(1, here.instance.players + 1)):
        other = scrambled(here, state, viewer, dice)
        hidden += other != state
        assert visible_values(here, other, viewer) == visible_values(here, state, viewer), (
            f"player {viewer} sees what is hidden"
        )
        if viewer == here.player(state) and not here.over(state):
            assert here.legal(other) == here.legal(state), "what may be done depends on what is hidden"
    return hidden


def sail(players: int, seed: int) -> Counter[str]:
    """Play one game; its end, its choices, and the views in which something was hidden. Raises `AssertionError`."""
    here, dice, count = engine(players), random.Random(f"views {seed}"), Counter[str]()
    everything = tiles(here, here.start(seed))
    for state in random_game(here, seed):
        assert tiles(here, state) == everything, "a tile was lost or found"
        assert comparable(again(here, state, GAME)) == comparable(state), "the text is another state"
        count["views"] += check_views(here, state, dice)
        count["choices"] += not here.over(state)
    fate = here.game.enumerations["fate"][get(here, state, "fate")]
    assert fate in ENDS
    return count + Counter({fate: 1})


def main() -> int:
    players, first, games = (*map(int, sys.argv[1:]), *(4, 0, 10)[len(sys.argv) - 1 :])
    began, total, faults = time.process_time(), Counter[str](), 0
    for seed in range(first, first + games):
        try:
            total += sail(players, seed)
        except AssertionError as error:
            faults += 1
            print(f"game {seed}: {error}", flush=True)
    print(f"{players} players, games {first}..{first + games - 1}: {dict(total)}, {faults} faults,", end=" ")
    print(f"{time.process_time() - began:.0f} s")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
