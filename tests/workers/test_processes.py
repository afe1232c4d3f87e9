"""Tasks in processes here: the same results for any number of workers, though some die, and nothing left behind."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.base.ending import until_stopped
from rulewright.workers.executor import AHEAD, HardLimits, WorkersLost
from rulewright.workers.processes import Processes
from tests.workers import deeds

SQUARES = [item * item for item in range(12)]


@pytest.mark.parametrize("workers", [1, 2])
def test_results_are_in_order_and_each_worker_opens_the_job_once(workers: int, tmp_path: Path) -> None:
    assert list(Processes(workers).in_order(deeds.job(deeds.square, tmp_path), range(12))) == SQUARES
    assert 1 <= deeds.openings(tmp_path) <= workers


def test_as_completed_a_slow_item_holds_up_no_other(tmp_path: Path) -> None:
    found = list(Processes(2).as_completed(deeds.job(deeds.square_after_the_last, tmp_path), range(6)))
    assert sorted(found) == [(item, item * item) for item in range(6)]
    assert found[-1] == (0, 0)


def test_only_a_few_items_are_taken_ahead(tmp_path: Path) -> None:
    taken: list[int] = []
    items = (taken.append(item) or item for item in count())
    found = Processes(2).in_order(deeds.job(deeds.square, tmp_path), items)
    assert list(islice(found, 5)) == SQUARES[:5]
    found.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 2 * AHEAD


def test_a_process_that_dies_is_replaced_and_nothing_is_lost_or_counted_twice(tmp_path: Path) -> None:
    assert list(Processes(2).in_order(deeds.job(deeds.die_once, tmp_path), range(12))) == SQUARES
    assert 3 <= deeds.openings(tmp_path) <= 2 + 3


def test_an_item_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(WorkersLost, match="its workers died repeatedly"):
        list(Processes(2).in_order(deeds.job(deeds.die_always, tmp_path), range(6)))
    job = deeds.job(deeds.die_always, tmp_path, lost=deeds.minus)
    assert list(Processes(2).in_order(job, range(6))) == [0, 1, 4, -1, 16, 25]


def test_what_goes_beyond_its_limits_is_given_up_at_once(tmp_path: Path) -> None:
    began = time.monotonic()
    assert list(Processes(2).in_order(deeds.job(deeds.square, tmp_path), range(6))) == SQUARES[:6]
    ordinary = time.monotonic() - began  # much on a busy machine, where starting a process alone takes seconds
    limits = HardLimits(seconds=4.0 + 8 * ordinary, memory_mib=600)
    job = deeds.job(deeds.take_much, tmp_path, lost=deeds.minus, limits=limits)
    assert list(Processes(2).in_order(job, range(6))) == [0, 1, -2, -3, 16, 25]
    assert len(list(tmp_path.glob("began-*"))) == 6
    with pytest.raises(WorkersLost, match="gave up a task: it needs more than 600 MiB"):
        list(Processes(2).in_order(deeds.job(deeds.take_much, tmp_path, limits=limits), [2]))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_of_the_work_is_one_here(workers: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no square of 0"):
        list(Processes(workers).in_order(deeds.job(deeds.fail, tmp_path), range(6)))


def test_work_that_is_left_ends(tmp_path: Path) -> None:
    session = Processes(2).open(deeds.job(deeds.sleep, tmp_path))
    session.submit(0, 0)
    while not (asleep := list(tmp_path.glob("asleep-*"))):
        time.sleep(0.02)
    session.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(asleep[0].name.partition("-")[2]), 0)


def test_a_worker_that_is_open_here_is_taken_but_does_not_travel(tmp_path: Path) -> None:
    job = deeds.job(deeds.square, tmp_path, opened=tmp_path)
    assert list(Processes(1).in_order(job, [3])) == [9]
    assert deeds.openings(tmp_path) == 0
    assert list(Processes(2).in_order(job, [3])) == [9]
    assert deeds.openings(tmp_path) == 1


def test_an_error_in_rules_keeps_its_place(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        list(Processes(2).in_order(deeds.job(deeds.refuse, tmp_path), [7]))
    assert [(found.code, found.labels[0].span.line) for found in caught.value.diagnostics] == [("RW001", 7)]


@pytest.fixture
def interrupted_as_ever() -> Iterator[None]:
    """An interrupt raises `KeyboardInterrupt`, whatever tests before have left."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupted_as_ever")
def test_what_comes_of_an_interrupted_item_is_no_result(tmp_path: Path) -> None:
    squares = Processes(1).in_order(deeds.job(deeds.stop_early_where_interrupted, tmp_path), range(6))
    assert list(until_stopped(squares)) == [0, 1]


PATHS = pickle.dumps(["a"])
CHILD, CPSAT = "rulewright.workers.processes", "rulewright.solver.cpsat.process.worker"


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (CHILD, b""),
        (CHILD, PATHS[:-3]),
        (CHILD, PATHS),
        (CPSAT, b""),
        (CPSAT, bytes(3)),
        (CPSAT, bytes(7) + b"\x09" + PATHS[:4]),
    ],
)
def test_a_parent_that_ends_before_it_has_said_what_to_do_leaves_no_traceback(module: str, said: bytes) -> None:
    ended = subprocess.run([sys.executable, "-m", module], input=said, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
