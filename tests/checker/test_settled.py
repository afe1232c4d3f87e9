"""States whose value no tile can change any more: they need no line, and only they."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.checker.rulewright_check import Refused
from tests.checker.certificates import board_game, checked


def certified(core: dict[str, Any], value: int) -> list[str]:
    """The claim that a tile put by the last move earns most, and that nothing changes once the hand is empty: of the states
    before that, there are five."""
    header = {
        "schema": "rulewright/certificate/1", "puzzle": "", "core": core["digest"], "plan": [[1], [1], [1], [0, 1, 0]],
        "claim": {"status": "optimal", "value": 1, "count": None}, "estimates": [], "parts": [{"kind": "upper", "states": 5}],
    }  # fmt: skip
    return [json.dumps(header), json.dumps(core), *[str(value)] * 5]


def test_a_settled_state_has_no_line() -> None:
    assert checked(certified(board_game(), 1)).states == 5


def test_a_settled_value_above_the_label() -> None:
    with pytest.raises(Refused, match="more states are met"):
        checked(certified(board_game(), 0))


@pytest.mark.parametrize(
    "more",
    [
        ["deal", 1, ["bag", 1, False], ["hand", 1, False]],
        ["if", ["in", 3, ["zone", "bag", 1]], [["transfer", ["bag", 1, False], ["hand", 1, False], 3]], []],
        ["write", ["board", 1, False], 3],
        ["transfer", ["board", 0, False], ["board", 1, False], 1],
        ["for", 0, ["list", 1], [["write", ["board", ["local", 0], False], 3]]],
    ],
    ids=["dealt", "taken from a bag", "written", "moved", "inside"],
)
def test_what_can_still_change_the_value(more: Any) -> None:
    """Another certificate may be right; this one, which leaves it out, is refused."""
    with pytest.raises(Refused, match="more states are met"):
        checked(certified(board_game(more), 1))
