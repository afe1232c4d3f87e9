"""Games played at random in the core and in compiled Python, which must agree on every list of moves, state and score.

python -m tests.campaigns.core_play [--most CHOICES] [--seconds SECONDS] [GAMES [FIRST [MODULE …]]]
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar

from rulewright.rules.core.interpreter import Faulted
from rulewright.rules.core.lower import lower
from rulewright.rules.core.player import CorePlayer, CoreState
from rulewright.rules.core.states import core_state
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from tests.campaigns.random_play import beginning_of, choose, modules

MOST = 40
"""Choices of a game."""

Result = TypeVar("Result")


PLAYERS: dict[int, tuple[Engine, CorePlayer]] = {}
"""By the identity of the engine, which stays alive with it."""


def player_of(engine: Engine) -> CorePlayer:
    if id(engine) not in PLAYERS:
        PLAYERS[id(engine)] = engine, CorePlayer(lower(engine.instance, engine.flow, engine.horizon))
    return PLAYERS[id(engine)][1]


def play(engine: Engine, state: State, number: int, most: int = MOST) -> int:
    """Play the first choices of a game; the number of states compared. Raises `AssertionError`."""
    player, dice = player_of(engine), random.Random(number)
    for compared in range(most):
        seen = core_state(player.core, engine.layout, state)
        moves = same(lambda: engine.legal(state), lambda: player.legal(seen))
        scores = same(lambda: tuple(score(state) for score in engine.scores), lambda: player.scores(seen))
        if not moves or scores is None:
            return compared + 1
        move = choose(dice, moves, number % 3 > 0)
        after = same(lambda: seen_of(engine, engine.apply(state, move)), lambda: player.apply(seen, move))
        if after is None:
            return compared + 1
        state = engine.apply(state, move)
    return most


def seen_of(engine: Engine, state: State) -> CoreState:
    return core_state(player_of(engine).core, engine.layout, state)


def same(compiled: Callable[[], Result], core: Callable[[], Result]) -> Result | None:
    """What both say; None if both stop on a fault of the rules."""
    one, other = outcome(compiled), outcome(core)
    assert one == other, f"the core says {other}, compiled code {one}"
    return one


def outcome(read: Callable[[], Result]) -> Result | None:
    try:
        return read()
    except (PlayError, Faulted):
        return None


def plays(name: str, games: range, most: int) -> Iterator[int]:
    """The states compared in each game: from set-ups in the core's own words, and from positions; every third up to a horizon."""
    for number in games:
        beginning = beginning_of(name, number, False)
        engine = beginning.engine
        points = [point for choice in engine.choices for point in choice.points]
        if number % 3 == 2 and points:
            engine = engine.with_horizon(Horizon(points[-1], 2))
        state = engine.start(number) if beginning.position is None else beginning.position
        if beginning.position is None:
            core = player_of(engine).core
            before = core_state(core, engine.layout, (*engine.unset[:1], number, *engine.unset[2:]))
            begun = player_of(engine).start(CoreState(0, number, before.columns))
            assert begun == core_state(core, engine.layout, state), "the game begins in another state"
        yield play(engine, state, number, most)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="?", type=int, default=6)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--seconds", type=float, default=20, help="processor time for a module, after which its next game is left out")
    given = parser.parse_args()
    states: Counter[str] = Counter()
    faults: list[str] = []
    for name in given.modules or modules():
        began = processor_time()
        try:
            for compared in plays(name, range(given.first, given.first + given.games), given.most):
                states[name] += compared
                if processor_time() - began > given.seconds:
                    break
        except AssertionError as error:
            faults.append(f"{name}: {str(error)[:400]}")
        print(f"{name}: {states[name]} states, {processor_time() - began:.1f} s", flush=True)
    print("\n".join(faults))
    print(f"{len(states)} games, {sum(states.values())} states compared, {len(faults)} games differ")
    sys.exit(1 if faults else 0)


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
