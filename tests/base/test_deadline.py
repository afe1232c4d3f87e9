"""A time limit ends any work, and leaves nothing half done."""

from __future__ import annotations

import importlib.util
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from rulewright.base import deadline as module
from rulewright.base import host
from rulewright.base.deadline import TimeUp, check_deadline, deadline, halts, seconds_left


class Running:
    """What can be halted."""

    def __init__(self) -> None:
        self.is_halted = threading.Event()

    def halt(self) -> None:
        self.is_halted.set()


def work(seconds: float = 20.0) -> None:
    """Work that looks at no time limit but its own, and takes every error for one of its own."""
    began = time.process_time()
    while time.process_time() < began + seconds:
        with suppress(Exception):
            sum(range(100))


def test_work_that_never_looks_at_the_clock_ends() -> None:
    began = time.process_time()
    with pytest.raises(TimeUp), deadline(0.02):
        work()
    assert time.process_time() - began < 5
    work(0.01)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX signals")
def test_where_there_are_no_threads_whoever_runs_python_sends_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "HAS_THREADS", False)
    monkeypatch.delattr(signal, "pthread_kill")
    spec = importlib.util.find_spec(module.__name__)
    assert spec is not None
    assert spec.loader is not None
    in_page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(in_page)
    try:
        with pytest.raises(in_page.TimeUp), in_page.deadline(0.02):
            signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
            work(2.0)
        work(0.02)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def test_what_catches_everything_and_goes_on_is_interrupted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.02)
    interrupts = 0
    with pytest.raises(TimeUp), deadline(0.02):
        while True:
            try:
                work()
            except BaseException:
                interrupts += 1
                if interrupts == 3:
                    raise
    assert interrupts == 3


def test_what_python_ignores_is_raised_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN", 100.0)
    with pytest.raises(TimeUp), deadline(0.02):
        running = Running()
        reference = weakref.ref(running, lambda _: work())
        del running
        assert reference() is None
        work(2.0)


def test_a_block_ends_with_the_block_around_it() -> None:
    with pytest.raises(TimeUp), deadline(0.02), deadline(20.0):
        assert seconds_left() < 1
        work()
    with deadline(20.0):
        with pytest.raises(TimeUp), deadline(0.02):
            work()
        work(0.05)
    assert seconds_left() > 10**9


def test_nothing_comes_after_the_block() -> None:
    for _ in range(20):
        with suppress(TimeUp), deadline(0.0):
            work(0.002)
        work(0.001)


def test_no_block_is_left_half_open() -> None:
    entered, left = 0, 0

    @contextmanager
    def block() -> Iterator[None]:
        nonlocal entered, left
        work(0.00002)
        entered += 1
        try:
            yield
        finally:
            work(0.00002)
            left += 1

    for _ in range(10):
        with suppress(TimeUp), deadline(0.001):
            while True:
                with block():
                    work(0.00001)
    assert entered == left > 0


def test_what_runs_is_halted() -> None:
    early, late = Running(), Running()
    with suppress(TimeUp), deadline(0.02), deadline(20.0):
        halts(early)
        with suppress(TimeUp):
            work()
        halts(late)
    assert early.is_halted.wait(5) and late.is_halted.is_set()
    spared = Running()
    with deadline(20.0):
        halts(spared)
    assert not spared.is_halted.is_set()


def test_what_has_ended_is_not_halted_later() -> None:
    running = Running()
    with deadline(0.25):
        halts(running)
    assert not running.is_halted.wait(0.35)


def test_what_cannot_be_interrupted_is_not_begun_too_late() -> None:
    check_deadline(ahead=10**9)
    with deadline(1.0):
        check_deadline()
        with pytest.raises(TimeUp):
            check_deadline(ahead=2.0)


def test_another_thread_is_told_when_it_asks() -> None:
    raised = list[BaseException]()

    def run() -> None:
        try:
            with deadline(0.01):
                while True:
                    work(0.005)
                    check_deadline()
        except TimeUp as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(10)
    assert len(raised) == 1
