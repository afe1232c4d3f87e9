"""Random games of Connect Four side by side, beside OpenSpiel and pgx in the same run: `python bench/batches.py [--seconds 5]`.

Actions a second by the clock, in rounds that alternate. All play by numpy: an array of legal actions in, an array of actions
out. OpenSpiel's games are C++ stepped from Python one by one, its usual way; pgx's are compiled by XLA for the processor.
Needs `pip install open_spiel pgx`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from page import environment, row, write_section

import rulewright

RULES = """module connect_four:
    "Connect Four on seven columns and six rows."

players 2

space board: square grid 7 x 6 of tiles, 8 neighbours

tiles discs:
    yellow  x21
    red     x21

state:
    won of player: truth

define disc(p):
    = yellow
    second: red when p = 2

define mine(p, c) = at(c) = disc(p)

define two(p, c, d):
    "The two cells ahead hold a player's discs."
    = mine(p, step(c, d)) and mine(p, step(step(c, d), d))

define completes(p, c, d):
    "A disc here is the end of a row of four in a direction, or the second in one."
    = two(p, c, d) and (mine(p, step(step(step(c, d), d), d)) or mine(p, step(c, opposite(d))))

define full = every c in board: occupied(c)

action drop(to in board):
    notation "drop {to}"
    require vacant: not occupied(to)
    require supported: step(to, S) not in board or occupied(step(to, S))
    effect put: put disc(player) at to from box
    effect win: if some d in directions(board): completes(player, to, d): won of player := yes

flow:
    repeat until won of 1 or won of 2 or full:
        for player in players where not (won of 1 or won of 2 or full):
            choose drop

score rows of player: if won of player then 1 else 0

winner: most rows
"""
GAMES = 1 << 16
PLIES = 42
"""A game has no more, so that all have ended after as many rounds."""

Rounds = Iterator[int]
"""Plays on; each item is a number of actions taken."""


def ours(workers: int) -> Rounds:
    """Rounds of batches, the random choice by the kernel too."""
    batch = rulewright.load_game(text=RULES).batch(GAMES, workers=workers)
    for seed in range(1 << 62):
        actions = batch.random(seed)
        batch.step(actions)
        yield int(np.count_nonzero(actions >= 0))
        if seed % PLIES == PLIES - 1:
            batch.reset()


def ours_by_mask() -> Rounds:
    """The same with the random choice by numpy, as a learner's policy would choose."""
    batch, dice = rulewright.load_game(text=RULES).batch(GAMES), np.random.default_rng(1)
    for number in range(1 << 62):
        actions = np.argmax(batch.legal * dice.random(batch.legal.shape, dtype=np.float32), axis=1)
        running = int(np.count_nonzero(~batch.is_over))
        batch.step(actions)
        yield running
        if number % PLIES == PLIES - 1:
            batch.reset()


def open_spiel() -> Rounds:
    """One game after the other, in OpenSpiel's C++ from Python."""
    import pyspiel

    game, dice = pyspiel.load_game("connect_four"), np.random.default_rng(1)
    while True:
        state, taken = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(dice.integers(len(legal)))])
            taken += 1
        yield taken


def pgx() -> Rounds:
    """Batches in XLA; a game that has ended stays as it is."""
    import jax
    import pgx as games

    env = games.make("connect_four")
    begin, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))

    @jax.jit
    def choose(key, mask):  # type: ignore[no-untyped-def]
        return jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9), axis=1)

    key = jax.random.PRNGKey(1)
    while True:
        key, own = jax.random.split(key)
        state = begin(jax.random.split(own, GAMES))
        for _ in range(PLIES):
            key, own = jax.random.split(key)
            running = int((~state.terminated).sum())
            state = step(state, choose(own, state.legal_action_mask))
            yield running


PLAYERS: dict[str, Callable[[], Rounds]] = {
    "Rulewright, two threads, chosen by the kernel": partial(ours, 2),
    "Rulewright, one thread, chosen by the kernel": partial(ours, 1),
    "Rulewright, two threads, chosen by numpy": ours_by_mask,
    "pgx, XLA on the processor": pgx,
    "OpenSpiel, C++ from Python": open_spiel,
}


def speed(rounds: Rounds, seconds: float) -> float:
    """Actions a second."""
    began, taken = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        taken += next(rounds)
    return taken / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each in a round")
    parser.add_argument("--rounds", type=int, default=3)
    wish = parser.parse_args()
    playing = {name: make() for name, make in PLAYERS.items()}
    for rounds in playing.values():
        speed(rounds, 1.0)  # compiles
    found: dict[str, list[float]] = {name: [] for name in playing}
    for _ in range(wish.rounds):
        for name, rounds in playing.items():
            found[name].append(speed(rounds, wish.seconds))
    lines = [f"| Actions a second, Connect Four, {GAMES:,} games | Median | Least | Most |", "|---|--:|--:|--:|"]
    lines += [row(name, values) for name, values in found.items()]
    first = statistics.median(next(iter(found.values())))
    lines += ["", *(f"{first / statistics.median(values):.1f} times {name}" for name, values in list(found.items())[3:])]
    write_section("batches", [*lines, "", *environment()])


if __name__ == "__main__":
    main()
