"""States whose value no tile can change any more: they need no line, and only they."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.checker.rulewright_check import Refused
from tests.checker.beside import finished
from tests.checker.certificates import checked, heap_game, plus, variable, write

TIME, TILE, CELL = ["read", "time", None], ["local", 0], ["local", 1]
EMPTY = ["compare", "=", ["fold", "sum", 0, ["zone", "hand", 1], 1, 0], 0]


def equal(one: Any, other: Any) -> list[Any]:
    return ["compare", "=", one, other]


def board_game(*more: Any) -> dict[str, Any]:
    """Tile 1 comes from a hand to cell 0, tile 3 could come to any cell; cell 1 counts double. Whoever waits with an empty hand
    does `more`. Four moves."""
    fits = ["and", equal(["read", "board", CELL], 0), ["or", equal(TILE, 3), equal(CELL, 0)]]
    parameters = [
        {"name": "tile", "domain": ["zone", "hand", 1], "where": None},
        {"name": "cell", "domain": ["interval", 0, 1], "where": fits},
    ]
    effects = [["transfer", ["hand", 1, False], ["board", CELL, False], TILE]]
    put = {"name": "put", "parameters": parameters, "requirements": [], "effects": effects, "afterwards": []}
    wait = {"name": "wait", "parameters": [], "requirements": [], "effects": [["if", EMPTY, list(more), []]], "afterwards": []}
    worth = ["arithmetic", "*", ["read", "board", TILE], plus(TILE, 1)]
    core = heap_game(values=[["fold", "sum", 0, ["interval", 0, 1], worth, 0]], actions=[put, wait])
    zone = {"storage": "set", "index": [1, 1], "values": [1, 3], "none": 0}
    board = {**variable("board", 0, 3), "index": [0, 1]}
    core["variables"] = [board, {**zone, "name": "hand"}, {**zone, "name": "bag"}, variable("time", 0, 4)]
    core["flow"] = [
        ["test", equal(TIME, 4), 3, 1],
        ["choose", 0, [0, 1], False, 1, 2, 3],
        ["run", [write("time", plus(TIME, 1))], 0],
        ["over"],
    ]
    core["scores"], core["start"]["values"] = {}, {"board": [0, 0], "hand": [[1]], "bag": [[3]], "time": [0]}
    return finished(core)  # type: ignore[no-any-return]


def certified(core: dict[str, Any], value: int) -> list[str]:
    """The claim that a tile put by the last move earns most, and that nothing changes once the hand is empty: of the states
    before that, there are five."""
    header = {
        "schema": "rulewright/certificate/1", "puzzle": "", "core": core["digest"], "plan": [[1], [1], [1], [0, 1, 0]],
        "claim": {"status": "optimal", "value": 1, "count": None}, "parts": [{"kind": "upper", "states": 5}],
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
