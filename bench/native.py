"""Machine code: random games against the peer in the same run, the exact search, policies, start-up, memory:
`python bench/native.py`.

The rounds of random games alternate, and count processor time. The search is one thread on mid-game positions. Start-up and
memory are those of whole processes of `rulewright solve`.
"""

from __future__ import annotations

import argparse
import statistics
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
from processes import Process, run

from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.native.bound import active_terms
from rulewright.solver.native.host.kernel_problem import KernelProblem
from rulewright.solver.native.host.parallel_search import NOTHING
from rulewright.solver.native.host.playout_runner import Games, Hand
from rulewright.solver.native.host.worker import SharedState
from rulewright.solver.native.kernels.depth_first import SearchEnd
from rulewright.solver.search.playout_policies import RANDOM, Policy, policy_named
from rulewright.solver.search.problem import Problem

GAME = "beacon_patrol"
POLICIES = ("random", "greedy", "search(2)", "beam(1)", "beam(10)", "beam(100)")
PUZZLES = (
    "overboard", "greedy_captain", "buoy_for_later", "narrow_channel", "once_round_the_light", "shore_leave", "scattered_isles",
    "full_sail", "first_voyage", "lights_fewest",
)  # fmt: skip
"""Small puzzles that ship; most need more than the plain reading can do in a second."""

ALLOWED = (320, 512, 1024, 2048)
"""MiB."""

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
    ended: bool


def searched(coming: int, numbers: range, seconds: float, closely: bool) -> Iterator[Searched]:
    """`closely`: as it always searches; else bounds are never looked at more closely."""
    for number in numbers:
        one = instance(Class(coming), number)
        position = one.position()
        assert position.question is not None
        problem = Problem(position.asked, position.state, position.question)
        kernels = KernelProblem.of(problem)
        worker = kernels.worker(kernels.program())
        if not closely:
            worker.tables.branching_tiles = active_terms.NEVER
        shared = SharedState.of(1 << 20, 1 << 22, NOTHING, 1 << 40)
        clock = threading.Timer(seconds, lambda board=shared: board.stop(2))
        clock.start()
        began = time.process_time()
        worker.search(shared, 1)
        taken = time.process_time() - began
        clock.cancel()
        yield Searched(one.name, worker.states, worker.progress.generated, taken, worker.status == SearchEnd.EXHAUSTED)


def policies(seconds: float) -> Iterator[tuple[Policy, float]]:
    """Solo games per second of processor time, by policy, on one core."""
    engine = Engine.of(Project(Path(__file__).parent).load(GAME), 1)
    for name in POLICIES:
        policy = policy_named(name)
        assert policy is not None
        hand = Games.of(engine, None, policy, 10_000).hand()
        hand.play([1])
        began, games, chunk = time.process_time(), 0, 1
        while (taken := time.process_time() - began) < seconds:
            hand.play(range(games, games + chunk))
            games += chunk
            chunk = min(2 * chunk, 1000)
        yield policy, games / taken


@frozen
class Started:
    """Whole processes of `rulewright solve` on a puzzle: with an empty cache, and with kept code, the quickest of three."""

    name: str
    is_compiled: bool
    cold: Process
    kept: Process


def started(names: Sequence[str]) -> Iterator[Started]:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            cache = Path(folder) / name
            cache.mkdir(mode=0o700)
            cold = run(["solve", name], Path(folder), cache)
            kept = min((run(["solve", name], Path(folder), cache) for _ in range(3)), key=lambda process: process.seconds)
            yield Started(name, any(cache.iterdir()), cold, kept)


def memory(seconds: float) -> Iterator[tuple[str, int, Process]]:
    """Hard positions with each limit: name, MiB allowed, what was taken."""
    one = instance(Class(24), 1)
    engine = Engine.of(Project(Path(__file__).parent).load(GAME), 1)
    ask = Ask(Goal.MAXIMISE, None, None, None)
    texts = {one.name: one.text, "whole": write_position(engine, engine.start(5), "whole", [GAME], ask=ask)}
    one = instance(Class(18), 2)
    texts[one.name] = one.text
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        cache.mkdir(mode=0o700)
        for name, text in texts.items():
            (Path(folder) / f"{name}.puzzle").write_text(text, "utf-8")
            for allowed in ALLOWED:
                told = ["solve", f"{name}.puzzle", "--memory", str(allowed), "--time", str(seconds), "--workers", "2"]
                yield name, allowed, run(told, Path(folder), cache)


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
        for closely in (True, False):
            found = list(searched(coming, range(1, 7), wish.seconds, closely))
            name = f"{coming} tiles to come{'' if closely else ', bounds by shares alone'}"
            lines.append(_row(f"{name}: states made per second", [one.made / one.seconds for one in found]))
            lines.append(_row(f"{name}: states expanded per second", [one.expanded / one.seconds for one in found]))
            lines.append(
                _row(
                    f"{name}: states made, {sum(one.ended for one in found)} of {len(found)} to the end",
                    [one.made for one in found],
                )
            )
    lines += ["", "Solo games by policy, one core:", "", "| policy | games per second |", "|---|--:|"]
    lines += [f"| {policy.name} | {speed:,.0f} |" for policy, speed in policies(wish.seconds)]
    lines += [
        "", "Whole processes of `rulewright solve`, seconds by the clock and of processors: with an empty cache, and with kept "
        "code (the quickest of three).",
        "", "| puzzle | compiled | empty cache | processors | kept code | processors |", "|---|---|--:|--:|--:|--:|",
        *(
            f"| {one.name} | {'yes' if one.is_compiled else 'no'} | {one.cold.seconds:.2f} s | {one.cold.cpu:.2f} s | "
            f"{one.kept.seconds:.2f} s | {one.kept.cpu:.2f} s |"
            for one in started(PUZZLES)
        ),
        "", f"Memory at most, of the process and its children together, {wish.memory_seconds:.0f} s, two workers:",
        "", "| position | allowed | taken |", "|---|--:|--:|",
        *(f"| {name} | {allowed} MiB | {done.memory} MiB |" for name, allowed, done in memory(wish.memory_seconds)),
    ]  # fmt: skip
    return lines


def _row(name: str, values: Sequence[float]) -> str:
    return f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} | {max(values):,.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each search and policy")
    parser.add_argument("--memory-seconds", type=float, default=40.0)
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    lines = report(wish)
    print("\n".join(lines))
    if wish.page:
        write_section("machine code", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
