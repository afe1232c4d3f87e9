"""Machine code that is kept: made anew when it is damaged or another compiler made it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.subset import llvm, program
from tests.paths import ROOT
from tests.rules.machine.agreeing import ENTRIES, Agreement
from tests.rules.playing import own_module


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c[:200] + bytes([c[200] ^ 1]) + c[201:], lambda c: b""])
def test_a_game_is_compiled_anew_when_its_code_is_damaged(tmp_path: Path, monkeypatch, damage) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    compiled: list[str] = []
    to_object = llvm.to_object
    monkeypatch.setattr(llvm, "to_object", lambda assembly: compiled.append(assembly) or to_object(assembly))
    engine = Engine.of(own_module("boxes"), 1)

    def played() -> tuple[int, bool]:
        program._machine_code.cache_clear()
        agreement = Agreement(engine, compiled=True)
        agreement.game_of(1, 20)
        return agreement.moves, program.is_kept(agreement.game.sources(()), ENTRIES)

    first = played()
    assert first[0] > 0 and first[1] and len(compiled) == 1
    assert played() == first and len(compiled) == 1
    (path,) = [path for path in (tmp_path / "cache").iterdir() if path.is_file()]
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert played() == first and len(compiled) == 2
    assert path.read_bytes() == whole


FAULTS = (
    ('ast.Add: "add"', 'ast.Add: "sub"'),
    ('ast.Lt: "slt"', 'ast.Lt: "sle"'),
    ("add i64 {here}, {step}", "add i64 {here}, {2 * step}"),
)
"""Faults of the translation: of a sum, of a comparison, of a loop."""

PROBE = """
from rulewright.subset.lowering import Source
from rulewright.subset.program import as_baseline_code
text = '''def total(most: int) -> int:
    found = 0
    for each in range(most):
        if each < 3:
            found = found + each * 10 + 1
    return found
'''
print(as_baseline_code([Source(text, {})], ["total"]).total(6))
"""


@pytest.mark.parametrize("fault", FAULTS, ids=("sum", "comparison", "loop"))
def test_a_fault_of_the_compiler_does_not_outlive_it(fault: tuple[str, str], tmp_path: Path) -> None:
    package = tmp_path / "rulewright"
    package.mkdir()
    for path in (ROOT / "src" / "rulewright").iterdir():
        if path.name not in ("subset", "__pycache__"):
            (package / path.name).symlink_to(path.resolve())
    compiler = package / "subset"
    compiler.mkdir()
    for path in (ROOT / "src" / "rulewright" / "subset").glob("*.py"):
        (compiler / path.name).write_bytes(path.read_bytes())
    (tmp_path / "cache").mkdir(mode=0o700)
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "RULEWRIGHT_CACHE": str(tmp_path / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def ran() -> str:
        done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment, check=True)
        return done.stdout

    translation = compiler / "to_llvm.py"
    right = translation.read_text()
    expected = ran()
    assert expected == "33\n"
    assert right.count(fault[0]) == 1
    translation.write_text(right.replace(*fault))
    assert ran() != expected
    translation.write_text(right)
    assert ran() == expected
    assert (
        len([path for path in (tmp_path / "cache").iterdir() if path.is_file()]) == 2
    )  # what the right compiler made is found again
