"""Machine code: random games against the peer in the same run, the exact search, compiling, memory: `python bench/native.py`.

The rounds of random games alternate, and count processor time. The search is one thread on mid-game positions. Compiling is
measured with an empty cache and with a full one; whole processes of `rulewright solve` by the clock.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import peer_beacon_patrol
from attrs import frozen
from instances import Class, instance
from page import environment, write_section

from rulewright.rules.engine import Engine
from rulewright.rules.loading import Project
from rulewright.solver.limits import Limits
from rulewright.solver.native import depth_first
from rulewright.solver.native.exact import NOTHING, Draft, Layout
from rulewright.solver.native.games import Games, Hand
from rulewright.solver.native.workers import Blackboard
from rulewright.solver.policies import RANDOM
from rulewright.solver.portfolio import answer
from rulewright.solver.problem import Problem

GAME = "beacon_patrol"
OFTEN = 5
"""Our games for each of the peer's in a round: they are over sooner."""


@frozen
class Round:
    """Actions per second of both in one round."""

    peer: float
    ours: float


def race(rounds: int, games: int) -> list[Round]:
    """One unmeasured round warms both up."""
    engine = Engine.of(Project(Path(__file__).parent).load(GAME), 1)
    hand = Games.of(engine, None, RANDOM, 10_000).hand()
    found = []
    for number in range(-1, rounds):
        seeds = range(1 + number * games, 1 + (number + 1) * games)
        if number % 2:
            ours = _ours(hand, seeds)
            peer = _peer(seeds)
        else:
            peer = _peer(seeds)
            ours = _ours(hand, seeds)
        if number >= 0:
            found.append(Round(peer, ours))
    return found


def _peer(seeds: range) -> float:
    began = time.process_time()
    actions = sum(peer_beacon_patrol.play_random(seed)[0] for seed in seeds)
    return actions / (time.process_time() - began)


def _ours(hand: Hand, seeds: range) -> float:
    began = time.process_time()
    ends = hand.play(range(OFTEN * seeds.start, OFTEN * seeds.stop))
    taken = time.process_time() - began
    return sum(end.length or 0 for end in ends if end is not None) / taken


@frozen
class Searched:
    """A search of one thread, so many seconds long at most."""

    name: str
    expanded: int
    made: int
    seconds: float


def searched(coming: int, numbers: range, seconds: float) -> Iterator[Searched]:
    for number in numbers:
        one = instance(Class(coming), number)
        position = one.position()
        assert position.question is not None
        problem = Problem.of(position.asked, position.state, position.question)
        worker = Layout.of(Draft.of(problem, position.question)).worker()
        shared = Blackboard.of(1 << 20, 1 << 22, NOTHING, 1 << 40)
        clock = threading.Timer(seconds, lambda board=shared: board.stop(2))
        clock.start()
        began = time.process_time()
        worker.dig(shared, 1)
        taken = time.process_time() - began
        clock.cancel()
        yield Searched(one.name, worker.states, worker.y.items[depth_first.MADE], taken)


def compiled() -> tuple[float, float]:
    """Seconds of a process that makes the game of a 9-tile position ready for search, without kept code and with it."""
    code = (
        "import sys,time; sys.path.insert(0, sys.argv[1]); import native; p = native.instance(native.Class(9), 1).position();"
        "q = native.Problem.of(p.asked, p.state, p.question); b = time.perf_counter();"
        "native.Layout.of(native.Draft.of(q, p.question)); print(time.perf_counter() - b)"
    )
    found = []
    with tempfile.TemporaryDirectory() as cache:
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", code, str(Path(__file__).parent)],
                env={**os.environ, "RULEWRIGHT_CACHE": cache}, capture_output=True, text=True, check=True,
            )  # fmt: skip
            found.append(float(done.stdout))
    return found[0], found[1]


def processes(coming: int, numbers: range) -> Iterator[float]:
    """Seconds of whole processes of `rulewright solve`."""
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            one = instance(Class(coming), number)
            path = Path(folder) / f"{one.name}.puzzle"
            path.write_text(one.text, "utf-8")
            began = time.perf_counter()
            subprocess.run([sys.executable, "-m", "rulewright", "solve", str(path)], capture_output=True, check=True)
            yield time.perf_counter() - began


def memory(coming: int, number: int, seconds: float, limit: int) -> int:
    """The most MiB that a search of two workers took, its child included."""
    position = instance(Class(coming), number).position()
    assert position.question is not None
    most, done = 0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.wait(0.3):
            most = max(most, sum(map(_resident, _family())))

    watcher = threading.Thread(target=watch)
    watcher.start()
    answer(position.asked, position.state, position.question, Limits(seconds, 2, limit))
    done.set()
    watcher.join()
    return most >> 10


def _family() -> list[int]:
    me = os.getpid()
    told = subprocess.run(["pgrep", "-P", str(me)], capture_output=True, text=True, check=False)
    return [me, *map(int, told.stdout.split())]


def _resident(process: int) -> int:
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)


def report(wish: argparse.Namespace) -> list[str]:
    rounds = race(wish.rounds, wish.games)
    ratios = [one.ours / one.peer for one in rounds]
    lines = [
        *environment(), "",
        f"{len(rounds)} rounds of {wish.games} solo games at random for the peer, {OFTEN} times as many for us; one core, "
        "processor time. A state is made by each action looked at (applied, hashed, compared, bounded), and expanded when "
        "it is gone into.",
        "", "| | median | worst | best |", "|---|--:|--:|--:|",
        _row("the peer, actions per second", [one.peer for one in rounds]),
        _row("machine code, actions per second", [one.ours for one in rounds]),
        f"| ratio of the same round | {statistics.median(ratios):.1f} | {min(ratios):.1f} | {max(ratios):.1f} |",
    ]  # fmt: skip
    for coming in (9, 12):
        found = list(searched(coming, range(1, 7), wish.seconds))
        lines.append(_row(f"{coming} tiles to come, states made per second", [one.made / one.seconds for one in found]))
        lines.append(_row(f"{coming} tiles to come, states expanded per second", [one.expanded / one.seconds for one in found]))
    cold, kept = compiled()
    small = list(processes(3, range(1, 6)))
    most = memory(12, 3, wish.memory_seconds, 2048)
    lines += [
        "",
        f"Ready to search a position of 9 tiles: {cold:.2f} s with an empty cache, {kept:.2f} s with kept code. `rulewright "
        "solve` on 3 tiles to come, whole processes (nothing is compiled): "
        f"median {statistics.median(small):.2f} s of {len(small)}.",
        f"Memory of a search of {wish.memory_seconds:.0f} s with two workers and CP-SAT beside it, 2048 MiB allowed: "
        f"{most} MiB at most.",
    ]
    return lines


def _row(name: str, values: Sequence[float]) -> str:
    return f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} | {max(values):,.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each search")
    parser.add_argument("--memory-seconds", type=float, default=60.0)
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    lines = report(wish)
    print("\n".join(lines))
    if wish.page:
        write_section("machine code", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
