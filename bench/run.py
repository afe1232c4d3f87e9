"""Races generated Python against a handwritten simulator: `just bench` (`--rounds 9 --games 400 --no-page`).

Both play solo games of Beacon Patrol at random: list every legal action, pick one uniformly, apply it, score the end. The
rounds alternate, so that other load on the machine affects both. Times are processor times.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import peer_beacon_patrol
from attrs import frozen
from page import environment, row, write_section

from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine


@frozen
class Round:
    """Actions per second of both in one round."""

    peer: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.peer


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


def race(ours: Callable[[range], float], rounds: int, games: int) -> list[Round]:
    """Rounds of both, each with its own seeds, alternating which goes first. An unmeasured round warms both up.

    `ours` plays the games of some seeds; both return actions per second.
    """
    peer = partial(actions_per_second, peer_beacon_patrol.play_random)
    found = []
    for number in range(-1, rounds):
        seeds = range(1 + number * games, 1 + (number + 1) * games)
        speeds = {play: play(seeds) for play in ((peer, ours) if number % 2 else (ours, peer))}
        if number >= 0:
            found.append(Round(speeds[peer], speeds[ours]))
    return found


def report(rounds: Sequence[Round], games: int) -> list[str]:
    """The lines of the section of the page."""
    ratios = [one.ratio for one in rounds]
    return [
        *environment(),
        "",
        f"{len(rounds)} rounds of {games} random solo games, by processor time.",
        "",
        "| | median | worst | best |",
        "|---|--:|--:|--:|",
        row("the peer, actions per second", [one.peer for one in rounds]),
        row("Rulewright, actions per second", [one.ours for one in rounds]),
        f"| ratio, by round | {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=300, help="games of each in a round")
    parser.add_argument("--no-page", action="store_true", help="print only; leave docs/performance.md as it is")
    wish = parser.parse_args()
    engine = Engine.of(Project(Path(__file__).parent).load("beacon_patrol"), 1)
    ours = partial(actions_per_second, partial(play_random, engine))
    lines = report(race(ours, wish.rounds, wish.games), wish.games)
    print("\n".join(lines))
    if not wish.no_page:
        write_section("random games", lines)


if __name__ == "__main__":
    main()
