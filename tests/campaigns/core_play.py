"""Games played at random in the core and in compiled Python: every game that ships, from set-ups and positions.

python -m tests.campaigns.core_play [--most CHOICES] [--seconds SECONDS] [--only MODULE …] [GAMES [FIRST]]
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import Counter
from collections.abc import Iterator

from rulewright.rules.core.player import CorePlayer
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.spaces import Extent
from tests.campaigns.random_play import beginning_of, is_whole, modules
from tests.rules.core.in_step import begun, play_in_step, player_of
from tests.rules.playing import any_move, lively

MOST = 40
"""Choices of a game."""

PLAYERS: dict[int, tuple[Engine, CorePlayer]] = {}
"""By the identity of the engine, which stays alive with it."""


def known_player(engine: Engine) -> CorePlayer:
    if id(engine) not in PLAYERS:
        PLAYERS[id(engine)] = engine, player_of(engine)
    return PLAYERS[id(engine)][1]


def small(engine: Engine) -> Engine:
    """The game with small windows of its unbounded spaces, where the core loops over all cells."""
    unbounded = {name: window for name, window in engine.instance.windows.items() if window.unbounded}
    around = {
        name: Extent(tuple(max(low, -9) for low in found.low), tuple(min(high, 9) for high in found.high))
        for name, window in unbounded.items()
        for found in [Extent(window.coordinates[0], window.coordinates[-1])]
    }
    return Engine.of(engine.game, engine.instance.players, around) if around else engine


def plays(name: str, games: range, most: int) -> Iterator[int]:
    """The states compared in each game; every third plays up to a horizon."""
    for number in games:
        beginning = beginning_of(name, number, False)
        engine = small(beginning.engine) if beginning.position is None else beginning.engine
        points = [point for choice in engine.choices for point in choice.points]
        if number % 3 == 2 and points:
            engine = engine.with_horizon(Horizon(points[-1], 2))
        player = known_player(engine)
        state = begun(player, engine, number) if beginning.position is None else beginning.position
        if state is not None:
            yield play_in_step(player, engine, state, number, lively if number % 2 else any_move, most)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="?", type=int, default=6)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[], metavar="MODULE")
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--seconds", type=float, default=20, help="processor time after which a module begins no other game")
    given = parser.parse_args()
    states: Counter[str] = Counter()
    differ: list[str] = []
    for name in filter(is_whole, given.only) if given.only else modules():
        began = processor_time()
        try:
            for compared in plays(name, range(given.first, given.first + given.games), given.most):
                states[name] += compared
                if processor_time() - began > given.seconds:
                    break
        except AssertionError as error:
            differ.append(f"{name}: {str(error)[:400]}")
        found = "differs" if differ and differ[-1].startswith(f"{name}:") else "agrees"
        print(f"{name}: {found}, {states[name]} states, {processor_time() - began:.1f} s", flush=True)
    print("\n".join(differ))
    print(f"{len(states)} games, {sum(states.values())} states compared, {len(differ)} games differ")
    sys.exit(1 if differ else 0)


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
