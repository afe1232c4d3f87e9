"""Loops that become vectors come to the same; others are not marked."""

from __future__ import annotations

import inspect
import random

from rulewright.subset.buffers import ints
from rulewright.subset.intrinsics import Ints
from rulewright.subset.lowering import Source, lower
from rulewright.subset.program import as_machine_code
from rulewright.subset.to_llvm import translate


def summed(values: Ints, count: int, least: int) -> int:
    total = 0
    greatest = 0
    for at in range(count):
        greatest = max(greatest, values[at])
    for at in range(count):
        total += values[at] > least
    return 1000 * total + greatest


def written(values: Ints, count: int, least: int) -> int:
    for at in range(count):
        values[at] = least
    for at in range(count):
        if values[at] > least:
            return at
    for at in range(count):
        values[at] = summed(values, at, least)
    return least


SOURCES = [Source(inspect.getsource(function), {"Ints": Ints}) for function in (summed, written)]


def test_loops_that_only_add_up_or_compare_become_vectors() -> None:
    assembly = translate(lower(SOURCES, ["summed", "written"]), ["summed", "written"])
    marks = {text.split("(")[0]: text.count("!llvm.loop !") for text in assembly.split("define ")[1:]}
    assert marks == {"i64 @summed": 2, "i64 @written": 0} and assembly.count("= distinct ") == 2


def test_vectors_come_to_the_same() -> None:
    run = as_machine_code(SOURCES, ["summed"]).summed
    for count in range(70):
        rng = random.Random(count)
        values = [rng.randrange(-(1 << 31), 1 << 31) for _ in range(count)]
        least = rng.choice([*values, 0])
        expected = 1000 * sum(value > least for value in values) + max([0, *values])
        assert run(ints(count + 1).fill([*values, 0]), count, least) == expected
