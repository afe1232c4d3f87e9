"""The compiled reading against the reference, state for state: the game as printed and as changed."""

from __future__ import annotations

import pytest

from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces import Extent
from tests.rules.playing import any_move, engine_of, linked, lively, play_in_step, variant

WIDE_ENOUGH = Extent((-20, -20), (20, 20))

CHANGES = {
    **{f"tokens_{n}": "change allowance:\n" + "".join(f"    tokens[{p}] = {n}\n" for p in range(1, 5)) for n in range(7)},
    **{f"tiles_{n}": "change allowance:\n" + "".join(f"    tiles[{p}] = {n}\n" for p in range(1, 5)) for n in (1, 2, 5)},
    "other_worths": """
change worth:
    replace value: number(at(c), house)
    replace lighthouse: 3 + count n in nearby(c) where occupied(n) and at(n) has house when at(c) has lighthouse:
        lonely: 9 when not some n in around(c): occupied(n) and every d in directions(sea): side(at(n), d) = water
    drop buoy
""",
    "clashing_worths": "change worth:\n    shore: 4 when some d in directions(sea): side(at(c), d) = land\n",
    "explored_by_eight": "change explored:\n    replace value: occupied(c) and every n in nearby(c): occupied(n)\n",
    "explored_by_three": "change explored:\n    replace value: occupied(c) and (count n in around(c) where occupied(n)) >= 3\n",
    "explored_by_water": """
change explored:
    replace value:
        occupied(c) and size(closure of c under a to b in around(a) where occupied(b) and joined(a, b, water)) >= 5
""",
    "land_ships": "change place:\n    drop by_water\nchange sail:\n    drop by_water\n",
    "loose_edges": "change place:\n    drop matching\n    drop vacant\n    require vacant: at(to) = nothing\n",
    "nearby": """
change place:
    replace parameter to in nearby(ship of player)
    replace by_water: yes
change sail:
    replace parameter to in nearby(ship of player)
    replace by_water: yes
""",
    "far_away": """
change sail:
    replace parameter to in those c in sea where occupied(c) and c != ship of player
    replace by_water:
        ship of player in (closure of to under a to b in around(a) where occupied(b) and joined(a, b, water))
        and distance(to, ship of player) <= tokens of player
    replace pay: tokens of player -= distance(to, ship of player)
    drop charted
    drop token
""",
    "along_lines": """
change sail:
    replace parameter to in those c in sea where occupied(c)
    replace by_water:
        some d in directions(sea): to in line(ship of player, d) and
        every c in line(ship of player, d) where distance(c, ship of player) < distance(to, ship of player): occupied(c)
""",
    "one_of_each": """
change place:
    require new:
        (not some c in sea where occupied(c): at(c) = tile) or tile = top(draw)
        else "there is such a tile"
change jettison:
    require buoyant: tile has buoy or at(ship of player) has lighthouse
""",
    "generous": """
change end_turn:
    replace flip:
        for p in players where empty(hand of p):
            if tokens of p < 3: tokens of p += 2
            else: deal 1 from draw to hand of p
    bury: move top(draw) to discarded from draw
    mend:
        for t in tiles where t in hand of player and t has lighthouse:
            move t to discarded from hand of player
            tokens of player := min(9, tokens of player + size(discarded) mod 3)
""",
    "short": """
change place:
    effect enough:
        if (count c in sea where explored(c)) >= 2: end game
        else:
            if tile has lighthouse: stop
""",
}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_game_as_printed(players: int) -> None:
    engine = engine_of(players)
    for seed in range(4):
        for _ in play_in_step(engine, seed, lively if seed % 2 else any_move):
            pass


@pytest.mark.parametrize("players", [3, 4])
def test_a_game_with_cards_and_secrets(players: int) -> None:
    for seed in range(3):
        for _ in play_in_step(engine_of(players, "penguin_pirates"), seed):
            pass


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("players", [1, 3])
def test_the_game_changed(players: int, change: str) -> None:
    engine = Engine.of(linked(variant(CHANGES[change])), players, {"sea": WIDE_ENOUGH})
    for _ in play_in_step(engine, players, lively, 40):
        pass


@pytest.mark.parametrize("seed", range(2))
def test_a_horizon(seed: int) -> None:
    engine = engine_of(2).with_horizon(Horizon("turn", 5))
    *_, (last, _) = play_in_step(engine, seed)
    assert engine.over(last)
    assert last[2] == 5
