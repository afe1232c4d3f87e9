"""Random actions a second of processor time beside peers, in rounds that alternate: `python bench/actions.py` (`--page`).

Games of the library in machine code, with their set-up, one thread; OpenSpiel (`open_spiel`) and python-chess (`chess`) from
Python, as their users call them. A peer that is not installed, and a game that it lacks, is left out.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from page import environment, write_section

from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import RANDOM, Seats
from rulewright.solver.playouts.runner import PlayoutProgram

SPIELS = {
    "classics.othello": "othello",
    "classics.draughts": "checkers",
    "classics.breakthrough": "breakthrough",
    "classics.amazons": "amazons",
    "classics.nine_mens_morris": "nine_mens_morris",
    "classics.hex": "hex(board_size=4)",
    "classics.chess": "chess",
    "classics.xiangqi": "",
}
LONGEST = 2_000
"""The most actions of a game."""

SECONDS = 1.0
"""Of a round."""

GAMES = 50
"""Of ours in a call, since those of some games are short."""

Playing = Callable[[], int]
"""Plays a few games to the end, and says how many actions they had."""


def ours(name: str) -> Playing:
    engine = Engine.of(Project(Path(__file__).parent).load(name), 2)
    worker, seeds = PlayoutProgram.of(engine, None, Seats(RANDOM), LONGEST).worker(), count()

    def play() -> int:
        ends = worker.play([next(seeds) for _ in range(GAMES)])
        return sum(LONGEST if end.length is None else end.length for end in ends if end is not None)

    return play


def peers(name: str) -> Iterator[tuple[str, Playing]]:
    rng = random.Random(1)
    if SPIELS[name] and (spiel := installed("pyspiel")) is not None:
        game = spiel.load_game(SPIELS[name])

        def play() -> int:
            state = game.new_initial_state()
            for length in range(LONGEST):
                if state.is_terminal():
                    return length
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])
            return LONGEST

        yield "OpenSpiel", play
    if name == "classics.chess" and (chess := installed("chess")) is not None:

        def play_chess() -> int:
            board = chess.Board()
            for length in range(LONGEST):
                moves = list(board.legal_moves)
                if not moves:
                    return length
                board.push(moves[int(rng.random() * len(moves))])
            return LONGEST

        yield "python-chess", play_chess


def installed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def speed(play: Playing) -> float:
    """Actions a second of processor time."""
    began, actions = time.process_time(), 0
    while (taken := time.process_time() - began) < SECONDS:
        actions += play()
    return actions / taken


def row(name: str, rounds: int) -> str:
    own, others = ours(name), dict(peers(name))
    own()  # compile
    speeds = [{who: speed(play) for who, play in {"": own, **others}.items()} for _ in range(rounds)]
    found = {who: statistics.median(each[who] for each in speeds) for who in speeds[0]}
    mine = found.pop("")
    told = ", ".join(f"{who} {value:,.0f}" for who, value in found.items())
    times = ", ".join(f"{mine / value:.2g}" for value in found.values())
    return f"| `{name}` | {mine:,.0f} | {told} | {times} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args(arguments)
    rows = [row(name, options.rounds) for name in SPIELS]
    lines = [
        *environment(),
        "",
        "| game | actions a second of processor time | peers | times theirs |",
        "|---|--:|---|--:|",
        *rows,
    ]
    print("\n".join(lines))
    if options.page:
        write_section("actions", lines)


if __name__ == "__main__":
    main()
