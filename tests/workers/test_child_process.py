"""Children converse in messages, and end with their parent or as they are told."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from rulewright.workers.child_process import Child, command
from tests.paths import ROOT

ECHO = "tests.workers.echo_child"


@pytest.fixture(autouse=True)
def tests_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)


def test_messages_go_both_ways_and_prints_are_not_among_them() -> None:
    with Child.of(ECHO) as child:
        for said in ("a", (1, b"\xff"), {"x": None}):
            child.send(said)
            assert child.hear() == said
    assert child.process.poll() is not None


def test_a_child_that_ended_is_told_as_such() -> None:
    with Child.of(ECHO) as child:
        child.send("end")
        with pytest.raises(EOFError):
            child.hear()
        child.send("more")
        with pytest.raises(EOFError):
            child.hear()


def test_an_idle_child_exits_by_itself_once_its_input_is_closed() -> None:
    child = Child.of(ECHO)
    child.send("ready")
    assert child.hear() == "ready"
    child.end(60.0)
    assert child.process.returncode == 0


@pytest.mark.parametrize("said", [b"", pickle.dumps("a")[:-3]])
def test_a_parent_that_ends_in_the_middle_leaves_no_traceback(said: bytes) -> None:
    ended = subprocess.run(command(ECHO), input=said, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_nothing_is_imported_from_the_working_folder() -> None:
    assert command("rulewright", "lsp") == [sys.executable, "-P", "-m", "rulewright", "lsp"]
