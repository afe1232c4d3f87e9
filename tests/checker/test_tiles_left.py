"""The most that tiles left can bring: states that cannot reach the label need no line, and only they."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulewright.checker.rulewright_check import Game, Refused, State, TilesLeft
from tests.checker.beside import finished
from tests.checker.certificates import GAMES, TIME, Writer, board_game, checked, equal, heap_game, plus, variable


def certified(core: dict[str, Any], value: int, most: int = 1) -> list[str]:
    """The claim that a tile put by the last move earns most, and that nothing changes once the hand is empty: of the states
    before that, there are five."""
    header = {
        "schema": "rulewright/certificate/1", "puzzle": "", "core": core["digest"], "plan": [[1], [1], [1], [0, 1, 0]],
        "claim": {"status": "optimal", "value": 1, "count": None}, "estimates": [{"board": "board", "most": most}],
        "parts": [{"kind": "upper", "states": 5}],
    }  # fmt: skip
    return [json.dumps(header), json.dumps(core), *[str(value)] * 5]


def test_a_state_where_no_tile_is_left_has_no_line() -> None:
    lines = certified(board_game(), 1)
    assert checked(lines).states == 5
    header = {**json.loads(lines[0]), "estimates": []}
    with pytest.raises(Refused, match="more states are met"):
        checked([json.dumps(header), *lines[1:]])


def test_a_value_above_the_label() -> None:
    with pytest.raises(Refused, match="more states are met"):
        checked(certified(board_game(), 0))


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["deal", 1, ["bag", 1, False], ["hand", 1, False]], "more states are met"),
        (["if", ["in", 3, ["zone", "bag", 1]], [["transfer", ["bag", 1, False], ["hand", 1, False], 3]], []], "more states"),
        (["write", ["board", 1, False], 3], "not only tiles from zones change"),
        (["transfer", ["board", 0, False], ["board", 1, False], 1], "not only tiles from zones change"),
        (["for", 0, ["list", 1], [["write", ["board", ["local", 0], False], 3]]], "not only tiles from zones change"),
        (["transfer", ["board", 0, False], ["hand", 1, False], 1], "not only tiles from zones change"),
    ],
    ids=["dealt", "taken from a bag", "written", "moved", "inside", "taken back"],
)
@pytest.mark.parametrize("most", [1, 2])
def test_what_can_still_change_the_value(more: Any, reason: str, most: int) -> None:
    """Another certificate may be right; this one, which leaves it out, is refused."""
    with pytest.raises(Refused, match=reason):
        checked(certified(board_game(more), 1, most))


@pytest.mark.parametrize("also", [TIME, ["fold", "sum", 0, ["zone", "hand", 1], 1, 0]], ids=["a number", "a zone"])
def test_a_value_that_rests_on_more_than_a_board(also: Any) -> None:
    core = board_game()
    core["question"]["values"].append(also)
    with pytest.raises(Refused, match="the value rests on"):
        TilesLeft(Game(finished(core)), {"board": "board", "most": 1})


def test_a_zone_is_no_board() -> None:
    core = board_game()
    core["question"]["values"] = [["fold", "sum", 0, ["zone", "hand", 1], 1, 0]]
    with pytest.raises(Refused, match="not on a board"):
        TilesLeft(Game(finished(core)), {"board": "hand", "most": 1})


@pytest.mark.parametrize("name", ["against", "in expectation", "count", "own turns, not reached"])
def test_where_play_must_end(name: str) -> None:
    """A state without a line might come back."""
    header, core, *lines = Writer(GAMES[name]).write()
    estimate = '"estimates": [{"board": "score", "most": 1}]'
    with pytest.raises(Refused, match="nothing to estimate"):
        checked([header.replace('"estimates": []', estimate), core, *lines])


# The bound is the one that the page defines, and no play exceeds it ---------------------------------------------------

CELLS = 3
KINDS = (1, 2, 3)


def row_game(goal: str, board: list[int], hand: list[int], each: Any) -> dict[str, Any]:
    """Tiles are put on the vacant cells of a row in any order, as many as one likes. Each cell is worth `each`."""
    core = heap_game(goal, values=[["fold", "sum", 0, ["interval", 0, CELLS - 1], each, 0], 5], actions=())
    vacant = equal(["read", "board", ["local", 1]], 0)
    tile = {"name": "tile", "domain": ["zone", "hand", None], "where": None}
    cell = {"name": "cell", "domain": ["interval", 0, CELLS - 1], "where": vacant}
    effects = [["transfer", ["hand", None, False], ["board", ["local", 1], False], ["local", 0]]]
    core["actions"] = [{"name": "put", "parameters": [tile, cell], "requirements": [], "effects": effects, "afterwards": []}]
    core["variables"] = [
        {**variable("board", 0, 3), "index": [0, CELLS - 1]},
        {**variable("hand", 1, 3), "storage": "set"},
    ]
    core["flow"] = [["choose", 0, [0], True, 1, 0, 1], ["over"]]
    core["scores"], core["start"]["values"] = {}, {"board": board, "hand": [sorted(hand)]}
    core["maps"] = {"worth": {"keys": 1, "entries": [0, 4, -2, 7], "none": 1}}
    return finished(core)  # type: ignore[no-any-return]


def terms(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    test = st.tuples(st.just("compare"), st.sampled_from(["=", "!=", "<", ">="]), inner, inner).map(list)
    tests = test | st.tuples(st.sampled_from(["and", "or"]), test, test).map(list)
    return st.one_of(
        st.tuples(st.just("arithmetic"), st.sampled_from(["+", "-", "*", "div"]), inner, inner).map(list),
        st.tuples(st.just("choice"), tests, inner, inner).map(list),
        inner.map(lambda one: ["lookup", "worth", one]),
    )


BOARD = ["read", "board", ["local", 1]]
LEAVES = st.one_of(
    st.integers(-2, 3),
    st.integers(-1, 1).map(lambda step: ["read", "board", plus(["local", 0], step)]),
    st.sampled_from(["sum", "least"]).map(lambda kind: ["fold", kind, 1, ["list", 0, ["local", 0]], BOARD, 0]),
)
TERMS = st.deferred(lambda: st.recursive(LEAVES, terms, max_leaves=6))
NEXT = ["read", "board", plus(["local", 0], 1)]
ENCLOSED = ["and", ["compare", "!=", ["read", "board", ["local", 0]], 0], ["compare", "!=", NEXT, 0]]
BOARDS = st.lists(st.integers(0, 3), min_size=CELLS, max_size=CELLS)
HANDS = st.lists(st.sampled_from(KINDS), max_size=3)


def by_definition(game: Game, each: Any, state: State, sign: int) -> int:
    """The bound as the page defines it, from all ways to fill the board."""
    board, (hand,) = (list(state[game.make.variables[name].slot]) for name in ("board", "hand"))
    value, additions = 5 * sign, []
    for cell in range(CELLS):
        worth = game.make.function(["let", 0, cell, each])
        now = sign * worth(state)
        value += now
        more = []
        for row in product(*([one] if one else [0, *sorted({*hand})] for one in board)):
            filled = [bytes(row) if old == bytes(board) else old for old in state]
            if sign * worth(filled) > now:
                more.append((sign * worth(filled) - now, {at for at, one in enumerate(row) if one and not board[at]}))
        if more:
            additions.append((max(add for add, _ in more), set.intersection(*(places for _, places in more))))
    chosen = combinations([at for at, one in enumerate(board) if not one], min(len(hand), board.count(0)))
    return sign * (value + max(sum(add for add, need in additions if need <= {*places}) for places in chosen))


def ends(game: Game, state: State) -> Iterator[int]:
    """The values at all ends that follow."""
    moves = game.legal(state)
    if not moves:
        yield game.end_value(state)
    for move in moves:
        for _, after in game.apply(state, move):
            yield from ends(game, after)


def compare(goal: str, board: list[int], hand: list[int], each: Any) -> None:
    """A state that play begins with: the bound is that of the definition, and no end is beyond it."""
    core = row_game(goal, board, hand, each)
    game, sign = Game(core), 1 if goal == "maximise" else -1
    state = game.first()
    try:
        left = TilesLeft(game, {"board": "board", "most": 3})
    except Refused as reason:  # a value that never reads the board
        assert "the value rests on []" in str(reason)
        return
    bound = by_definition(game, each, state, sign)
    assert left.keeps(state, bound) and not left.keeps(state, bound - sign)
    assert all(sign * value <= sign * bound for value in ends(game, state))


@given(st.sampled_from(["maximise", "minimise"]), BOARDS, HANDS, TERMS)
@example("maximise", [0, 0, 0], [1, 3], ["choice", ENCLOSED, ["lookup", "worth", NEXT], 0])
@example("minimise", [0, 2, 0], [2, 2, 3], ["choice", ENCLOSED, NEXT, 1])
@example("maximise", [0, 0, 1], [1], ["choice", ["or", *ENCLOSED[1:]], 4, 0])
def test_the_bound_is_the_one_defined(goal: str, board: list[int], hand: list[int], each: Any) -> None:
    compare(goal, board, hand, each)


@pytest.mark.parametrize("fault", ["fewer tiles", "all places needed", "nothing added"])
def test_a_planted_fault_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exceeds, summary = TilesLeft.exceeds, TilesLeft.summary
    match fault:
        case "fewer tiles":
            monkeypatch.setattr(TilesLeft, "exceeds", lambda self, needs, count, room: exceeds(self, needs, count - 1, room))
        case "all places needed":
            everywhere = {*range(CELLS)}
            monkeypatch.setattr(TilesLeft, "summary", lambda self, *of: (*summary(self, *of)[:2], everywhere))
        case "nothing added":
            monkeypatch.setattr(TilesLeft, "summary", lambda self, *of: (summary(self, *of)[0], 0, set()))
    with pytest.raises(AssertionError):
        compare("maximise", [0, 0, 0], [1, 3], ["choice", ENCLOSED, ["lookup", "worth", NEXT], 0])
