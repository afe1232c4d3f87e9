"""What a stop leaves: results whole, the last word said, the status of the signal."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rulewright.base import ending
from rulewright.base.ending import Ending, Stopped, ended_by, is_stopped, unless_stopped, until_stopped

posix = pytest.mark.skipif(sys.platform == "win32", reason="there the second thread does not run")


@pytest.fixture
def run() -> Iterator[Ending]:
    """A run whose signals are those of this process; raised here, they are handled at once."""
    run, before = Ending(), [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
    for number, _ in before:
        signal.signal(number, run._notice)
    with ended_by(run):
        yield run
    for number, handler in before:
        signal.signal(number, handler)


def stopped_by(number: int) -> str:
    signal.raise_signal(number)
    return "done"


def test_a_signal_before_anything_is_found_is_raised(run: Ending) -> None:
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGTERM)
    assert run.status == 143


def test_work_gives_what_it_has(run: Ending) -> None:
    assert unless_stopped(lambda: stopped_by(signal.SIGINT), lambda: "so far") == "so far"
    assert run.status == 130 and is_stopped()
    signal.raise_signal(signal.SIGTERM)  # noted only: there is something to say now
    assert run.status == 130
    assert unless_stopped(lambda: "more", lambda: "nothing more") == "nothing more"


def test_a_stop_passes_through_work_within_work(run: Ending) -> None:
    inner: list[str] = []

    def work() -> str:
        inner.append(unless_stopped(lambda: stopped_by(signal.SIGINT), lambda: "half an item"))
        return "whole"

    assert unless_stopped(work, lambda: "so far") == "so far"
    assert inner == []


def test_items_are_whole_or_left_out(run: Ending) -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        signal.raise_signal(signal.SIGINT)
        yield 3

    assert list(until_stopped(items())) == [1, 2]


def test_an_item_is_used_to_the_end(run: Ending) -> None:
    used: list[int] = []
    for item in until_stopped(iter(range(5))):
        if item == 2:
            signal.raise_signal(signal.SIGINT)
        used.append(item)
    assert used == [0, 1, 2]


def test_errors_pass(run: Ending) -> None:
    with pytest.raises(ZeroDivisionError):
        unless_stopped(lambda: 1 / 0, lambda: 0.0)
    signal.raise_signal(signal.SIGINT)  # noted: no work is open any more
    assert run.status == 130


def test_an_interrupt_can_be_taken_back_but_not_sigterm(run: Ending) -> None:
    assert unless_stopped(lambda: stopped_by(signal.SIGINT), lambda: "hint") == "hint"
    ending.go_on()
    assert not is_stopped()
    assert unless_stopped(lambda: stopped_by(signal.SIGTERM), lambda: "hint") == "hint"
    ending.go_on()
    assert run.status == 143


def test_without_a_run_an_interrupt_ends_work_alone() -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    assert unless_stopped(interrupted, lambda: "so far") == "so far"
    assert not is_stopped()


STUCK = """
import ctypes
from rulewright.base.ending import Ending, ended_by, last_word, unless_stopped

def stuck():
    mutex = ctypes.create_string_buffer(256)  # zeros: free
    for _ in range(2):
        ctypes.CDLL(None).pthread_mutex_lock(mutex)  # the second time for ever, whatever signals come

ending = Ending()
ending.take_signals()
with ended_by(ending), last_word(lambda: print("best 12")):
    unless_stopped(int, int)  # from here on a signal is only noted, so none keeps the thread from getting stuck
    print("ready", flush=True)
    stuck()
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_last_word_is_said_while_the_main_thread_is_in_compiled_code(number: signal.Signals) -> None:
    process = subprocess.Popen([sys.executable, "-c", STUCK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (128 + number, "best 12\n", "")


@pytest.mark.parametrize(("error", "is_said"), [("Stopped", False), ("ValueError", True)])
def test_an_end_that_python_ignores_is_not_said(error: str, is_said: bool) -> None:
    code = f"""
import gc
from rulewright.base.ending import Ending, Stopped

class Late:
    def __del__(self):
        raise {error}

Ending().take_signals()
late = Late()
del late
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ("Exception ignored" in ended.stderr) is is_said


@posix
def test_a_signal_after_all_is_said_changes_nothing() -> None:
    code = """
import atexit, os, signal
from rulewright.base.ending import Ending

atexit.register(lambda: [os.kill(os.getpid(), number) for number in (signal.SIGINT, signal.SIGTERM)])
Ending().take_signals()
print("done")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
