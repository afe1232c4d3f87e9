"""Estimates of the moves to the goal: those that hold are taken, and only those."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulewright.checker.rulewright_check import Estimate, Game, Refused, State, Unreadable
from tests.checker.beside import finished
from tests.checker.certificates import (
    EMPTY,
    GAMES,
    HEAP,
    ROLL,
    SCORE,
    TAKE,
    TURNS,
    Writer,
    checked,
    equal,
    heap_game,
    plus,
    variable,
    write,
)

PLACES = 4


def row_game(first: list[int], last: list[int], **more: Any) -> dict[str, Any]:
    """Tiles in a row slide to the cell beside them, which is empty, until they lie as `last` says; each move is counted."""
    cell, beside, count = ["local", 0], plus(["local", 0], ["local", 1]), ["read", "count", None]
    tile = ["read", "row", cell]
    slide = {
        "name": "slide",
        "parameters": [
            {"name": "cell", "domain": ["interval", 0, PLACES - 1], "where": ["compare", "!=", tile, 0]},
            {"name": "way", "domain": ["list", -1, 1], "where": None},
        ],
        "requirements": [{"name": "empty", "condition": equal(["read", "row", beside], 0)}],
        "effects": [["transfer", ["row", cell, False], ["row", beside, False], tile], write("count", plus(count, 1))],
        "afterwards": [],
    }
    until = ["and", *(equal(["read", "row", place], kind) for place, kind in enumerate(last))]
    core = heap_game("least", values=[], until=until, cost="moves", actions=[slide])
    row = {**variable("row", 0, 3), "index": [0, PLACES - 1], "none": 9}
    core["variables"] = [row, variable("count", 0, 1000)]
    core["flow"] = [["test", ["or", until, ["compare", ">=", count, 9]], 2, 1], ["choose", 0, [0], False, 1, 0, 2], ["over"]]
    core["scores"], core["start"]["values"] = {}, {"row": first, "count": [0]}
    return finished({**core, **more})  # type: ignore[no-any-return]


def accepted(core: dict[str, Any], most: int, tables: dict[str, list[list[int]]]) -> bool:
    try:
        Estimate(Game(core), {"most": most, "tables": tables})
    except Refused:
        return False
    return True


def distances(game: Game) -> dict[State, int | None]:
    """The states that play comes to, with the moves from each to the goal."""
    states = [game.first()]
    after: dict[State, list[State]] = {}
    for state in states:
        moves = [] if game.is_goal(state) else game.legal(state)
        after[state] = [game.apply(state, move)[0][1] for move in moves]
        states += [one for one in dict.fromkeys(after[state]) if one not in after and one not in states]
    found: dict[State, int | None] = {state: 0 if game.is_goal(state) else None for state in states}
    for _ in states:
        for state in states:
            known = [one for next_state in after[state] if (one := found[next_state]) is not None]
            if found[state] is None and known:
                found[state] = min(known) + 1
            elif known and found[state]:
                found[state] = min(min(known) + 1, found[state] or 0)
    return found


FAR = [[0, abs(1 - place), abs(2 - place), 0] for place in range(PLACES)]
"""How far tiles 1 and 2 are from cells 1 and 2; tile 3 belongs nowhere."""


def test_an_estimate_leaves_states_out() -> None:
    writer = Writer(GAMES["estimated"])
    lines = writer.write()
    writer.estimates, writer.bounds = (), []
    assert checked(lines).claim == checked(writer.write()).claim
    assert len(lines) < len(writer.write())


@pytest.mark.parametrize(
    ("most", "change", "reason"),
    [
        (2, {}, "a move of action 0 lowers the sum by 3"),
        (3, {0: 1}, "at the goal, the sum may be 1"),
        (3, {7: 8}, "lowers the sum by 4"),
        (3, {20: 21}, "lowers the sum by 4"),
        (3, {3: 4}, "lowers the sum by 4"),
    ],
)
def test_a_table_that_says_too_much(most: int, change: dict[int, int], reason: str) -> None:
    row = [change.get(number, number) for number in range(21)]
    with pytest.raises(Refused, match=reason):
        Estimate(Game(GAMES["estimated"]), {"most": most, "tables": {"heap": [row]}})


def test_an_estimate_is_rounded_up() -> None:
    game = Game(GAMES["estimated"])
    assert [Estimate(game, {"most": most, "tables": {"heap": [[*range(21)]]}}).bound(game.first()) for most in (3, 4, 11)] == [
        4,
        3,
        1,
    ]


FEW_COPIES = equal(["fold", "sum", 0, ["list", HEAP, TURNS], 1, 0], 1)


@pytest.mark.parametrize(
    "condition",
    [1, ["compare", ">", SCORE, 3], ["not", ["compare", ">", SCORE, 3]], FEW_COPIES, equal(["read", "shelf", 1], 0)],
    ids=["always", "a great number", "a small number", "equal numbers", "a tile is gone"],
)
def test_what_lowers_too_much_in_some_states(condition: Any) -> None:
    """The second of two actions, where something holds that no play shows before."""
    clear = {**TAKE, "parameters": [], "requirements": [{"name": "", "condition": condition}], "effects": [write("heap", 0)]}
    tidy = {**clear, "requirements": [], "effects": [["transfer", ["shelf", 1, False], ["floor", 1, False], 1]]}

    def core(*actions: Any) -> dict[str, Any]:
        made = heap_game("least", until=EMPTY, cost="moves", actions=[TAKE, *actions])
        made["variables"] += [{**variable("shelf", 1, 2), "index": [1, 1]}, {**variable("floor", 0, 2), "index": [1, 1]}]
        made["start"]["values"] |= {"shelf": [1], "floor": [0]}
        return finished(made)  # type: ignore[no-any-return]

    assert accepted(core(tidy), 3, {"heap": [[*range(21)]]})
    assert not accepted(core(tidy, clear), 3, {"heap": [[*range(21)]]})


def test_what_the_flow_changes() -> None:
    with pytest.raises(Refused, match="the flow changes"):
        Estimate(Game(GAMES["estimated"]), {"most": 9, "tables": {"mover": [[0, 0, 0]]}})


def test_chance_may_turn_out_in_any_way() -> None:
    core = heap_game("least", heap=9, until=EMPTY, cost="moves", actions=[ROLL, TAKE])
    assert accepted(core, 3, {"heap": [[*range(21)]]})
    assert not accepted(heap_game("least", heap=9, until=EMPTY, cost="moves", actions=[ROLL]), 1, {"heap": [[*range(21)]]})


def test_tiles_that_slide() -> None:
    """Their distances are an estimate since each tile that is there is there once."""
    assert accepted(row_game([1, 2, 0, 3], [3, 1, 2, 0]), 1, {"row": FAR})
    far = [list(row) for row in FAR]
    far[0][1] += 1
    assert not accepted(row_game([1, 2, 0, 3], [3, 1, 2, 0]), 1, {"row": far})


def test_a_goal_that_says_less() -> None:
    """Not every tile is where it belongs where only one is asked for."""
    core = row_game([1, 2, 0, 3], [3, 1])
    assert not accepted(core, 1, {"row": FAR})
    assert accepted(core, 1, {"row": [[0, row[1], 0, 0] for row in FAR]})


def test_tiles_that_come_from_elsewhere() -> None:
    """Where tiles may be put, more of them than at the start may be there, at the goal too."""
    core = row_game([1, 2, 0, 3], [3, 1])
    put = {"name": "put", "parameters": [], "requirements": [], "effects": [["write", ["row", 3, False], 1]], "afterwards": []}
    more = {"actions": [*core["actions"], put], "flow": [core["flow"][0], ["choose", 0, [0, 1], False, 1, 0, 2], ["over"]]}
    assert not accepted(row_game([1, 2, 0, 3], [3, 1], **more), 1, {"row": [[0, row[1], 0, 0] for row in FAR]})


@pytest.mark.parametrize(
    ("most", "tables"),
    [(0, {"row": FAR}), (1, {"row": FAR[:-1]}), (1, {"row": [row[:-1] for row in FAR]}), (1, {"bag": FAR}), (1, {"row": []})],
)
def test_a_table_that_does_not_fit(most: int, tables: dict[str, list[list[int]]]) -> None:
    with pytest.raises(Unreadable):
        Estimate(Game(row_game([1, 2, 0, 3], [3, 1, 2, 0])), {"most": most, "tables": tables})


def test_estimates_where_moves_are_not_counted() -> None:
    header, core, *lines = Writer(GAMES["turns"]).write()
    with pytest.raises(Refused, match="nothing to estimate"):
        checked([header.replace('"estimates": []', '"estimates": [{"most": 1, "tables": {}}]'), core, *lines])


KINDS = st.permutations([0, 1, 2, 3])


@given(
    KINDS,
    st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=PLACES),
    st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=PLACES, max_size=PLACES),
    st.integers(1, 3),
)
@example([1, 2, 0, 3], [0, 1, 2, 3], FAR, 1)
@example([3, 1, 2, 0], [3, 1, 2], [[0, abs(1 - place), abs(2 - place), 1 - (place == 0)] for place in range(PLACES)], 1)
def test_what_is_accepted_holds(first: list[int], last: list[int], table: list[list[int]], most: int) -> None:
    """From no state that play comes to does a plan have fewer moves than an accepted estimate says."""
    core = row_game(first, last)
    if not accepted(core, most, {"row": table}):
        return
    game = Game(core)
    estimate = Estimate(game, {"most": most, "tables": {"row": table}})
    assert all(moves is None or estimate.bound(state) <= moves for state, moves in distances(game).items())
