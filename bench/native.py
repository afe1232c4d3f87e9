"""Machine code: random games against the peer in the same run, the exact search, policies, start-up: `python bench/native.py`.

The rounds of random games alternate, and count processor time. The search is one thread on mid-game positions. Start-up is
measured over whole processes of `rulewright solve`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from attrs import frozen
from instances import Class, instance
from optima import answer_of
from page import environment, row, write_section
from processes import Process, run
from run import race

from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.best.kernel_problem import KernelProblem, SharedState
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.playouts.policies import RANDOM, Policy, Seats, policy_named
from rulewright.solver.playouts.runner import PlayoutProgram, PlayoutWorker
from rulewright.subset.program import as_machine_code

GAME = "beacon_patrol"
POLICIES = ("random", "greedy", "search(2)", "beam(1)", "beam(10)", "beam(100)")
PUZZLES = (
    "overboard", "greedy_captain", "buoy_for_later", "narrow_channel", "once_round_the_light", "shore_leave", "scattered_isles",
    "full_sail", "first_voyage", "lights_fewest",
)  # fmt: skip
"""Small library puzzles; most take plain Python more than a second."""

OFTEN = 5
"""The number of our games for each of the peer's in a round, since they are faster."""


def playing(worker: PlayoutWorker, seeds: range) -> float:
    """Actions per second of random games in machine code."""
    began = time.process_time()
    ends = worker.play(range(OFTEN * seeds.start, OFTEN * seeds.stop))
    taken = time.process_time() - began
    return sum(end.length or 0 for end in ends if end is not None) / taken


def engine_of_game() -> Engine:
    return Engine.of(Project(Path(__file__).parent).load(GAME), 1)


@frozen
class Searched:
    """A search by one thread, with a time limit in seconds."""

    name: str
    expanded: int
    made: int
    seconds: float
    ended: bool


def searched(coming: int, numbers: range, seconds: float) -> Iterator[Searched]:
    """Searches of some positions with `coming` tiles to come, each at most `seconds` long."""
    for number in numbers:
        one = instance(Class(coming), number)
        position = one.position()
        assert position.question is not None
        problem = Problem(position.asked, position.state, position.question)
        kernels = KernelProblem.of(problem)
        worker = kernels.worker(kernels.game.machine(kernels.game.program(as_machine_code)))
        shared = SharedState.of(1 << 20, 1 << 22, -ENDLESS, 1 << 40)
        clock = threading.Timer(seconds, lambda board=shared: board.stop(2))
        clock.start()
        began = time.process_time()
        worker.begin()
        worker.resume(shared, 1)
        taken = time.process_time() - began
        clock.cancel()
        yield Searched(one.name, worker.states, worker.progress.generated, taken, worker.status == SearchEnd.DONE)


def policies(seconds: float) -> Iterator[tuple[Policy, float]]:
    """Solo games per second of processor time, by policy, on one core."""
    engine = engine_of_game()
    for name in POLICIES:
        policy = policy_named(name)
        assert policy is not None
        worker = PlayoutProgram.of(engine, None, Seats(policy), 10_000).worker()
        worker.play([1])
        began, games, chunk = time.process_time(), 0, 1
        while (taken := time.process_time() - began) < seconds:
            worker.play(range(games, games + chunk))
            games += chunk
            chunk = min(2 * chunk, 1000)
        yield policy, games / taken


def solve(arguments: Sequence[str], folder: Path, cache: Path) -> Process:
    """Run `rulewright solve` in a separate process, with its machine code cached in `cache`."""
    done = run(
        [sys.executable, "-m", "rulewright", "solve", *arguments, "--json"],
        folder,
        environment={"RULEWRIGHT_CACHE": str(cache)},
    )
    if done.status:
        raise SystemExit(done.errors)
    return done


@frozen
class Started:
    """Times of whole `rulewright solve` processes on a puzzle: with an empty cache, and with cached code, the fastest of
    three."""

    name: str
    answer: str
    is_compiled: bool
    cold: Process
    kept: Process


def started(names: Sequence[str]) -> Iterator[Started]:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            cache = Path(folder) / name
            cache.mkdir(mode=0o700)
            cold = solve([name], Path(folder), cache)
            kept = min((solve([name], Path(folder), cache) for _ in range(3)), key=lambda process: process.seconds)
            yield Started(name, answer_of(json.loads(cold.output)), any(cache.iterdir()), cold, kept)


def report(wish: argparse.Namespace) -> list[str]:
    worker = PlayoutProgram.of(engine_of_game(), None, Seats(RANDOM), 10_000).worker()
    rounds = race(partial(playing, worker), wish.rounds, wish.games)
    ratios = [one.ratio for one in rounds]
    lines = [
        *environment(), "",
        f"{len(rounds)} rounds of {wish.games} random solo games for the peer and {OFTEN} times as many for Rulewright, on one "
        "core, by processor time. The search makes a state for each action that it examines (applied, hashed, compared, "
        "bounded), and expands a state by examining its actions.",
        "", "| | median | worst | best |", "|---|--:|--:|--:|",
        row("the peer, actions per second", [one.peer for one in rounds]),
        row("machine code, actions per second", [one.ours for one in rounds]),
        f"| ratio, by round | {statistics.median(ratios):.1f} | {min(ratios):.1f} | {max(ratios):.1f} |",
    ]  # fmt: skip
    for coming in (9, 12):
        found = list(searched(coming, range(1, 7), wish.seconds))
        ended = f"{sum(one.ended for one in found)} of {len(found)} searches completed"
        lines += [
            row(f"{coming} tiles to come: states made per second", [one.made / one.seconds for one in found]),
            row(f"{coming} tiles to come: states expanded per second", [one.expanded / one.seconds for one in found]),
            row(f"{coming} tiles to come: states made, {ended}", [one.made for one in found]),
        ]
    lines += ["", "Solo games by policy, one core:", "", "| policy | games per second |", "|---|--:|"]
    lines += [f"| {policy.name} | {speed:,.0f} |" for policy, speed in policies(wish.seconds)]
    lines += [
        "", "Whole processes of `rulewright solve`, in seconds by the clock and of processor time, with an empty cache and "
        "with a warm one (the quickest of three).",
        "", "| puzzle | answer | compiled | empty cache | processors | warm cache | processors |",
        "|---|--:|---|--:|--:|--:|--:|",
        *(
            f"| {one.name} | {one.answer} | {'yes' if one.is_compiled else 'no'} | "
            f"{one.cold.seconds:.2f} s | {one.cold.cpu:.2f} s | {one.kept.seconds:.2f} s | {one.kept.cpu:.2f} s |"
            for one in started(PUZZLES)
        ),
    ]  # fmt: skip
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each search and policy")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    lines = report(wish)
    print("\n".join(lines))
    if wish.page:
        write_section("machine code", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
