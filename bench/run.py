"""The compiled reading against the peer, in the same run: `just bench` (arguments: `--rounds 9 --games 400 --no-page`).

Both play solo games of Beacon Patrol at random: list every legal action, pick one uniformly, apply it, score the end. The
rounds alternate, so that whatever else the machine does meets both. Times are processor times.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import peer_beacon_patrol
from attrs import frozen
from page import environment, write_section

from rulewright.rules.linking.project import Project
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State


@frozen
class Round:
    """Actions per second of both in one round."""

    peer: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.peer


@frozen
class Game:
    """One random game of ours: the state before each move, and the move."""

    start: State
    moves: tuple[tuple[State, Move], ...]
    end: State


def play_random(engine: Engine, seed: int) -> tuple[int, int]:
    """Plays one game; the number of actions and the score. The policy is the peer's."""
    pick = Random(seed).random
    legal, apply, over = engine.legal, engine.apply, engine.over
    state = engine.start(seed)
    actions = 0
    while not over(state):
        options = legal(state)
        state = apply(state, options[int(pick() * len(options))])
        actions += 1
    return actions, engine.score(state)


def actions_per_second(play: Callable[[int], tuple[int, int]], seeds: range) -> float:
    began = time.process_time()
    actions = sum(play(seed)[0] for seed in seeds)
    return actions / (time.process_time() - began)


def race(engine: Engine, rounds: int, games: int) -> list[Round]:
    """Rounds of both, each on seeds of its own; who goes first alternates. An unmeasured round warms both up."""

    def ours(seed: int) -> tuple[int, int]:
        return play_random(engine, seed)

    found = []
    for number in range(-1, rounds):
        seeds = range(1 + number * games, 1 + (number + 1) * games)
        order = [peer_beacon_patrol.play_random, ours]
        speeds = {play: actions_per_second(play, seeds) for play in (order if number % 2 else order[::-1])}
        if number >= 0:
            found.append(Round(speeds[peer_beacon_patrol.play_random], speeds[ours]))
    return found


def record(engine: Engine, seed: int) -> Game:
    """A random game with everything that was passed through."""
    pick = Random(seed).random
    start = state = engine.start(seed)
    moves = []
    while not engine.over(state):
        options = engine.legal(state)
        move = options[int(pick() * len(options))]
        moves.append((state, move))
        state = engine.apply(state, move)
    return Game(start, tuple(moves), state)


def shares(engine: Engine, games: int) -> dict[str, float]:
    """Where the time of a game goes: the same calls again, one kind at a time."""
    seeds = range(1, games + 1)
    began = time.process_time()
    for seed in seeds:
        play_random(engine, seed)
    whole = time.process_time() - began
    recorded = [record(engine, seed) for seed in seeds]
    steps = [step for game in recorded for step in game.moves]
    parts = {
        "legal": _seconds(engine.legal, [(state,) for state, _ in steps]),
        "apply": _seconds(engine.apply, steps),
        "set-up": _seconds(engine.start, [(seed,) for seed in seeds]),
        "score": _seconds(engine.score, [(game.end,) for game in recorded]),
    }
    parts["choosing and the rest"] = max(whole - sum(parts.values()), 0.0)
    return {name: seconds / whole for name, seconds in parts.items()}


def _seconds(call: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> float:
    began = time.process_time()
    for given in arguments:
        call(*given)
    return time.process_time() - began


def report(rounds: Sequence[Round], where: dict[str, float], games: int) -> list[str]:
    """The lines for the page."""
    peer, ours = [r.peer for r in rounds], [r.ours for r in rounds]
    ratios = sorted(r.ratio for r in rounds)
    return [
        *environment(),
        "",
        f"{len(rounds)} rounds of {games} solo games at random, processor time.",
        "",
        "| | best | median | worst |",
        "|---|---|---|---|",
        _row("the peer, actions per second", peer),
        _row("Rulewright, actions per second", ours),
        f"| ratio of the same round | {ratios[-1]:.2f} | {statistics.median(ratios):.2f} | {ratios[0]:.2f} |",
        "",
        "Where Rulewright's time goes: " + ", ".join(f"{name} {share:.0%}" for name, share in where.items()) + ".",
    ]


def _row(name: str, speeds: Sequence[float]) -> str:
    return f"| {name} | {max(speeds):,.0f} | {statistics.median(speeds):,.0f} | {min(speeds):,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=300, help="games of each in a round")
    parser.add_argument("--no-page", action="store_true", help="print only; leave docs/performance.md as it is")
    wish = parser.parse_args()
    engine = Engine.of(Project(Path(__file__).parent).load("beacon_patrol"), 1)
    lines = report(race(engine, wish.rounds, wish.games), shares(engine, wish.games), wish.games)
    print("\n".join(lines))
    if not wish.no_page:
        write_section("random games", lines)


if __name__ == "__main__":
    main()
