"""What a text may ask for is known before anything is built from it."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from tests.rules.playing import linked

GAME = """module vast:
    "Spaces, and nothing to do."

players 1

{spaces}

flow:
    turn: choose stop
"""


@pytest.mark.parametrize(
    ("spaces", "message"),
    [
        ("space land: hex grid radius 37", "the space has more than 4096 cells"),
        ("space land: cube grid 17 x 17 x 17", "the space has more than 4096 cells"),
        ("space land: square grid 64 x 64\nspace roads: edges of land", "`land` has more than 4096 edges"),
        ("space land: square grid 32 x 32\nspace rails: ports of land, 2 a side", "`land` has more than 4096 ports"),
    ],
)
def test_too_many_cells_edges_or_ports_are_refused(spaces: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        linked(GAME.format(spaces=spaces))
    assert [(found.code, found.message, found.span.line if found.span else 0) for found in caught.value.diagnostics] == [
        ("RW055", message, 6 + spaces.count("\n"))
    ]


@pytest.mark.parametrize(
    "spaces",
    ["space land: hex grid radius 36", "space land: square grid 45 x 45\nspace roads: edges of land"],
)
def test_as_many_as_are_allowed_are_read(spaces: str) -> None:
    assert "land" in linked(GAME.format(spaces=spaces)).spaces
