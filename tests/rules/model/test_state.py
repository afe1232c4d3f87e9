"""Cells of a board's column by the kind of tile on them."""

from __future__ import annotations

import pytest

from rulewright.rules.model.state import cells_of_kinds

COLUMN = bytes([0, 3, 93, 3, 0, 94])


@pytest.mark.parametrize(("kinds", "cells"), [([3], (1, 3)), ([3, 93], (1, 2, 3)), ([93, 94], (2, 5)), ([7], ()), ([], ())])
def test_cells_of_kinds(kinds: list[int], cells: tuple[int, ...]) -> None:
    """Of no kind there are none; 93 and 94 are `]` and `^`."""
    assert cells_of_kinds(COLUMN, bytes(kinds)) == cells
