"""Compiling in a process of its own: the same code, given up in time, nothing left behind."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulewright.subset import compile_process, llvm
from rulewright.subset.refusal import CannotCompile
from rulewright.workers.child_process import command
from tests.paths import ROOT

ONE_MORE = "define i64 @f(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n"
POWER = "".join(f"  %y{n} = mul i64 %{f'y{n - 1}' if n else 'x'}, %x\n" for n in range(2000)) + "  ret i64 %y1999\n"
LONG = "".join(f"define i64 @f{n}(i64 %x) {{\n{POWER}}}\n" for n in range(200))
"""What takes minutes."""


def test_it_is_the_same_code() -> None:
    code = compile_process.to_object(ONE_MORE, math.inf)
    assert code == llvm.to_object(ONE_MORE)
    assert llvm.load(code, {"f": ["int"]})["f"](41) == 42


def test_the_child_ends_in_order_while_its_parent_lives() -> None:
    order, pipe = command("rulewright.subset.compile_process"), subprocess.PIPE
    with subprocess.Popen(order, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        assert child.stdin and child.stdout and child.stderr
        pickle.dump(ONE_MORE, child.stdin)
        child.stdin.flush()
        assert child.stdout.read()
        assert child.wait(30) == 0
        assert not child.stderr.read()


def test_without_the_compiler_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that there was no time: whoever plays in Python instead has a remark for it."""
    monkeypatch.setattr(compile_process, "find_spec", lambda name: None)
    with pytest.raises(ImportError):
        compile_process.to_object(ONE_MORE, math.inf)


def test_it_is_given_up_in_time() -> None:
    began = time.monotonic()
    with pytest.raises(CannotCompile):
        compile_process.to_object(LONG, 1.0)
    assert time.monotonic() - began < 60  # on a busy machine


def test_without_time_nothing_is_made() -> None:
    with pytest.raises(CannotCompile):
        compile_process.to_object(ONE_MORE, -1)


def test_what_cannot_be_compiled_is_told() -> None:
    with pytest.raises(CannotCompile):
        compile_process.to_object("no assembly", math.inf)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_no_child_outlives_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import math, sys; sys.path.insert(0, sys.argv[1])\n"
        "from tests.subset.test_compile_process import LONG\nfrom rulewright.subset import compile_process as apart\n"
        "import subprocess\nopened = subprocess.Popen\n"
        "class Telling(opened):\n"
        "    def __init__(self, *arguments, **more):\n"
        "        super().__init__(*arguments, **more)\n        print(self.pid, flush=True)\n"
        "subprocess.Popen = Telling\napart.to_object(LONG, math.inf)\n"
    )
    with subprocess.Popen([sys.executable, str(script), str(ROOT)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.5)
        assert is_running(child)
        parent.send_signal(signal.SIGKILL)
    until = time.monotonic() + 20
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(child)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self/stat").exists()
