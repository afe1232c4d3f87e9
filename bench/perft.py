"""Counting lines of play beside peers, in the same run, by processor time: `python bench/perft.py` (`--rounds 3 --page`).

The peers are C++ called from Python, as their users call them: OpenSpiel (`open_spiel`) and python-chess (`chess`). One that is
not installed, and a game that the library lacks, is left out. Both count the last length from lists of moves.
"""

from __future__ import annotations

import argparse
import importlib
import math
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen
from page import environment, write_section

from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.perft.count import LineCounter, total

Count = Callable[[int], int]
"""The number of lines of a length."""


@frozen
class Subject:
    """A game, its lengths for us and for the slower peer, and the peer that counts it."""

    game: str
    length: int
    peer: str
    peer_length: int


SUBJECTS = (
    Subject("classics.othello", 9, "OpenSpiel", 7),
    Subject("classics.draughts", 9, "OpenSpiel", 7),
    Subject("classics.chess", 5, "python-chess", 4),
)
SPIELS = {"classics.othello": "othello", "classics.draughts": "checkers"}


def ours(game: str) -> Count | None:
    """Counts in machine code, compiled before."""
    try:
        linked = Project(Path(__file__).parent).load(game)
    except Exception:
        return None
    engine = Engine.of(linked, linked.players.low)

    def count(length: int) -> int:
        return total(list(LineCounter.of(engine, engine.start(0), length, math.inf).rows()), length)[length]

    return count


def peer(subject: Subject) -> Count | None:
    """Counts by the peer of a game; None if it is not installed."""
    try:
        if subject.peer == "OpenSpiel":
            spiel = importlib.import_module("pyspiel").load_game(SPIELS[subject.game])
            return lambda length: in_spiel(spiel.new_initial_state(), length)
        chess: Any = importlib.import_module("chess")
    except ImportError:
        return None
    return lambda length: in_chess(chess.Board(), length)


def in_spiel(state: Any, length: int) -> int:
    moves = state.legal_actions()
    return len(moves) if length == 1 else sum(in_spiel(state.child(move), length - 1) for move in moves)


def in_chess(board: Any, length: int) -> int:
    if length == 1:
        return int(board.legal_moves.count())
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += in_chess(board, length - 1)
        board.pop()
    return found


def leaves_a_second(count: Count, length: int) -> tuple[float, int]:
    """Lines of the length counted in a second of processor time, and how many there are."""
    began = time.process_time()
    found = count(length)
    return found / (time.process_time() - began), found


def measure(subject: Subject, rounds: int) -> str:
    """A row of the table: the median of some rounds, both in turn. Raises `SystemExit` if the counts differ."""
    own, other = ours(subject.game), peer(subject)
    if own is None:
        return ""
    if other is not None and own(subject.peer_length) != other(subject.peer_length):
        raise SystemExit(f"{subject.game}: {own(subject.peer_length)} and {other(subject.peer_length)} lines")
    own(subject.length)  # compile
    speeds: list[float] = []
    peers: list[float] = []
    for _ in range(rounds):
        speeds.append(leaves_a_second(own, subject.length)[0])
        if other is not None:
            peers.append(leaves_a_second(other, subject.peer_length)[0])
    said = f"{statistics.median(peers):,.0f} ({subject.peer}, {subject.peer_length} moves)" if peers else "not installed"
    return f"| `{subject.game}` | {subject.length} | {own(subject.length):,} | {statistics.median(speeds):,.0f} | {said} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args(arguments)
    rows = [row for subject in SUBJECTS if (row := measure(subject, options.rounds))]
    lines = [
        *environment(),
        "",
        "| game | moves | lines of that length | lines per second of processor time | the same for a peer |",
        "|---|--:|--:|--:|--:|",
        *rows,
    ]
    print("\n".join(lines))
    if options.page:
        write_section("perft", lines)


if __name__ == "__main__":
    main()
