"""A search's memory goes with its answer: no cycle of references holds it until Python collects its garbage."""

from __future__ import annotations

import gc

import pytest

from rulewright import load_puzzle
from rulewright.subset.buffers import Array


def arrays() -> set[int]:
    """The arrays of kernels that are alive."""
    return {id(found) for found in gc.get_objects() if isinstance(found, Array)}


@pytest.mark.parametrize("puzzle", ["peg_cross", "hanoi_seven", "one_of_three"])
def test_no_array_outlives_the_answer(puzzle: str) -> None:
    asked = load_puzzle(puzzle)
    asked.solve(20)
    gc.collect()
    gc.disable()
    try:
        before = arrays()
        assert asked.solve(20).status == "optimal"
        assert not arrays() - before
    finally:
        gc.enable()
