"""What a task costs by processes here and on Dask clusters of 1, 2 and 4, and whether a worker that is killed changes results.

    python bench/executors.py [here] [1] [2] [4]

all, or processes here and clusters of some sizes alone.

The cheap task multiplies two numbers, so that its time is overhead; the dear one plays a game. On each cluster one worker is
killed while the dear tasks run.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from distributed import Client, LocalCluster

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import GREEDY, Seats
from rulewright.studies.simulation.playouts import Simulation, Simulator
from rulewright.workers.cluster import Cluster
from rulewright.workers.executor import Executor, Job
from rulewright.workers.processes import Processes

CHEAP, DEAR = 2000, 60
SIZES = (1, 2, 4)


def main() -> None:
    """Measure and print a table."""
    project = Project(SHIPPED)
    engine = Engine.of(project.load("classics.triangle_solitaire"), 1)
    job = Job(partial(Simulator, Simulation(Seats(GREEDY), DEAR, 1, 1000), engine, None), Simulator.play)
    expected = list(Processes(1).in_order(job, _games()))
    print("| where | first task | a cheap task more | games, one worker killed |")
    print("|---|--:|--:|---|")
    asked = sys.argv[1:] or ["here", *map(str, SIZES)]
    if "here" in asked:
        print(_row("1 process: this one", Processes(1), job, expected))
        for size in (2, 4):
            print(_row(f"{size} processes", Processes(size), job, expected))
    for size in (size for size in SIZES if str(size) in asked):
        with _cluster(size) as address, Cluster.at(address) as cluster:
            print(_row(f"cluster of {size}", cluster, job, expected, address))


def _games() -> list[range]:
    return [range(number, number + 1) for number in range(DEAR)]


def _row(where: str, executor: Executor, job: Job, expected: list, address: str = "") -> str:  # type: ignore[type-arg]
    cheap = Job(partial(int, 3), int.__mul__)
    began = time.perf_counter()
    found = executor.in_order(cheap, range(CHEAP))
    next(found)  # type: ignore[call-overload]
    first = time.perf_counter() - began
    assert sum(found) == 3 * (CHEAP * (CHEAP - 1) // 2)
    each = (time.perf_counter() - began - first) / (CHEAP - 1)
    said = "the same" if _survives(executor, job, expected, address) else "NOT THE SAME"
    return f"| {where} | {first:.2f} s | {1e3 * each:.2f} ms | {said if address else '-'} |"


def _survives(executor: Executor, job: Job, expected: list, address: str) -> bool:  # type: ignore[type-arg]
    """Whether all results are as expected even though a worker is killed after the tenth."""
    found = []
    for number, result in enumerate(executor.in_order(job, _games())):
        found.append(result)
        if number == 10 and address:
            with Client(address, set_as_default=False) as client:
                os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)
    return found == expected


@contextmanager
def _cluster(size: int) -> Iterator[str]:
    with LocalCluster(n_workers=size, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL) as cluster:
        yield cluster.scheduler_address


if __name__ == "__main__":
    sys.exit(main())
