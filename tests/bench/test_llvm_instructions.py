"""The count of instructions: of the programs that are compiled, function by function, and what changed."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest
from llvm_instructions import Counting, programs, table


def test_programs_are_counted_by_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    monkeypatch.setattr(llvm.TargetMachine, "emit_object", llvm.TargetMachine.emit_object)
    found = dict(programs("lights_corner", Counting()))
    assert {"search", "simulate"} <= found.keys()
    assert {"apply", "legal", "depth_first_search"} <= found["search"].keys() and "play_games" in found["simulate"]
    assert all(number > 0 for functions in found.values() for number in functions.values())


def test_what_changed_is_told() -> None:
    lines = table({"one search": {"apply": 110, "legal": 50}}, {"one search": {"apply": 100, "value": 100}})
    assert lines[2:] == [
        "| one search | 160 | 200 | -20.00 % |", "| … apply | 110 | 100 | +10 |", "| … legal | 50 | 0 | +50 |",
        "| … value | | 100 | -100 |",
    ]  # fmt: skip
