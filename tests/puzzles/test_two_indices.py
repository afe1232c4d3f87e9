"""Variables of two: drawn in puzzles, listed, written, shown, and what is said of an index that is wrong."""

from __future__ import annotations

import pytest

from rulewright.api.state_data import state_as_json
from rulewright.base.styled_text import plain
from rulewright.cli.views.state_view import state_lines
from rulewright.puzzles.position import Position
from rulewright.rules.model import types
from rulewright.rules.play.visibility import Viewer
from tests.puzzles.positions import flaws, position, read_state, written
from tests.rules.playing import own_module

MARKETS = own_module("markets")
HEAD = "puzzle here:\n    rules markets\n    players 2\n"
BODY = """    stock 2 wool: 3
    price (1,0) salt: 0
    seen 1: (0,1), (1,1)
    seen 2 (1,0): yes
    start: turn of 2
"""


def here(body: str = BODY) -> Position:
    return position(HEAD + body, MARKETS)


def value(found: Position, name: str, first: int, second: int) -> int:
    engine = found.engine
    index = engine.game.variables[name].index
    assert isinstance(index, types.Pair)
    width = len(engine.instance.domain(index.second))
    starts = engine.instance.domain(index.first).start
    held: int = found.state[engine.layout.position(name, (first - starts) * width + second)]
    return held


def test_values_are_read_where_they_belong() -> None:
    found = here()
    assert [value(found, "stock", 2, good) for good in range(3)] == [3, 1, 1]
    assert [value(found, "price", cell, 2) for cell in range(4)] == [1, 0, 3, 3]
    assert [value(found, "seen", 1, cell) for cell in range(4)] == [0, 0, 1, 1]
    assert [value(found, "seen", 2, cell) for cell in range(4)] == [1, 1, 0, 0]


def test_what_is_written_reads_back() -> None:
    found = here()
    text = written(found.engine, found.state)
    assert "stock 2 wool: 3" in text
    assert read_state(found.engine, text, "again") == found.state


def test_they_are_shown() -> None:
    found = here()
    lines = [plain(line) for line in state_lines(found.engine, found.state, Viewer())]
    assert any("stock 2 wool" in line and line.rstrip().endswith("3") for line in lines)
    shown = state_as_json(found.engine, found.state, Viewer())
    assert shown["state"]["price"]["(1,0) salt"] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("stock wool: 3", "`stock` needs two indices"),
        ("stock 1 silk: 3", "`silk` is not an index of `stock`"),
        ("stock 1: 3", "`stock` needs two indices"),
        ("stock wool 1: 3", "`wool` is not an index of `stock`"),
        ("stock 3 wool: 3", "there is no player 3"),
        ("price (7,7) wool: 3", "`quay` has no cell (7,7)"),
        ("stock 1 wool: 9", "9 is not in 0..3"),
        ("purse 1 2: 3", "`purse` has only one index"),
        ("days 1: 3", "`days` has a single value and no index"),
        ("seen 1: (0,0), red", "`red` is not a cell of quay"),
        ("seen 1: (0,0)\n    seen 1 (0,0): yes", "`seen` is given twice"),
    ],
)
def test_a_wrong_index_is_named(line: str, message: str) -> None:
    assert [flaw.message for flaw in flaws(HEAD + f"    {line}\n", MARKETS)] == [message]
